import type { ReviewMove } from "../../api";
import { JUDGEMENT_GLYPH, lineText, numberBefore } from "../../core/notation";
import { formatScore } from "../../core/score";
import { address } from "../../router";
import { h } from "../../ui/dom";

/** What the review says about a move, played from the position `before`. */
export function remarkOn(move: ReviewMove, before: string, game: string): HTMLElement[] {
  const { judgement, better } = move;
  const name = `${numberBefore(before)} ${move.san}${judgement ? JUDGEMENT_GLYPH[judgement] : ""}`;
  const verdict = h(
    "p",
    {},
    h("strong", { class: judgement ?? "" }, name),
    ` ${formatScore(move.score)} `,
    move.comment && h("span", {}, move.comment),
  );
  if (!better || !judgement) return [verdict];
  const href = address(`/analyse?game=${game}&ply=${move.ply - 1}`);
  return [
    verdict,
    h(
      "p",
      { class: "better" },
      `Better (${formatScore(better.score)}): `,
      h("a", { href, title: "Try it in the analysis" }, lineText(better.moves, before)),
    ),
  ];
}
