// The two players of a game: names, material, and clocks that run between two states.

import type { Color, GameState, Player } from "../../api";
import { opposite } from "../../core/fen";
import { announce } from "../../ui/notice";
import { PlayerStrip } from "../../ui/player";
import { play } from "../../ui/sound";
import { keepAwake } from "../../ui/wakelock";

const LOW_TIME = 15_000;
const TICK = 100;

export class Players {
  readonly top = new PlayerStrip();
  readonly bottom = new PlayerStrip();
  readonly #ticker = setInterval(() => this.#tick(), TICK);
  #game: GameState | null = null;
  #below: Color = "white";
  /** When the state arrived, on the page's own clock. */
  #received = 0;
  #warned = false;

  /** Takes a new state. */
  receive(game: GameState): void {
    this.#game = game;
    this.#received = performance.now();
    keepAwake(game.outcome === null && game.you !== null && Boolean(game.clock?.running));
  }

  /** Shows the players around a board with `below` at the bottom, and the material of `fen`. */
  show(game: GameState, below: Color, fen: string): void {
    this.#below = below;
    const turn = game.outcome ? null : game.position.turn;
    for (const [strip, color] of this.#strips())
      strip.show(seatOf(game, color), nameOf(game, color), color, fen, turn === color);
    this.#tick();
  }

  dispose(): void {
    clearInterval(this.#ticker);
    keepAwake(false);
  }

  #strips(): [PlayerStrip, Color][] {
    return [
      [this.bottom, this.#below],
      [this.top, opposite(this.#below)],
    ];
  }

  #tick(): void {
    const game = this.#game;
    if (!game) return;
    const elapsed = performance.now() - this.#received;
    for (const [strip, color] of this.#strips()) {
      const left = strip.tick(game, color, elapsed);
      if (color === game.you && color === game.clock?.running) this.#warn(left);
    }
  }

  /** Warns once, when the person's own time is low. */
  #warn(left: number | null): void {
    if (this.#warned || left === null || left <= 0 || left >= LOW_TIME) return;
    this.#warned = true;
    play("low");
    announce("Fifteen seconds left");
  }
}

/** Presence matters only while a game is being played. */
function seatOf(game: GameState, color: Color): Player {
  const playing = !game.outcome && game.kind !== "imported";
  return playing ? game[color] : { ...game[color], present: true };
}

/** A player without a name is called by their colour; to themselves they are "You". */
function nameOf(game: GameState, color: Color): string {
  const { name } = game[color];
  return game.you === color && name.toLowerCase() === color ? "You" : name;
}
