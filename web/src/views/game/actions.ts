// The buttons under a game: while it is played, and after it.

import type { GameState } from "../../api";
import { button } from "../../ui/controls";
import { fill, h } from "../../ui/dom";

/** What the buttons do. */
export interface GameCommands {
  takeback(): void;
  hint(): void;
  offerDraw(): void;
  claimDraw(): void;
  resign(): void;
  pause(paused: boolean): void;
  rematch(): void;
  review(): void;
  analyse(): void;
  toggleReplay(): void;
  savePgn(): void;
  newGame(): void;
}

const CONFIRM_WITHIN = 4000;

export class Actions {
  readonly element = h("div", { class: "actions" });
  readonly #do: GameCommands;
  /** The first click on "Resign" asks, the second one resigns. */
  #confirming: ReturnType<typeof setTimeout> | undefined;
  #redraw: () => void = () => undefined;

  constructor(commands: GameCommands) {
    this.#do = commands;
  }

  draw(game: GameState, isReplaying: boolean): void {
    this.#redraw = () => this.draw(game, isReplaying);
    const focused = (document.activeElement as HTMLElement | null)?.dataset.action;
    const isOver = game.outcome !== null || game.kind === "imported";
    const buttons = isOver ? this.#afterButtons(game, isReplaying) : this.#playButtons(game);
    for (const [name, made] of Object.entries(buttons)) made.dataset.action = name;
    fill(this.element, ...Object.values(buttons));
    if (focused) this.element.querySelector<HTMLElement>(`[data-action="${focused}"]`)?.focus();
  }

  dispose(): void {
    clearTimeout(this.#confirming);
  }

  #playButtons(game: GameState): Record<string, HTMLElement> {
    const pause: Record<string, HTMLElement> = {};
    if (game.kind === "engines") {
      pause.pause = button(game.paused ? "Resume" : "Pause", () => this.#do.pause(!game.paused), {
        icon: game.paused ? "play" : "pause",
      });
    }
    if (game.you === null) return pause;
    const isMine = game.you === "both" || game.you === game.position.turn;
    return {
      takeback: button("Take back", () => this.#do.takeback(), { icon: "undo", disabled: !game.canTakeback }),
      hint: button("Hint", () => this.#do.hint(), { icon: "hint", disabled: !isMine }),
      draw:
        game.position.claimable && isMine
          ? button("Claim draw", () => this.#do.claimDraw(), { icon: "draw" })
          : button("Draw", () => this.#do.offerDraw(), { icon: "draw", disabled: game.moves.length < 2 }),
      resign: button(this.#confirming ? "Really resign?" : "Resign", () => this.#resign(), {
        icon: "flag",
        kind: this.#confirming ? "danger" : undefined,
      }),
      ...pause,
    };
  }

  #afterButtons(game: GameState, isReplaying: boolean): Record<string, HTMLElement> {
    const isImported = game.kind === "imported";
    const rematch: Record<string, HTMLElement> = {};
    if (!isImported && (game.you !== null || game.kind === "engines"))
      rematch.rematch = button("Rematch", () => this.#do.rematch(), { icon: "undo", kind: "primary" });
    return {
      ...rematch,
      review: button("Review", () => this.#do.review(), {
        icon: "learn",
        kind: isImported ? "primary" : undefined,
      }),
      analyse: button("Analyse", () => this.#do.analyse(), { icon: "analyse" }),
      replay: button(isReplaying ? "Pause" : "Replay", () => this.#do.toggleReplay(), {
        icon: isReplaying ? "pause" : "play",
      }),
      pgn: button("PGN", () => this.#do.savePgn()),
      newGame: button("New game", () => this.#do.newGame(), { icon: "plus" }),
    };
  }

  #resign(): void {
    const isConfirmed = this.#confirming !== undefined;
    clearTimeout(this.#confirming);
    this.#confirming = undefined;
    if (isConfirmed) this.#do.resign();
    else {
      this.#confirming = setTimeout(() => {
        this.#confirming = undefined;
        this.#redraw();
      }, CONFIRM_WITHIN);
    }
    this.#redraw();
  }
}
