// Learning from mistakes: each error of a reviewed game is an exercise.

import type { Exercise } from "../api";
import type { App, View } from "../app";
import { Board, moveArrow } from "../board/board";
import { EMPTY, turnOf } from "../core/fen";
import { JUDGEMENT_GLYPH, lineText, numberBefore } from "../core/notation";
import { button } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { MoveForm } from "../ui/moveform";
import { announce, complain } from "../ui/notice";
import { play } from "../ui/sound";
import { stage } from "../ui/stage";
import { controlButton } from "../ui/walk";

type Phase = "asked" | "wrong" | "right" | "shown";

export class LearnView implements View {
  readonly section = "learn";
  readonly title = "Learn from your mistakes";
  readonly element: HTMLElement;

  #app: App;
  #game: string | null;
  #all: Exercise[] = [];
  #index = 0;
  #phase: Phase = "asked";
  #text = "";

  #board = new Board((uci) => void this.#try(uci), "Exercise");
  #head = h("p", { class: "opening" });
  #panel = h("div", { class: "exercise" });
  readonly #controls = {
    again: controlButton("undo", "Try again", () => this.#go(this.#index)),
    solution: controlButton("hint", "Solution", () => void this.#try(""), "Show the solution"),
    flip: controlButton("flip", "Flip", () => this.#board.flip(), "Flip the board"),
    previous: controlButton("back", "Previous", () => this.#go(this.#index - 1)),
    next: controlButton("forward", "Next", () => this.#go(this.#index + 1)),
  };
  readonly #typed = new MoveForm((move) => this.#try(move));

  constructor(app: App, game: string | null) {
    this.#app = app;
    this.#game = game;
    this.element = stage(
      "Learn from your mistakes",
      {
        board: this.#board.element,
        above: this.#head,
        controls: h(
          "div",
          { class: "walk", role: "group", "aria-label": "Walk through the exercises" },
          ...Object.values(this.#controls),
        ),
      },
      this.#panel,
      this.#typed.element,
    );
    this.#enableControls(null);
    void this.#load();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === "ArrowRight") this.#go(this.#index + 1);
    else if (event.key === "ArrowLeft") this.#go(this.#index - 1);
    else if (event.key === "f") this.#board.flip();
    else if (event.key === "/") this.#typed.focus();
    else return false;
    return true;
  }

  dispose(): void {
    this.#board.destroy();
  }

  async #load(): Promise<void> {
    try {
      const { exercises } = await this.#app.backend.exercises.list(this.#game ?? undefined);
      // Solved ones come last.
      this.#all = [...exercises].sort((a, b) => Number(a.solved) - Number(b.solved));
    } catch (error) {
      complain(error);
    }
    if (this.#all.length === 0) this.#drawNothing();
    else this.#go(0);
  }

  #drawNothing(): void {
    this.#board.place({
      fen: EMPTY,
      movable: null,
      dests: {},
      lastMove: null,
      check: false,
    });
    fill(
      this.#panel,
      h("h2", {}, "No exercises"),
      h(
        "p",
        { class: "hint" },
        this.#game
          ? "This game has no mistakes to solve again."
          : "Review one of your games: each mistake in it becomes an exercise here.",
      ),
      button("My games", () => this.#app.go("/games"), { icon: "games", kind: "primary" }),
    );
  }

  #go(index: number): void {
    const exercise = this.#all[index];
    if (!exercise) return;
    this.#index = index;
    this.#phase = "asked";
    this.#text = "";
    this.#board.orient(exercise.position.turn);
    this.#draw(exercise);
  }

  #draw(exercise: Exercise): void {
    const { position, played, judgement } = exercise;
    const open = this.#phase === "asked" || this.#phase === "wrong";
    this.#enableControls(this.#phase);
    this.#board.place({
      fen: position.fen,
      movable: open ? position.turn : null,
      dests: open ? position.dests : {},
      lastMove: position.lastMove,
      check: position.check !== null,
    });
    this.#board.arrows(this.#phase === "asked" ? [moveArrow(played.uci, "threat")] : []);
    this.#head.textContent = `${exercise.white} – ${exercise.black}`;
    const side = turnOf(position.fen) === "white" ? "White" : "Black";
    fill(
      this.#panel,
      h(
        "p",
        { class: "hint" },
        `Exercise ${this.#index + 1} of ${this.#all.length}${exercise.solved ? " · solved" : ""}`,
      ),
      h("h2", {}, `Find a better move for ${side}`),
      h(
        "p",
        {},
        "The move played was ",
        h(
          "strong",
          { class: judgement },
          `${numberBefore(position.fen)} ${played.san}${JUDGEMENT_GLYPH[judgement]}`,
        ),
        `, ${judgement === "inaccuracy" ? "an" : "a"} ${judgement}.`,
      ),
      h("p", { class: `verdict ${this.#phase}`, role: "status" }, this.#text),
      h(
        "div",
        { class: "actions small" },
        button("See the game", () => this.#app.go(`/review/${exercise.game}?ply=${exercise.ply}`), {
          icon: "games",
        }),
      ),
    );
  }

  /** `phase`: null without an exercise. */
  #enableControls(phase: Phase | null): void {
    const { again, solution, previous, next } = this.#controls;
    again.disabled = phase === null || phase === "asked";
    solution.disabled = phase === null || phase === "shown" || phase === "right";
    previous.disabled = this.#index === 0;
    next.disabled = this.#index + 1 >= this.#all.length;
    next.classList.toggle("primary", phase === "right" || phase === "shown");
  }

  async #try(move: string): Promise<boolean> {
    const exercise = this.#all[this.#index];
    if (!exercise) return false;
    try {
      const { verdict, solution } = await this.#app.backend.exercises.attempt({
        game: exercise.game,
        ply: exercise.ply,
        move,
      });
      const moves = solution ? lineText(solution, exercise.position.fen) : "";
      if (move === "") {
        this.#phase = "shown";
        this.#text = `The solution: ${moves}`;
      } else if (verdict === "wrong") {
        this.#phase = "wrong";
        this.#text = "Not this one. Try again.";
        play("wrong");
      } else {
        this.#phase = "right";
        exercise.solved = true;
        this.#text = verdict === "best" ? `Correct: ${moves}` : `Good. Best: ${moves}`;
        play("right");
      }
      announce(this.#text);
      this.#draw(exercise);
      const best = solution?.[0];
      if (best && this.#phase !== "wrong") this.#board.arrows([moveArrow(best.uci, "best")]);
      return true;
    } catch (error) {
      complain(error);
      this.#board.reset();
      return false;
    }
  }
}
