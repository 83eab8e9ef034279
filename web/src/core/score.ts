import type { Score, Wdl } from "../api";

/** +1.25, −0.40, #3, #−2, Checkmate; from White's view. */
export function formatScore(score: Score): string {
  if ("mate" in score && score.mate === 0) return "Checkmate";
  if ("mate" in score) return score.mate < 0 ? `#−${-score.mate}` : `#${score.mate}`;
  const pawns = Math.abs(score.cp) / 100;
  const text = pawns >= 100 ? pawns.toFixed(0) : pawns.toFixed(pawns >= 10 ? 1 : 2);
  if (score.cp === 0) return "0.00";
  return (score.cp > 0 ? "+" : "−") + text;
}

/** For narrow places: 1.3, 0.4, M2. The side is known from where it stands. */
export function shortScore(score: Score): string {
  return "mate" in score ? `M${Math.abs(score.mate)}` : (Math.abs(score.cp) / 100).toFixed(1);
}

/** For a screen reader: "White is better by 1.25". */
export function speakScore(score: Score): string {
  if ("mate" in score) {
    if (score.mate === 0) return "checkmate";
    return `${score.mate > 0 ? "White" : "Black"} mates in ${Math.abs(score.mate)}`;
  }
  if (score.cp === 0) return "equal";
  return `${score.cp > 0 ? "White" : "Black"} is better by ${(Math.abs(score.cp) / 100).toFixed(2)}`;
}

/** How much of the bar is White's, 0 to 1, when no chances are known. */
export function barShare(score: Score | null): number {
  if (!score) return 0.5;
  if ("mate" in score) return (1 + Math.sign(score.mate)) / 2;
  return 1 / (1 + Math.exp(-0.00368208 * score.cp));
}

/** White's expected score, 0 to 1. */
export function expected(wdl: Wdl): number {
  const total = wdl[0] + wdl[1] + wdl[2];
  return total > 0 ? (wdl[0] + wdl[1] / 2) / total : 0.5;
}
