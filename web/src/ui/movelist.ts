import type { Judgement } from "../api";
import { plyOf } from "../core/fen";
import { JUDGEMENT_GLYPH } from "../core/notation";
import { h } from "./dom";
import { tick } from "./haptic";
import { onSwipe } from "./swipe";
import { walkControls } from "./walk";

export interface ListedMove {
  san: string;
  judgement?: Judgement | null;
}

/** The moves of a game in two columns, with buttons to walk through them. Ply 0 is the start position. */
export class MoveList {
  readonly element: HTMLElement;
  readonly controls: HTMLElement;
  #list = h("ol", { class: "moves", tabindex: 0, "aria-label": "Moves" });
  #buttons: HTMLButtonElement[] = [];
  #count = 0;
  #current = 0;
  #go: (ply: number) => void;
  #signature = "";

  /** `others` are buttons that stand before those to walk. */
  constructor(go: (ply: number) => void, flip: () => void, ...others: HTMLElement[]) {
    this.#go = go;
    this.element = h("div", { class: "movelist" }, this.#list);
    this.controls = walkControls(
      "Walk through the game",
      {
        first: () => this.#step(0),
        back: () => this.#step(this.#current - 1),
        forward: () => this.#step(this.#current + 1),
        last: () => this.#step(this.#count),
        flip,
      },
      ...others,
    );
    onSwipe(this.#list, (direction) => this.#step(this.#current + direction));
  }

  show(start: string, moves: ListedMove[], current: number): void {
    this.#count = moves.length;
    const signature = start + moves.map(({ san, judgement }) => san + (judgement ?? "")).join();
    if (signature !== this.#signature) {
      this.#signature = signature;
      this.#build(plyOf(start), moves);
    }
    this.#mark(current);
  }

  /** A move forward or back, by the wheel. */
  walk(direction: 1 | -1): void {
    this.#step(this.#current + direction);
  }

  /** Arrow keys, Home and End. */
  key(event: KeyboardEvent): boolean {
    const to = {
      ArrowLeft: this.#current - 1,
      ArrowRight: this.#current + 1,
      Home: 0,
      End: this.#count,
    }[event.key];
    if (to === undefined || to < 0 || to > this.#count) return false;
    this.#go(to);
    return true;
  }

  #step(to: number): void {
    const ply = Math.max(0, Math.min(this.#count, to));
    if (ply === this.#current) return;
    tick();
    this.#go(ply);
  }

  #build(offset: number, moves: ListedMove[]): void {
    this.#buttons = moves.map(({ san, judgement }, index) =>
      h(
        "button",
        {
          type: "button",
          class: `move ${judgement ?? ""}`.trim(),
          tabindex: -1,
          onclick: () => this.#go(index + 1),
        },
        san,
        judgement && h("span", { class: "glyph" }, JUDGEMENT_GLYPH[judgement]),
      ),
    );
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    this.#buttons.forEach((move, index) => {
      const ply = offset + index;
      if (!row || ply % 2 === 0) {
        row = h("li", {}, h("span", { class: "number" }, `${Math.floor(ply / 2) + 1}`));
        if (ply % 2 === 1) row.append(h("span", { class: "gap" }, "…"));
        rows.push(row);
      }
      row.append(move);
    });
    this.#list.replaceChildren(...rows);
  }

  #mark(current: number): void {
    this.#buttons.forEach((entry, index) => {
      if (index + 1 === current) entry.setAttribute("aria-current", "true");
      else entry.removeAttribute("aria-current");
    });
    this.#current = current;
    const move = this.#buttons[current - 1];
    // Only the list scrolls, never the page.
    if (move) {
      const top = move.offsetTop - this.#list.clientHeight / 2;
      this.#list.scrollTop = top;
      this.#list.scrollLeft = move.offsetLeft + move.offsetWidth / 2 - this.#list.clientWidth / 2;
    } else this.#list.scrollTo(0, 0);
  }
}
