// The layout of every view with a board: the board with a line above and below, and a panel next to it or below.

import { h } from "./dom";

interface Parts {
  board: HTMLElement;
  above?: HTMLElement;
  below?: HTMLElement;
  bar?: HTMLElement;
}

export function stage(title: string, parts: Parts, ...panel: (HTMLElement | SVGElement)[]): HTMLElement {
  const strip = (content: HTMLElement | undefined, place: string) =>
    h("div", { class: `strip ${place}` }, content);
  return h(
    "main",
    { class: `stage ${parts.bar ? "with-bar" : ""}`, id: "main" },
    h("h1", { class: "visually-hidden" }, title),
    h(
      "div",
      { class: "table" },
      strip(parts.above, "above"),
      h("div", { class: "board-row" }, parts.bar, parts.board),
      strip(parts.below, "below"),
    ),
    h("section", { class: "panel", "aria-label": title }, ...panel),
  );
}
