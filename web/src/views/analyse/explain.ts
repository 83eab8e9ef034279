import type { Explanation } from "../../api";
import { capital } from "../../core/speech";
import { h } from "../../ui/dom";

const sign = (value: number): string => ["−", "", "+"][Math.sign(value) + 1] ?? "";
const pawns = (value: number): string => sign(value) + (Math.abs(value) / 100).toFixed(2);
const tint = (value: number): string => ["minus", "", "plus"][Math.sign(value) + 1] ?? "";

/** The evaluation in words and numbers. Looking at a reason marks its squares on the board. */
export function explanation(answer: Explanation, mark: (squares: string[]) => void): HTMLElement {
  const rows = answer.groups
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
  const reasons = answer.items
    .filter(({ squares }) => squares.length > 0)
    .slice(0, 14)
    .map(({ color, text, value, squares }) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "reason",
            onmouseenter: () => mark(squares),
            onfocus: () => mark(squares),
            onmouseleave: () => mark([]),
            onblur: () => mark([]),
          },
          h("span", { class: `side ${color}`, "aria-label": color, role: "img" }),
          h("span", {}, text),
          h("span", { class: "value" }, pawns(value)),
        ),
      ),
    );
  return h(
    "div",
    { class: "explain" },
    ...answer.sentences.map((text) => h("p", {}, text)),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["Subject", "White", "Black", "Balance"].map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      h("tbody", {}, ...rows),
      h(
        "tfoot",
        {},
        h("tr", {}, h("th", { scope: "row" }, "Total"), h("td"), h("td"), h("td", {}, pawns(answer.total))),
      ),
    ),
    reasons.length > 0 && h("h3", {}, "Reasons"),
    h("ul", { class: "reasons" }, ...reasons),
  );
}
