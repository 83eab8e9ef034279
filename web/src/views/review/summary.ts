import type { GameState, Judgement, Review, SideReport } from "../../api";
import { JUDGEMENT_GLYPH } from "../../core/notation";
import { h } from "../../ui/dom";

/** The table of both sides: accuracy, loss, and the number of errors of each kind. */
export function summaryTable(game: GameState, review: Review): HTMLElement {
  return h(
    "table",
    { class: "report" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td"),
        h("th", { scope: "col" }, "Accuracy"),
        h("th", { scope: "col" }, "Loss"),
        judgementHeading("inaccuracy", "Inaccuracies"),
        judgementHeading("mistake", "Mistakes"),
        judgementHeading("blunder", "Blunders"),
      ),
    ),
    h("tbody", {}, sideRow(game.white.name, review.white), sideRow(game.black.name, review.black)),
  );
}

/** What the game taught: the person's own side first, and only it, where there is one. */
export function lessons(game: GameState, review: Review): HTMLElement | null {
  const sides =
    game.you === "white" || game.you === "black" ? [review[game.you]] : [review.white, review.black];
  // Where the game turned is the same for both.
  const texts = new Set(sides.flatMap(({ lesson }) => lesson.map(({ text }) => text)));
  if (texts.size === 0) return null;
  return h(
    "div",
    { class: "lesson" },
    h("h3", {}, "What this game taught"),
    h("p", {}, [...texts].join(" ")),
  );
}

function judgementHeading(judgement: Judgement, plural: string): HTMLElement {
  const glyph = JUDGEMENT_GLYPH[judgement];
  return h(
    "th",
    { scope: "col", class: judgement },
    h("abbr", { class: "glyph", title: plural, "aria-label": plural }, glyph),
  );
}

function sideRow(name: string, side: SideReport): HTMLElement {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    h("td", {}, side.accuracy === null ? "–" : `${side.accuracy.toFixed(0)}%`),
    h("td", {}, side.averageLoss === null ? "–" : (side.averageLoss / 100).toFixed(2)),
    ...[side.inaccuracies, side.mistakes, side.blunders].map((count) => h("td", {}, count)),
  );
}
