// What the last search of a classic did, as its author printed it.

import { h, setText } from "../../ui/dom";

export class SearchTable {
  readonly #table = h("pre", { tabindex: 0, role: "region", "aria-label": "The last search" });
  readonly element = h(
    "details",
    { class: "search", hidden: true },
    h("summary", {}, "The last search"),
    this.#table,
  );

  show(search: string | null): void {
    this.element.hidden = search === null;
    setText(this.#table, search ?? "");
  }
}
