// The review of a game: graph, judgements, accuracy, and what would have been better.

import type { Color, Effort, GameState, Review, ReviewMove } from "../../api";
import type { App, View } from "../../app";
import { type Arrow, Board, moveArrow } from "../../board/board";
import { EvalBar } from "../../board/evalbar";
import { type Ending, endingOf } from "../../core/ending";
import { opposite, squaresOf } from "../../core/fen";
import { numberBefore } from "../../core/notation";
import { speakScore } from "../../core/score";
import { button } from "../../ui/controls";
import { fill, h, saveFile } from "../../ui/dom";
import { Graph } from "../../ui/graph";
import { MoveList } from "../../ui/movelist";
import { announce, complain, messageOf } from "../../ui/notice";
import { PlayerStrip } from "../../ui/player";
import { stage } from "../../ui/stage";
import { controlButton } from "../../ui/walk";
import { onWheel } from "../../ui/wheel";
import { remarkOn } from "./remark";
import { deeperThan, ReviewStart } from "./start";
import { lessons, summaryTable } from "./summary";

export class ReviewView implements View {
  readonly section = "games";
  readonly title = "Review";
  readonly element: HTMLElement;

  readonly #app: App;
  readonly #id: string;
  #game: GameState | null = null;
  #review: Review | null = null;
  /** The number of moves before the position shown; none chosen yet. */
  #cursor: number | null;
  #graph: Graph | null = null;
  #start: ReviewStart | null = null;

