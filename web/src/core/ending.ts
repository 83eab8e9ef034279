// What finished positions are called, where others have a score.

import type { Color, Outcome } from "../api";
import { capital } from "./speech";

export interface Ending {
  /** "Checkmate", "Stalemate" or "Draw". */
  title: string;
  winner: Color | null;
  /** "Checkmate: White wins". */
  text: string;
}

const TITLES: Partial<Record<Outcome["reason"], string>> = {
  checkmate: "Checkmate",
  stalemate: "Stalemate",
  "insufficient material": "Draw",
  "the fifty-move rule": "Draw",
  "the seventy-five-move rule": "Draw",
  "threefold repetition": "Draw",
  "fivefold repetition": "Draw",
};

/** The end that the position itself brings. A game that was resigned, or lost on time, could have gone on. */
export function endingOf(outcome: Outcome | null | undefined): Ending | null {
  const title = outcome && TITLES[outcome.reason];
  if (!title) return null;
  const { winner, reason } = outcome;
  const how = title === "Draw" ? reason : "draw";
  return { title, winner, text: `${title}: ${winner ? `${capital(winner)} wins` : how}` };
}
