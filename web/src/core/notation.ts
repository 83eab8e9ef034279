// Move numbers and annotation glyphs, as they are printed.

import type { Judgement } from "../api";
import { plyOf } from "./fen";

/** Numeric annotation glyphs. */
export const GLYPHS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

export const glyphs = (nags: number[]): string => nags.map((nag) => GLYPHS[nag] ?? "").join("");

export const JUDGEMENT_GLYPH: Record<Judgement, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** "12." before a move of White, "12…" before one of Black. */
export function numberBefore(fenBefore: string): string {
  const ply = plyOf(fenBefore);
  return `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "…"}`;
}

/** The number to print before each of `count` moves from a position: White's moves and the first one have one. */
export function moveNumbers(fenBefore: string, count: number): string[] {
  const first = plyOf(fenBefore);
  return Array.from({ length: count }, (_, index) => {
    const number = Math.floor((first + index) / 2) + 1;
    if ((first + index) % 2 === 0) return `${number}.`;
    return index === 0 ? `${number}…` : "";
  });
}

/** "12. Nf3 d5 13. exd5" */
export function lineText(moves: { san: string }[], fenBefore: string): string {
  const numbers = moveNumbers(fenBefore, moves.length);
  return moves.map(({ san }, index) => (numbers[index] ? `${numbers[index]} ${san}` : san)).join(" ");
}

/** "White – Black, Event, Year" from the tags of a PGN game; empty without names. */
export function gameTitle(tags: Record<string, string | undefined>): string {
  const { White, Black, Event, Date: date } = tags;
  if (!White && !Black) return "";
  const event = Event === "?" ? "" : Event;
  const year = date?.startsWith("?") ? "" : date?.slice(0, 4);
  return [`${White ?? "?"} – ${Black ?? "?"}`, event, year].filter(Boolean).join(", ");
}