  readonly #board = new Board(() => undefined, "Board of the review");
  readonly #bar = new EvalBar();
  readonly #top = new PlayerStrip();
  readonly #bottom = new PlayerStrip();
  readonly #nextError = controlButton("threat", "Next error", () => this.#nextMistake());
  readonly #moves = new MoveList(
    (ply) => this.#goTo(ply),
    () => this.#flip(),
    this.#nextError,
  );
  readonly #summary = h("div", { class: "summary" });
  readonly #graphBox = h("div", { class: "graph-box" });
  readonly #remark = h("div", { class: "remark" });
  readonly #actions = h("div", { class: "actions" });
  readonly #more = h("div", { class: "review-more" });

  constructor(app: App, id: string, ply: number | null) {
    this.#app = app;
    this.#id = id;
    this.#cursor = ply;
    this.element = stage(
      "Review",
      {
        board: this.#board.element,
        above: this.#top.element,
        below: this.#bottom.element,
        bar: this.#bar.element,
        controls: this.#moves.controls,
        pinned: [this.#graphBox, this.#remark],
      },
      this.#summary,
      this.#moves.element,
      this.#actions,
      this.#more,
    );
    onWheel(this.#board.element, (direction) => this.#moves.walk(direction));
    this.#nextError.disabled = true;
    void this.#load();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== "f") return this.#moves.key(event);
    this.#flip();
    return true;
  }

  dispose(): void {
    this.#start?.dispose();
    this.#board.destroy();
  }

  async #load(): Promise<void> {
    const { games, reviews } = this.#app.backend;
    try {
      const game = await games.get(this.#id);
      this.#game = game;
      if (game.you === "black") this.#board.orient("black");
      this.#draw();
      if (game.reviewed) {
        this.#use(game, await reviews.get(this.#id));
        return;
      }
      this.#start = new ReviewStart(this.#summary, reviews, this.#id, (review) => {
        this.#use(game, review);
        announce("The review is ready");
      });
      this.#start.ask();
    } catch (error) {
      fill(this.#summary, h("p", { class: "form-error" }, messageOf(error)));
    }
  }

  #use(game: GameState, review: Review): void {
    this.#review = review;
    this.#graph = new Graph(review, (ply) => this.#goTo(ply));
    fill(this.#graphBox, this.#graph.element);
    if (this.#cursor === null) this.#goTo(review.turningPoint ?? 0);
    this.#summarise(game, review);
    fill(this.#actions, ...this.#buttons(review));
    this.#nextError.disabled = !review.moves.some(({ judgement }) => judgement !== null);
    this.#draw();
  }

  #summarise(game: GameState, review: Review): void {
    const deeper = deeperThan(review.effort);
    const again =
      deeper && button("Review deeper", () => this.#reviewAgain(game, review, deeper), { icon: "analyse" });
    fill(this.#summary, summaryTable(game, review));
    fill(this.#more, lessons(game, review), h("p", { class: "hint" }, review.by), again);
  }

  /** Looks deeper; the review that is there stays until the other is done. */
  #reviewAgain(game: GameState, review: Review, effort: Effort): void {
    this.#start?.dispose();
    fill(this.#more);
    this.#start = new ReviewStart(
      this.#summary,
      this.#app.backend.reviews,
      this.#id,
      (deeper) => {
        this.#use(game, deeper);
        announce("The review is ready");
      },
      () => this.#summarise(game, review),
    );
    this.#start.run(effort);
  }

  #buttons(review: Review): HTMLElement[] {
    const { backend, go } = this.#app;
    const id = this.#id;
    const disabled = !review.moves.some(
      ({ judgement }) => judgement === "mistake" || judgement === "blunder",
    );
    const savePgn = async () => saveFile("review.pgn", await backend.games.pgn(id, { annotated: true }));
    return [
      button("Learn from mistakes", () => go(`/learn/${id}`), { icon: "learn", kind: "primary", disabled }),
      button("Analyse", () => go(`/analyse?game=${id}&ply=${this.#ply}`), { icon: "analyse" }),
      button("Annotated PGN", () => void savePgn().catch(complain)),
    ];
  }

  #nextMistake(): void {
    const wrong = this.#review?.moves.filter(({ judgement }) => judgement !== null) ?? [];
    const next = wrong.find(({ ply }) => ply > this.#ply) ?? wrong[0];
    if (next) this.#goTo(next.ply);
  }

  get #ply(): number {
    return Math.min(this.#cursor ?? 0, this.#game?.moves.length ?? 0);
  }

  #goTo(ply: number): void {
    this.#cursor = ply;
    this.#app.keepAddress(`/review/${this.#id}?ply=${ply}`);
    this.#draw();
    const move = this.#review?.moves[ply - 1];
    if (!move) return;
    const value = this.#endingAt(ply)?.text ?? speakScore(move.score);
    announce(`${move.san}${move.judgement ? `, ${move.judgement}` : ""}, ${value}`);
  }

  /** The end that the last move brings. */
  #endingAt(ply: number): Ending | null {
    const game = this.#game;
    return game && ply === game.moves.length ? endingOf(game.position.outcome) : null;
  }

  #fenAt(game: GameState, ply: number): string {
    return game.moves[ply - 1]?.fen ?? game.start;
  }

  #flip(): void {
    this.#board.flip();
    this.#draw();
  }

  #draw(): void {
    const game = this.#game;
    if (!game) return;
    const ply = this.#ply;
    const reviewed = this.#review?.moves[ply - 1];
    const ending = this.#endingAt(ply);
    this.#drawBoard(game, ply);
    const win = reviewed?.win ?? this.#review?.startWin ?? 50;
    if (ending) this.#bar.end(ending);
    else this.#bar.show(reviewed?.score ?? this.#review?.startScore ?? null, [win * 10, 0, (100 - win) * 10]);
    const judged = game.moves.map(({ san }, index) => ({
      san,
      judgement: this.#review?.moves[index]?.judgement ?? null,
    }));
    this.#moves.show(game.start, judged, ply);
    const before = this.#fenAt(game, ply - 1);
    const value = reviewed && (ending?.text ?? speakScore(reviewed.score));
    this.#graph?.show(ply, reviewed ? `${numberBefore(before)} ${reviewed.san}, ${value}` : "Start");
    if (reviewed) fill(this.#remark, ...this.#remarkOn(game, reviewed));
    else if (this.#review)
      fill(this.#remark, h("p", { class: "hint" }, "Click on the graph, or walk through the moves."));
  }

  #remarkOn(game: GameState, move: ReviewMove): HTMLElement[] {
    const { ply } = move;
    const place = {
      game: this.#id,
      move,
      before: this.#fenAt(game, ply - 1),
      after: this.#fenAt(game, ply),
      ending: this.#endingAt(ply),
      isTurningPoint: this.#review?.turningPoint === ply,
    };
    return remarkOn(place, (arrows) =>
      this.#board.arrows(arrows.length > 0 ? arrows : this.#arrows(game, ply)),
    );
  }

  #drawBoard(game: GameState, ply: number): void {
    const played = game.moves[ply - 1];
    const fen = this.#fenAt(game, ply);
    this.#board.place({
      fen,
      movable: null,
      dests: {},
      lastMove: played ? squaresOf(played.uci) : null,
      check: played?.check ?? false,
    });
    this.#board.arrows(this.#arrows(game, ply));
    const below = this.#board.orientation;
    this.#bar.flip(below === "black");
    drawStrip(this.#bottom, game, below, fen);
    drawStrip(this.#top, game, opposite(below), fen);
  }

  /** Before a mistake what would have been better, next to what was played; after it what refutes it. */
  #arrows(game: GameState, ply: number): Arrow[] {
    const next = this.#review?.moves[ply];
    const better = next?.judgement && next.better?.moves[0];
    if (next && better) return [moveArrow(next.uci, "threat"), moveArrow(better.uci, "best")];
    const refutation = this.#review?.moves[ply - 1]?.remarks.find(
      ({ claim, line }) => claim.occasion === "allowed" && line?.fen === this.#fenAt(game, ply),
    );
    const answer = refutation?.line?.moves[0];
    return answer ? [moveArrow(answer.uci, "threat")] : [];
  }
}

/** A player of a game that is over: always present, without a clock. */
function drawStrip(strip: PlayerStrip, game: GameState, color: Color, fen: string): void {
  strip.show({ ...game[color], present: true }, game[color].name, color, fen, false);
  strip.tick({ ...game, clock: null }, color, 0);
}
