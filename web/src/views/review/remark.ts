import type { ReviewMove } from "../../api";
import type { Ending } from "../../core/ending";
import { JUDGEMENT_GLYPH, lineText, numberBefore } from "../../core/notation";
import { formatScore } from "../../core/score";
import { address, lineAddress } from "../../router";
import { h } from "../../ui/dom";
import { type RemarkActions, remarkList } from "../../ui/remarks";

/** A move of a reviewed game, and where it stands. */
export interface Place {
  game: string;
  move: ReviewMove;
  /** The positions before and after it. */
  before: string;
  after: string;
  /** The end that it brings. */
  ending: Ending | null;
  isTurningPoint: boolean;
}

/** What the review says about a move. */
export function remarkOn(place: Place, mark: RemarkActions["mark"]): HTMLElement[] {
  const { game, move, before, after, ending, isTurningPoint } = place;
  const { judgement, better, ply } = move;
  const name = `${numberBefore(before)} ${move.san}${judgement ? JUDGEMENT_GLYPH[judgement] : ""}`;
  const verdict = h(
    "p",
    {},
    h("strong", { class: judgement ?? "" }, name),
    ` ${ending?.text ?? formatScore(move.score)} `,
    isTurningPoint && h("em", {}, "The turning point."),
  );
  if (!judgement) return [verdict];
  const plies = new Map([
    [before, ply - 1],
    [after, ply],
  ]);
  const actions: RemarkActions = {
    mark,
    open: ({ fen, moves }) => {
      const from = plies.get(fen);
      return from === undefined ? null : lineAddress(game, from, moves);
    },
  };
  // What was better has a line of its own below.
  const reasons = move.remarks.filter(({ claim }) => !better || claim.kind !== "better");
  return [
    verdict,
    ...(reasons.length > 0 ? [remarkList(reasons, actions)] : []),
    ...(better
      ? [
          h(
            "p",
            { class: "better" },
            `Better (${formatScore(better.score)}): `,
            h(
              "a",
              {
                href: address(lineAddress(game, ply - 1, better.moves)),
                title: "Play it through in the analysis",
              },
              lineText(better.moves, before),
            ),
          ),
        ]
      : []),
  ];
}
