// What can be done with a game: while it is played, and after it. No button ever takes the place of another, so that none is
// pressed in haste for the one that was there a moment ago.

import type { GameState } from "../../api";
import { button } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { controlButton } from "../../ui/walk";

/** What the buttons do. */
export interface GameCommands {
  takeback(): void;
  hint(): void;
  why(): void;
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
  readonly #playing = h("div", { class: "actions" });
  readonly #after = h("div", { class: "actions" });
  readonly element = h("div", { class: "game-actions" }, this.#after, this.#playing);
  /** For the bar of controls. */
  readonly takeback: HTMLButtonElement;
  readonly hint: HTMLButtonElement;
  readonly #do: GameCommands;
  /** The game was seen in play, so the buttons for it stay in their places after its end. */
  #wasInPlay = false;
  /** The first click on "Resign" asks, the second one resigns. */
  #confirming: ReturnType<typeof setTimeout> | undefined;
  #redraw: () => void = () => undefined;

  constructor(commands: GameCommands) {
    this.#do = commands;
    this.takeback = controlButton("undo", "Take back", () => commands.takeback());
    this.hint = controlButton("hint", "Hint", () => commands.hint());
  }

  draw(game: GameState, isReplaying: boolean): void {
    this.#redraw = () => this.draw(game, isReplaying);
    const focused = (document.activeElement as HTMLElement | null)?.dataset.action;
    const isOver = game.outcome !== null || game.kind === "imported";
    this.#wasInPlay ||= !isOver;
    const isMine = game.you === "both" || game.you === game.position.turn;
    this.takeback.disabled = isOver || !game.canTakeback;
    this.hint.disabled = isOver || !isMine || game.kind === "friend";
    for (const control of [this.takeback, this.hint]) control.hidden = game.you === null || !this.#wasInPlay;
    place(this.#playing, this.#wasInPlay ? this.#playButtons(game, isOver) : {});
    place(this.#after, isOver ? this.#afterButtons(game, isReplaying) : {});
    if (focused) this.element.querySelector<HTMLElement>(`[data-action="${focused}"]`)?.focus();
  }

  dispose(): void {
    clearTimeout(this.#confirming);
  }

  #playButtons(game: GameState, isOver: boolean): Record<string, HTMLElement> {
    const pause: Record<string, HTMLElement> = {};
    if (game.kind === "engines") {
      pause.pause = button(game.paused ? "Resume" : "Pause", () => this.#do.pause(!game.paused), {
        icon: game.paused ? "play" : "pause",
        disabled: isOver,
      });
    }
    if (game.you === null) return pause;
    const isMine = game.you === "both" || game.you === game.position.turn;
    const isAsking = this.#confirming !== undefined && !isOver;
    return {
      why: this.#whyButton(game),
      draw:
        game.position.claimable && isMine && !isOver
          ? button("Claim draw", () => this.#do.claimDraw(), { icon: "draw" })
          : button("Draw", () => this.#do.offerDraw(), {
              icon: "draw",
              disabled: isOver || game.moves.length < 2,
            }),
      resign: button(isAsking ? "Really resign?" : "Resign", () => this.#resign(), {
        icon: "flag",
        kind: isAsking ? "danger" : undefined,
        disabled: isOver,
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
      ...(this.#wasInPlay && game.you !== null ? {} : { why: this.#whyButton(game) }),
      analyse: button("Analyse", () => this.#do.analyse(), { icon: "analyse" }),
      replay: button(isReplaying ? "Pause" : "Replay", () => this.#do.toggleReplay(), {
        icon: isReplaying ? "pause" : "play",
      }),
      pgn: button("PGN", () => this.#do.savePgn()),
      newGame: button("New game", () => this.#do.newGame(), { icon: "plus" }),
    };
  }

  #whyButton(game: GameState): HTMLElement {
    const title = "Why was the last move good or bad?";
    return button("Why?", () => this.#do.why(), { icon: "learn", title, disabled: game.moves.length === 0 });
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

function place(box: HTMLElement, buttons: Record<string, HTMLElement>): void {
  for (const [name, made] of Object.entries(buttons)) made.dataset.action = name;
  fill(box, ...Object.values(buttons));
}
