import { settings } from "../core/settings";

const TICK_MS = 8;

/** A short tick in the hand, on devices that can vibrate. Browsers allow it only after the first touch. */
export function tick(): void {
  if (settings().vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(TICK_MS);
}

/** Whether there is a hand to feel it: desktop browsers have the function too. */
export const canVibrate = (): boolean => "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;
