// Learning from mistakes: each error of a reviewed game is an exercise. A wrong try is refuted on the board, the solution can be
// played through, and the end sums up.

import type { Exercise, ExerciseVerdict, Remark } from "../../api";
import type { App, View } from "../../app";
import { type Arrow, Board, moveArrow } from "../../board/board";
import { EMPTY, squaresOf } from "../../core/fen";
import { button } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { MoveForm } from "../../ui/moveform";
import { announce, complain } from "../../ui/notice";
import { play, soundOf } from "../../ui/sound";
import { stage } from "../../ui/stage";
import { controlButton, renameControl } from "../../ui/walk";
import { answerLine, type Judged, judged, lineMoves, type Phase, type ShownLine } from "./line";
import { question } from "./question";
import { Results, summary } from "./results";

/** How long a wrong try stands before it is answered, in milliseconds. */
const ANSWER_AFTER = 700;

export class LearnView implements View {
  readonly section = "learn";
  readonly title = "Learn from your mistakes";
  readonly element: HTMLElement;

  readonly #app: App;
  readonly #game: string | null;
  readonly #results = new Results();
  #all: Exercise[] = [];
  #index = 0;
  #judged: Judged | null = null;
  #line: ShownLine | null = null;
  #answer: ReturnType<typeof setTimeout> | undefined;

