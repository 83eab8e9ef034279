// The evaluation graph of a review: White's expected score after every move.

import type { Review } from "../api";
import { JUDGEMENT_GLYPH } from "../core/notation";
import { formatScore } from "../core/score";
import { svg } from "./dom";

export interface Point {
  x: number;
  y: number;
}

export const WIDTH = 600;
export const HEIGHT = 120;

/** One point for the start position and each ply; y grows downwards, so White's success is at the top. */
export function graphPoints(wins: number[], width = WIDTH, height = HEIGHT): Point[] {
  const step = wins.length > 1 ? width / (wins.length - 1) : 0;
  return wins.map((win, index) => ({
    x: index * step,
    y: height * (1 - Math.min(100, Math.max(0, win)) / 100),
  }));
}

export const linePath = (points: Point[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");

/** Between the line and the bottom: White's part of the picture. */
export function areaPath(points: Point[], height = HEIGHT): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return "";
  return `${linePath(points)}L${round(last.x)} ${height}L${round(first.x)} ${height}Z`;
}

/** The ply nearest to a place, from 0 to 1 of the width. */
export function plyAt(share: number, plies: number): number {
  return Math.max(0, Math.min(plies, Math.round(share * plies)));
}

const round = (value: number): number => Math.round(value * 100) / 100;

export class Graph {
  readonly element: SVGSVGElement;
  #cursor = svg("line", { class: "graph-cursor", y1: 0, y2: HEIGHT });
  #points: Point[];

  constructor(review: Review, go: (ply: number) => void) {
    this.#points = graphPoints([review.startWin, ...review.moves.map((move) => move.win)]);
    const plies = review.moves.length;
    const marks = review.moves.flatMap(({ ply, san, judgement, score }) => {
      const point = this.#points[ply];
      if (!judgement || !point) return [];
      const title = `${san}${JUDGEMENT_GLYPH[judgement]} ${formatScore(score)}`;
      // A line without length is a dot that stays round when the picture is stretched.
      const d = `M${round(point.x)} ${round(point.y)}h0`;
      return svg("path", { class: `graph-mark ${judgement}`, d }, svg("title", {}, title));
    });
    this.element = svg(
      "svg",
      {
        class: "graph",
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: "none",
        tabindex: 0,
        role: "slider",
        "aria-label": "Evaluation graph: position in the game",
        "aria-valuemin": 0,
        "aria-valuemax": plies,
        onclick: (event: MouseEvent) => {
          const box = this.element.getBoundingClientRect();
          go(plyAt((event.clientX - box.left) / box.width, plies));
        },
      },
      svg("path", { class: "graph-area", d: areaPath(this.#points) }),
      svg("line", { class: "graph-middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("path", { class: "graph-line", d: linePath(this.#points) }),
      this.#cursor,
      ...marks,
    );
  }

  show(ply: number, text: string): void {
    const x = this.#points[ply]?.x ?? 0;
    this.#cursor.setAttribute("x1", String(x));
    this.#cursor.setAttribute("x2", String(x));
    this.element.setAttribute("aria-valuenow", String(ply));
    this.element.setAttribute("aria-valuetext", text);
  }
}
