// "Why?": what the coach says of the last move and the position, and the terms of the evaluation for those who ask.

import type { Explanation, Terms } from "../../api";
import { capital } from "../../core/speech";
import { h } from "../../ui/dom";
import { type RemarkActions, remarkList, unsaid } from "../../ui/remarks";

const sign = (value: number): string => ["−", "", "+"][Math.sign(value) + 1] ?? "";
const pawns = (value: number): string => sign(value) + (Math.abs(value) / 100).toFixed(2);
const tint = (value: number): string => ["minus", "", "plus"][Math.sign(value) + 1] ?? "";

/** Stays open from one position to the next. */
let showsDetails = false;

/** The coach's words about a move and the position after it. */
export function explanation(answer: Explanation, actions: RemarkActions): HTMLElement {
  const { lastMove, position, threat, terms } = answer;
  const reasons = lastMove?.remarks ?? [];
  const details = h("details", { class: "terms", open: showsDetails }, h("summary", {}, "Details"));
  details.addEventListener("toggle", () => {
    showsDetails = details.open;
  });
  details.append(...termTables(terms, actions));
  return h(
    "div",
    { class: "explain" },
    lastMove && h("h3", { class: lastMove.judgement ?? "" }, lastMove.verdict),
    reasons.length > 0 && remarkList(reasons, actions),
    h("h3", {}, "The position"),
    remarkList(unsaid(threat ? [...position, threat] : position, reasons), actions),
    details,
  );
}

/** How the engine counts without a search: sums by subject, and single terms. */
function termTables(terms: Terms, { mark }: RemarkActions): HTMLElement[] {
  const rows = terms.groups
    .filter(({ white, black }) => white !== 0 || black !== 0)
    .map(({ name, white, black }) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, capital(name)),
        h("td", {}, pawns(white)),
        h("td", {}, pawns(black)),
        h("td", { class: tint(white - black) }, pawns(white - black)),
      ),
    );
  // The table has what cannot be pointed at on the board, such as material.
  const items = terms.items
    .filter(({ squares }) => squares.length > 0)
    .slice(0, 14)
    .map(({ color, text, value, squares }) => {
      const show = () => mark(squares.map((from) => ({ from, brush: "mark" })));
      return h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "reason",
            onmouseenter: show,
            onfocus: show,
            onmouseleave: () => mark([]),
            onblur: () => mark([]),
          },
          h("span", { class: `side ${color}`, "aria-label": color, role: "img" }),
          h("span", {}, text),
          h("span", { class: "value" }, pawns(value)),
        ),
      );
    });
  const heading = ["Subject", "White", "Black", "Balance"].map((text) => h("th", { scope: "col" }, text));
  return [
    h(
      "p",
      { class: "hint" },
      "How the engine counts the position as it stands, in pawns, before it looks ahead.",
    ),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...heading)),
      h("tbody", {}, ...rows),
      h(
        "tfoot",
        {},
        h("tr", {}, h("th", { scope: "row" }, "Total"), h("td"), h("td"), h("td", {}, pawns(terms.total))),
      ),
    ),
    h("ul", { class: "reasons" }, ...items),
  ];
}
