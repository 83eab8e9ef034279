// The board for the keyboard and for screen readers: 64 squares in a grid over the drawn board. One square is in the
// tab order; arrow keys walk, Enter or Space picks a piece up and puts it down, Escape cancels.

import type { Color } from "../api";
import { readPieces } from "../core/fen";
import { h } from "../ui/dom";

export interface GridEvents {
  /** A square was chosen with the keyboard. */
  choose(square: string): void;
  cancel(): void;
}

const FILES = [..."abcdefgh"];
/** Files and ranks that a key moves by, from White's side. */
const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class SquareGrid {
  readonly element: HTMLElement;
  #cells = new Map<string, HTMLElement>();
  #rows: HTMLElement[] = [];
  #orientation: Color = "white";
  #current = "e2";

  constructor(label: string, events: GridEvents) {
    this.element = h("div", { class: "squares", role: "grid", "aria-label": label });
    for (let rank = 8; rank >= 1; rank--) {
      const row = h("div", { role: "row" });
      for (const file of FILES) {
        const square = file + rank;
        const cell = h("div", { role: "gridcell", tabindex: -1, "data-square": square });
        this.#cells.set(square, cell);
        row.append(cell);
      }
      this.#rows.push(row);
      this.element.append(row);
    }
    this.#moveTo(this.#current, false);
    this.element.addEventListener("keydown", (event) => this.#key(event, events));
    this.element.addEventListener("focusin", (event) => {
      const square = (event.target as HTMLElement).dataset.square;
      if (square) this.#moveTo(square, false);
    });
  }

  update(fen: string, selected: string | null, targets: string[], lastMove: string[]): void {
    const pieces = readPieces(fen);
    for (const [square, cell] of this.#cells) {
      const piece = pieces.get(square);
      const parts = [square, piece ? `${piece.color} ${piece.role}` : "empty"];
      if (targets.includes(square)) parts.push(piece ? "can be taken" : "can be reached");
      if (lastMove.includes(square)) parts.push("last move");
      const label = parts.join(", ");
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
      cell.setAttribute("aria-selected", String(square === selected));
    }
  }

  orient(color: Color): void {
    if (color === this.#orientation) return;
    this.#orientation = color;
    this.#rows.reverse();
    for (const row of this.#rows) row.replaceChildren(...[...row.children].reverse());
    this.element.replaceChildren(...this.#rows);
  }

  focus(square: string): void {
    this.#moveTo(square, true);
  }

  #key(event: KeyboardEvent, events: GridEvents): void {
    const step = STEPS[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const sign = this.#orientation === "white" ? 1 : -1;
      const file = FILES[FILES.indexOf(this.#current.charAt(0)) + sign * step[0]];
      const rank = Number(this.#current[1]) + sign * step[1];
      // There is no such square beyond the edge, and then nothing moves.
      this.#moveTo(`${file}${rank}`, true);
    } else if (event.key === "Enter" || event.key === " ") {
      events.choose(this.#current);
    } else if (event.key === "Escape") {
      events.cancel();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #moveTo(square: string, focus: boolean): void {
    const next = this.#cells.get(square);
    if (!next) return;
    const before = this.#cells.get(this.#current);
    if (before) before.tabIndex = -1;
    next.tabIndex = 0;
    this.#current = square;
    if (focus) next.focus();
  }
}
