import type { Color, GameState, Player } from "../api";
import { formatClock, remaining, speakClock, URGENT } from "../core/clock";
import { materialLead } from "../core/material";
import { fill, h, setText } from "./dom";

/** The line above or below the board: who plays, what they are ahead in, and their clock. */
export class PlayerStrip {
  readonly element: HTMLElement;
  #dot = h("span", { class: "presence", "aria-hidden": "true" });
  #name = h("span", { class: "player-name" });
  #elo = h("span", { class: "player-elo" });
  #away = h("span", { class: "player-away" }, "has left");
  #material = h("span", { class: "material cg-wrap" });
  #clock = h("span", { class: "clock", role: "timer" });

  constructor() {
    this.element = h(
      "div",
      { class: "player" },
      this.#dot,
      this.#name,
      this.#elo,
      this.#away,
      this.#material,
      this.#clock,
    );
  }

  show(player: Player | null, name: string, color: Color, fen: string, active: boolean): void {
    this.element.dataset.color = color;
    this.element.classList.toggle("active", active);
    const isAway = player !== null && !player.present;
    this.#dot.classList.toggle("away", isAway);
    this.#away.hidden = !isAway || !player.seated;
    setText(this.#name, player && !player.seated ? "Waiting for your friend…" : name);
    // The names of levels contain their rating.
    setText(this.#elo, player?.elo && !name.includes(String(player.elo)) ? String(player.elo) : "");
    const lead = materialLead(fen)[color];
    const other: Color = color === "white" ? "black" : "white";
    fill(
      this.#material,
      ...lead.pieces.map((role) => h("piece" as "i", { class: `${role} ${other}` })),
      lead.points > 0 && h("span", {}, `+${lead.points}`),
    );
    this.#material.setAttribute("role", lead.pieces.length > 0 ? "img" : "presentation");
    this.#material.setAttribute(
      "aria-label",
      lead.points > 0 ? `ahead by ${lead.points}` : "material in balance",
    );
    this.#material.hidden = lead.pieces.length === 0;
  }

  tick(game: GameState, color: Color, elapsed: number): number | null {
    const clock = game.clock;
    this.#clock.hidden = !clock;
    if (!clock) return null;
    const left = remaining(clock, color, elapsed);
    setText(this.#clock, formatClock(left));
    this.#clock.classList.toggle("running", clock.running === color);
    this.#clock.classList.toggle("urgent", left < URGENT);
    const label = `${color === "white" ? "White" : "Black"}: ${speakClock(Math.floor(left / 10_000) * 10_000)}`;
    if (this.#clock.getAttribute("aria-label") !== label) this.#clock.setAttribute("aria-label", label);
    return left;
  }
}
