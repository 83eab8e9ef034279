import type { Clock, Color } from "../api";
import { counted } from "./speech";

/** The time a side has left, `elapsed` milliseconds after the state arrived. */
export function remaining(clock: Clock, color: Color, elapsed: number): number {
  const left = clock[color];
  return Math.max(0, clock.running === color ? left - Math.max(0, elapsed) : left);
}

/** Below this the clock is shown as urgent, with tenths. */
export const URGENT = 20_000;

/** 1:02:03, 4:05, and 9.8 in the last twenty seconds. */
export function formatClock(milliseconds: number): string {
  if (milliseconds < URGENT) return (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const total = Math.floor(milliseconds / 1000);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = String(total % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

/** For a screen reader. */
export function speakClock(milliseconds: number): string {
  const total = Math.floor(milliseconds / 1000);
  const parts: [number, string][] = [
    [Math.floor(total / 3600), "hour"],
    [Math.floor((total % 3600) / 60), "minute"],
    [total % 60, "second"],
  ];
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => counted(count, unit));
  return said.join(" ") || "no time";
}
