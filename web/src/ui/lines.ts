// The lines of the engine, live: score, chances, moves to click on.

import type { Analysis, Line } from "../api";
import { moveNumbers } from "../core/notation";
import { formatScore, speakScore } from "../core/score";
import { fill, h, setText } from "./dom";

const SHOWN_MOVES = 14;
const BOUND: Record<Line["bound"], string> = { exact: "", lower: "≥", upper: "≤" };

export class Lines {
  readonly element: HTMLElement;
  #head = h("p", { class: "engine-facts" });
  #chances = h("div", { class: "chances", role: "img" });
  #list = h("ol", { class: "lines", "aria-label": "Engine lines" });
  #play: (moves: string[]) => void;

  constructor(play: (moves: string[]) => void) {
    this.#play = play;
    for (const name of ["win", "drawn", "loss"]) this.#chances.append(h("span", { class: name }));
    this.element = h("div", { class: "engine" }, this.#head, this.#chances, this.#list);
  }

  /** Reserves the space for `count` lines, so that nothing jumps. */
  expect(count: number): void {
    this.#list.style.setProperty("--lines", String(count));
  }

  clear(text: string): void {
    setText(this.#head, text);
    fill(this.#list);
    this.#chances.classList.remove("over");
    this.#chances.classList.add("unknown");
    this.#chances.setAttribute("aria-label", "The chances are not known yet");
  }

  /** The game is over: there are no lines and no chances. */
  end(text: string): void {
    this.clear(text);
    this.#chances.classList.add("over");
    this.#chances.setAttribute("aria-label", text);
  }

  show(analysis: Analysis): void {
    const { depth, nodes, nps, done } = analysis;
    setText(
      this.#head,
      `Depth ${depth} · ${compact(nodes)} nodes · ${compact(nps)}/s${done ? " · done" : ""}`,
    );
    const best = analysis.lines[0];
    if (best) this.#showChances(best);
    fill(this.#list, ...analysis.lines.map((line) => this.#line(line, analysis.fen)));
  }

  #showChances({ wdl, score }: Line): void {
    this.#chances.classList.remove("unknown", "over");
    wdl.forEach((share, index) => {
      const part = this.#chances.children[index] as HTMLElement;
      part.style.flexGrow = String(share);
      setText(part, share >= 90 ? `${Math.round(share / 10)}%` : "");
    });
    const [win, drawn, loss] = wdl.map((share) => Math.round(share / 10));
    this.#chances.setAttribute(
      "aria-label",
      `${speakScore(score)}: White wins ${win}%, draws ${drawn}%, loses ${loss}%`,
    );
  }

  #line(line: Line, fen: string): HTMLElement {
    const row = h("li", {}, h("span", { class: "line-score" }, BOUND[line.bound] + formatScore(line.score)));
    const moves = h("span", { class: "line-moves" });
    const shown = line.moves.slice(0, SHOWN_MOVES);
    const numbers = moveNumbers(fen, shown.length);
    shown.forEach((move, index) => {
      const number = numbers[index];
      const upTo = line.moves.slice(0, index + 1).map(({ uci }) => uci);
      moves.append(
        h(
          "button",
          {
            type: "button",
            class: "line-move",
            tabindex: index === 0 ? 0 : -1,
            onclick: () => this.#play(upTo),
          },
          number && h("span", { class: "number" }, `${number} `),
          move.san,
        ),
      );
    });
    row.append(moves);
    return row;
  }
}

/** 1234567 as 1.2M. */
export function compact(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)}G`;
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  if (value >= 1e3) return `${Math.round(value / 1e3)}k`;
  return String(value);
}
