// The review of a game: graph, judgements, accuracy, and what would have been better.

import type { Color, GameState, Review, ReviewMove } from "../../api";
import type { App, View } from "../../app";
import { Board, moveArrow } from "../../board/board";
import { EvalBar } from "../../board/evalbar";
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
import { remarkOn } from "./remark";
import { ReviewStart } from "./start";
import { summaryTable } from "./summary";

export class ReviewView implements View {
  readonly section = "games";
  readonly title = "Review";
  readonly element: HTMLElement;

  readonly #app: App;
  readonly #id: string;
  #game: GameState | null = null;
  #review: Review | null = null;
  #cursor: number;
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

  constructor(app: App, id: string, ply: number | null) {
    this.#app = app;
    this.#id = id;
    this.#cursor = ply ?? 0;
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
    );
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
    if (this.#cursor === 0 && review.turningPoint) this.#cursor = review.turningPoint;
    fill(this.#summary, summaryTable(game, review), h("p", { class: "hint" }, review.by));
    fill(this.#actions, ...this.#buttons(review));
    this.#nextError.disabled = !review.moves.some(({ judgement }) => judgement !== null);
    this.#draw();
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
      button("Analyse", () => go(`/analyse?game=${id}&ply=${this.#cursor}`), { icon: "analyse" }),
      button("Annotated PGN", () => void savePgn().catch(complain)),
    ];
  }

  #nextMistake(): void {
    const wrong = this.#review?.moves.filter(({ judgement }) => judgement !== null) ?? [];
    const next = wrong.find(({ ply }) => ply > this.#cursor) ?? wrong[0];
    if (next) this.#goTo(next.ply);
  }

  #goTo(ply: number): void {
    this.#cursor = ply;
    this.#draw();
    const move = this.#review?.moves[ply - 1];
    if (move)
      announce(`${move.san}${move.judgement ? `, ${move.judgement}` : ""}, ${speakScore(move.score)}`);
  }

  #flip(): void {
    this.#board.flip();
    this.#draw();
  }

  #draw(): void {
    const game = this.#game;
    if (!game) return;
    this.#cursor = Math.min(this.#cursor, game.moves.length);
    const reviewed = this.#review?.moves[this.#cursor - 1];
    this.#drawBoard(game, reviewed);
    const win = reviewed?.win ?? this.#review?.startWin ?? 50;
    this.#bar.show(reviewed?.score ?? this.#review?.startScore ?? null, [win * 10, 0, (100 - win) * 10]);
    const judged = game.moves.map(({ san }, index) => ({
      san,
      judgement: this.#review?.moves[index]?.judgement ?? null,
    }));
    this.#moves.show(game.start, judged, this.#cursor);
    const before = game.moves[this.#cursor - 2]?.fen ?? game.start;
    const place = reviewed && `${numberBefore(before)} ${reviewed.san}, ${speakScore(reviewed.score)}`;
    this.#graph?.show(this.#cursor, place ?? "Start");
    if (reviewed) fill(this.#remark, ...remarkOn(reviewed, before, this.#id));
    else if (this.#review)
      fill(this.#remark, h("p", { class: "hint" }, "Click on the graph, or walk through the moves."));
  }

  #drawBoard(game: GameState, reviewed: ReviewMove | undefined): void {
    const played = game.moves[this.#cursor - 1];
    const fen = played?.fen ?? game.start;
    this.#board.place({
      fen,
      movable: null,
      dests: {},
      lastMove: played ? squaresOf(played.uci) : null,
      check: played?.check ?? false,
    });
    const better = reviewed?.judgement && reviewed.better?.moves[0];
    this.#board.arrows(better ? [moveArrow(better.uci, "best")] : []);
    const below = this.#board.orientation;
    this.#bar.flip(below === "black");
    drawStrip(this.#bottom, game, below, fen);
    drawStrip(this.#top, game, opposite(below), fen);
  }
}

/** A player of a game that is over: always present, without a clock. */
function drawStrip(strip: PlayerStrip, game: GameState, color: Color, fen: string): void {
  strip.show({ ...game[color], present: true }, game[color].name, color, fen, false);
  strip.tick({ ...game, clock: null }, color, 0);
}