  readonly #board = new Board((uci) => void this.#try(uci), "Exercise");
  readonly #head = h("p", { class: "opening" });
  readonly #panel = h("div", { class: "exercise" });
  readonly #controls = {
    again: controlButton("undo", "Try again", () => this.#askAgain()),
    solution: controlButton("hint", "Solution", () => void this.#try(""), "Show the solution"),
    flip: controlButton("flip", "Flip", () => this.#board.flip(), "Flip the board"),
    back: controlButton("back", "Back", () => this.#step(-1)),
    forward: controlButton("forward", "Forward", () => this.#step(1)),
    next: controlButton("last", "Next", () => this.#go(this.#index + 1)),
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
    this.#enableControls(false);
    void this.#load();
  }

  key(event: KeyboardEvent): boolean {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && this.#line) this.#step(step);
    else if (step) this.#go(this.#index + step);
    else if (event.key === "f") this.#board.flip();
    else if (event.key === "/") this.#typed.focus();
    else return false;
    return true;
  }

  dispose(): void {
    clearTimeout(this.#answer);
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

  /** Asks an exercise; after the last one comes the summary. */
  #go(index: number): void {
    if (index === this.#all.length) void this.#finish().catch(complain);
    const exercise = this.#all[index];
    if (!exercise) return;
    this.#index = index;
    this.#ask(exercise);
    this.#board.orient(exercise.position.turn);
  }

  get #phase(): Phase {
    return this.#judged?.phase ?? "asked";
  }

  #askAgain(): void {
    const exercise = this.#all[this.#index];
    if (exercise) this.#ask(exercise);
  }

  #ask(exercise: Exercise): void {
    clearTimeout(this.#answer);
    this.#judged = null;
    this.#line = null;
    this.#draw(exercise);
  }

  #draw(exercise: Exercise): void {
    const open = this.#phase === "asked" || this.#phase === "wrong";
    this.#drawBoard(exercise);
    this.#enableControls(true);
    this.#typed.element.hidden = !open;
    this.#head.textContent = `${exercise.white} – ${exercise.black}`;
    fill(
      this.#panel,
      ...question(exercise, `${this.#index + 1} of ${this.#all.length}`),
      h(
        "p",
        { class: `verdict ${this.#phase}`, role: "status" },
        h("strong", {}, this.#judged?.text ?? ""),
        this.#judged && ` ${this.#judged.reasons}`,
      ),
      this.#line && lineMoves(this.#line, exercise.position.fen, (at) => this.#show(at)),
      h(
        "div",
        { class: "actions small" },
        button("See the game", () => this.#app.go(`/review/${exercise.game}?ply=${exercise.ply}`), {
          icon: "games",
        }),
      ),
    );
  }

  /** Whether there is an exercise, or none to be asked. */
  #enableControls(isAsking: boolean): void {
    const { again, solution, back, forward, next } = this.#controls;
    const phase = this.#phase;
    const isOpen = phase === "asked" || phase === "wrong";
    const line = this.#line;
    again.disabled = !isAsking || phase === "asked";
    solution.disabled = !isAsking || !isOpen;
    back.disabled = !line || line.at === 0;
    forward.disabled = !line || line.at === line.moves.length;
    next.disabled = !isAsking;
    renameControl(next, this.#index + 1 === this.#all.length ? "Finish" : "Next");
    next.classList.toggle("primary", isAsking && !isOpen);
    again.classList.toggle("primary", isAsking && phase === "wrong");
  }

  #drawBoard(exercise: Exercise): void {
    const { position } = exercise;
    const line = this.#line;
    const move = line?.moves[line.at - 1];
    const isOpen = !line && (this.#phase === "asked" || this.#phase === "wrong");
    this.#board.place({
      fen: move?.fen ?? position.fen,
      movable: isOpen ? position.turn : null,
      dests: isOpen ? position.dests : {},
      lastMove: move ? squaresOf(move.uci) : position.lastMove,
      check: move ? move.check : position.check !== null,
    });
    this.#board.arrows(this.#arrows(exercise));
  }

  /** Before a try what was played, and in the solution what comes next. */
  #arrows({ played }: Exercise): Arrow[] {
    const line = this.#line;
    if (!line) return this.#phase === "asked" ? [moveArrow(played.uci, "threat")] : [];
    const next = line.moves[line.at];
    return next && this.#phase !== "wrong" ? [moveArrow(next.uci, "best")] : [];
  }

  #step(by: number): void {
    if (this.#line) this.#show(this.#line.at + by);
  }

  /** Shows the line after a number of its moves. */
  #show(at: number): void {
    const exercise = this.#all[this.#index];
    const line = this.#line;
    if (!exercise || !line || at < 0 || at > line.moves.length) return;
    clearTimeout(this.#answer);
    if (at > line.at) play(soundOf(line.moves[at - 1]?.san ?? ""));
    this.#line = { ...line, at };
    this.#draw(exercise);
  }

  async #try(move: string): Promise<boolean> {
    const exercise = this.#all[this.#index];
    if (!exercise) return false;
    const { game, ply } = exercise;
    try {
      const verdict = await this.#app.backend.exercises.attempt({ game, ply, move });
      if (exercise !== this.#all[this.#index]) return true;
      await this.#judge(exercise, move, verdict);
      return true;
    } catch (error) {
      complain(error);
      this.#board.reset();
      return false;
    }
  }

  async #judge(exercise: Exercise, move: string, verdict: ExerciseVerdict): Promise<void> {
    const { position, variant } = exercise;
    const request = { fen: position.fen, variant, moves: answerLine(move, verdict) };
    const { moves } = await this.#app.backend.positions.play(request);
    this.#judged = judged(move, verdict, moves[0]?.san ?? "");
    const { phase, text, reasons } = this.#judged;
    if (phase === "wrong") this.#results.wrong(exercise);
    else this.#results.end(exercise, phase === "right" ? "solved" : "shown");
    exercise.solved ||= phase === "right";
    if (phase !== "shown") play(phase === "wrong" ? "wrong" : "right");
    announce(`${text} ${reasons}`);
    this.#line = { moves, at: phase === "wrong" || verdict.verdict === "best" ? 1 : 0 };
    this.#draw(exercise);
    clearTimeout(this.#answer);
    if (phase === "wrong") this.#answer = setTimeout(() => this.#step(1), ANSWER_AFTER);
  }

  async #finish(): Promise<void> {
    clearTimeout(this.#answer);
    const lesson = await this.#lesson();
    this.#line = null;
    this.#board.arrows([]);
    this.#judged = null;
    this.#enableControls(false);
    this.#typed.element.hidden = true;
    fill(
      this.#panel,
      summary(this.#all, this.#results, lesson, (index) => this.#go(index)),
      h(
        "div",
        { class: "actions small" },
        button("Start again", () => this.#go(0), { icon: "undo", kind: "primary" }),
        button("My games", () => this.#app.go("/games"), { icon: "games" }),
      ),
    );
  }

  /** What to train, after the exercises of one game. */
  async #lesson(): Promise<Remark[]> {
    const [first] = this.#all;
    if (!this.#game || !first) return [];
    const review = await this.#app.backend.reviews.get(this.#game);
    const sides = new Set(this.#all.map(({ position }) => position.turn));
    return [...sides].flatMap((side) => review[side].lesson.filter(({ claim }) => claim.kind === "train"));
  }
}
