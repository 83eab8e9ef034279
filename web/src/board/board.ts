// The board: chessground for mouse, touch and drawing; the grid of squares for keyboard and screen reader.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { DrawBrush, DrawShape } from "chessground/draw";
import type { Key } from "chessground/types";
import type { Color, Dests } from "../api";
import { EMPTY, isPromotion, readPieces, squaresOf, turnOf } from "../core/fen";
import { onSettings, settings } from "../core/settings";
import { counted } from "../core/speech";
import { h } from "../ui/dom";
import { announce } from "../ui/notice";
import { SquareGrid } from "./grid";
import { askPromotion } from "./promotion";

export interface Placement {
  fen: string;
  /** Who may move by hand: one side, the side to move (`both`), or no one (null). */
  movable: Color | "both" | null;
  dests: Dests;
  lastMove: [string, string] | null;
  check: boolean;
  /** Moves may be made ahead of the opponent's answer. */
  premove?: boolean;
}

/** The arrow of a move in UCI. */
export function moveArrow(uci: string, brush: Arrow["brush"]): Arrow {
  const [from, to] = squaresOf(uci);
  return { from, to, brush };
}

export interface Arrow {
  from: string;
  to?: string;
  brush: "best" | "other" | "threat" | "hint" | "mark";
}

/** Token of the colour, opacity and width of each kind of arrow. */
const BRUSHES = {
  best: ["--arrow-best", 0.85, 13],
  other: ["--arrow-other", 0.5, 9],
  threat: ["--arrow-threat", 0.75, 10],
  hint: ["--highlight", 0.9, 12],
  mark: ["--highlight", 0.8, 8],
  // chessground's own four, for arrows that people draw.
  green: ["--drawn-green", 1, 10],
  red: ["--drawn-red", 1, 10],
  blue: ["--drawn-blue", 1, 10],
  yellow: ["--drawn-yellow", 1, 10],
} as const;

type BrushName = keyof typeof BRUSHES;

/** chessground takes colours as text, so they are read from the style sheet. */
function readBrushes(): Record<BrushName, DrawBrush> {
  const style = getComputedStyle(document.documentElement);
  const entries = Object.entries(BRUSHES).map(([key, [token, opacity, lineWidth]]) => {
    const color = style.getPropertyValue(token);
    return [key, { key, color, opacity, lineWidth }] as const;
  });
  return Object.fromEntries(entries) as Record<BrushName, DrawBrush>;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  readonly element: HTMLElement;
  orientation: Color = "white";

  #ground: Api;
  #grid: SquareGrid;
  #placement: Placement = {
    fen: EMPTY,
    movable: null,
    dests: {},
    lastMove: null,
    check: false,
  };
  #onMove: (uci: string) => void;
  #forget: () => void;
  #resize: ResizeObserver;

  constructor(onMove: (uci: string) => void, label = "Chess board") {
    this.#onMove = onMove;
    const surface = h("div", { class: "surface" });
    this.#grid = new SquareGrid(label, {
      choose: (square) => this.#choose(square),
      cancel: () => {
        this.#ground.selectSquare(null);
        this.#refreshGrid();
      },
    });
    this.element = h("div", { class: "board" }, surface, this.#grid.element);
    this.#ground = Chessground(surface, {
      fen: this.#placement.fen,
      addDimensionsCssVarsTo: this.element,
      disableContextMenu: true,
      animation: { enabled: !calm.matches, duration: 180 },
      highlight: { lastMove: true, check: true },
      movable: {
        free: false,
        showDests: settings().targets,
        events: { after: (from, to, data) => void this.#moved(from, to, data.premove) },
      },
      premovable: { enabled: false },
      draggable: { showGhost: true },
      drawable: { enabled: true, eraseOnClick: true, brushes: readBrushes() },
      events: { select: () => this.#refreshGrid() },
    });
    this.#forget = onSettings(({ targets }) => this.#ground.set({ movable: { showDests: targets } }));
    let width = -1;
    this.#resize = new ResizeObserver(() => {
      // The first call comes with the size that was drawn already.
      if (width !== surface.clientWidth && width >= 0) this.#ground.redrawAll();
      width = surface.clientWidth;
    });
    this.#resize.observe(surface);
  }

  place(placement: Placement): void {
    this.#placement = placement;
    const turn = turnOf(placement.fen);
    const movable = placement.movable === "both" ? turn : placement.movable;
    this.#ground.set({
      fen: placement.fen,
      turnColor: turn,
      check: placement.check ? turn : false,
      lastMove: (placement.lastMove ?? undefined) as Key[] | undefined,
      movable: {
        color: movable ?? undefined,
        dests: new Map(Object.entries(placement.dests)) as Map<Key, Key[]>,
      },
      premovable: { enabled: placement.premove ?? false },
      draggable: { enabled: movable !== null },
      selectable: { enabled: movable !== null },
    });
    if (movable === null) this.#ground.cancelPremove();
    this.#refreshGrid();
  }

  /** Plays the move that was made ahead, if it is legal now. */
  playPremove(): void {
    this.#ground.playPremove();
  }

  /** Takes back what the person did on the board, after the server refused it. */
  reset(): void {
    this.#ground.cancelMove();
    this.place(this.#placement);
  }

  arrows(arrows: Arrow[]): void {
    this.#ground.setAutoShapes(
      arrows.map(
        ({ from, to, brush }): DrawShape => ({
          orig: from as Key,
          dest: to as Key | undefined,
          brush,
        }),
      ),
    );
  }

  orient(color: Color): void {
    this.orientation = color;
    this.#ground.set({ orientation: color });
    this.#grid.orient(color);
  }

  flip(): void {
    this.orient(this.orientation === "white" ? "black" : "white");
  }

  destroy(): void {
    this.#forget();
    this.#resize.disconnect();
    this.#ground.destroy();
  }

  #refreshGrid(): void {
    const selected = this.#ground?.state.selected ?? null;
    const targets = (selected && this.#placement.dests[selected]) || [];
    this.#grid.update(this.#placement.fen, selected, targets, this.#placement.lastMove ?? []);
  }

  #choose(square: string): void {
    const { movable } = this.#placement;
    if (!movable) {
      announce("It is not your move");
      return;
    }
    const before = this.#ground.state.selected;
    this.#ground.selectSquare(square as Key);
    const after = this.#ground.state.selected;
    const piece = readPieces(this.#placement.fen).get(square);
    if (after && piece) {
      const count = this.#placement.dests[after]?.length ?? 0;
      announce(`${piece.role} on ${square} chosen, ${counted(count, "move")}`);
    } else if (!before) {
      announce(`You have no piece to move on ${square}`);
    }
    this.#refreshGrid();
  }

  async #moved(from: string, to: string, premove = false): Promise<void> {
    if (!isPromotion(this.#placement.fen, from, to)) {
      this.#onMove(from + to);
      return;
    }
    const color = turnOf(this.#placement.fen);
    const letter = premove ? "q" : await askPromotion(this.element, to, color, this.orientation);
    if (letter) this.#onMove(from + to + letter);
    else this.reset();
  }
}
