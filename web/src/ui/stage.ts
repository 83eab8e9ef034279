// The layout of every view with a board: the board between two lines, the controls, and a panel that scrolls. All but the
// content of the panel is always on the screen.

import { h } from "./dom";

interface Parts {
  board: HTMLElement;
  above?: HTMLElement;
  below?: HTMLElement;
  bar?: HTMLElement;
  controls?: HTMLElement;
  /** What stays in sight above the scrolling part of the panel. */
  pinned?: (HTMLElement | SVGElement)[];
}

export function stage(title: string, parts: Parts, ...panel: (HTMLElement | SVGElement)[]): HTMLElement {
  const { board, above, below, bar, controls, pinned } = parts;
  const strip = (content: HTMLElement | undefined, place: string) =>
    content && h("div", { class: `strip ${place}` }, content);
  const strips = ["no-strips", "one-strip", ""][Number(Boolean(above)) + Number(Boolean(below))];
  return h(
    "main",
    { class: `stage ${bar ? "with-bar" : ""} ${strips}`, id: "main" },
    h("h1", { class: "visually-hidden" }, title),
    h(
      "div",
      { class: "table" },
      strip(above, "above"),
      h("div", { class: "board-row" }, bar, board),
      strip(below, "below"),
    ),
    controls && h("div", { class: "controls" }, controls),
    h(
      "div",
      { class: "panel-box" },
      pinned && h("div", { class: "pinned" }, ...pinned),
      h(
        "section",
        { class: "panel", "aria-label": title, tabindex: 0 },
        // Screen readers jump from heading to heading; those within the panel are below this one.
        h("h2", { class: "visually-hidden" }, "Details"),
        ...panel,
      ),
    ),
  );
}
