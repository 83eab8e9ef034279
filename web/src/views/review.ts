// The review of a game: graph, judgements, accuracy, and what would have been better.

import type { Color, Effort, GameState, Judgement, Review, ReviewMove, SideReport } from "../api";
import type { App, View } from "../app";
import { Board } from "../board/board";
import { EvalBar } from "../board/evalbar";
import { opposite, squaresOf } from "../core/fen";
import { JUDGEMENT_GLYPH, lineText, numberBefore } from "../core/notation";
import { formatScore, speakScore } from "../core/score";
import { http } from "../net/http";
import { button, choices, fill, h } from "../ui/dom";
import { Graph } from "../ui/graph";
import { MoveList } from "../ui/movelist";
import { announce, complain, messageOf } from "../ui/notice";
import { PlayerStrip } from "../ui/player";
import { stage } from "../ui/stage";

export class ReviewView implements View {
  readonly section = "games";
  readonly title = "Review";
  readonly element: HTMLElement;

  #app: App;
  #id: string;
  #game: GameState | null = null;
  #review: Review | null = null;
  #cursor: number;
  #graph: Graph | null = null;
  #effort: Effort = "normal";
  #endStream: () => void = () => undefined;

  #board = new Board(() => undefined, "Board of the review");
  #bar = new EvalBar();
  #top = new PlayerStrip();
  #bottom = new PlayerStrip();
  #moves = new MoveList(
    (ply) => this.#goTo(ply),
    () => this.#flip(),
  );
  #summary = h("div", { class: "summary" });
  #graphBox = h("div", { class: "graph-box" });
  #remark = h("div", { class: "remark" });
  #actions = h("div", { class: "actions" });

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
      },
      this.#summary,
      this.#graphBox,
      this.#remark,
      this.#moves.element,
      this.#moves.controls,
      this.#actions,
    ).element;
    void this.#load();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key !== "f") return this.#moves.key(event);
    this.#flip();
    return true;
  }

  #flip(): void {
    this.#board.flip();
    this.#draw();
  }

  dispose(): void {
    this.#endStream();
    this.#board.destroy();
  }

  async #load(): Promise<void> {
    try {
      const game = await http.game(this.#id);
      this.#game = game;
      if (game.you === "black") this.#board.orient("black");
      this.#draw();
      if (game.reviewed) this.#use(game, await http.review(this.#id));
      else this.#ask(game);
    } catch (error) {
      fill(this.#summary, h("p", { class: "form-error" }, messageOf(error)));
    }
  }

  #ask(game: GameState): void {
    const efforts = [
      ["quick", "Quick"],
      ["normal", "Normal"],
      ["deep", "Deep"],
    ] as const;
    fill(
      this.#summary,
      h("h2", {}, "Review this game"),
      h("p", { class: "hint" }, "Gardez goes through every move and shows where the game was decided."),
      choices("How thorough", efforts, this.#effort, (effort) => {
        this.#effort = effort;
      }),
      button("Start the review", () => this.#start(game), { icon: "play", kind: "primary" }),
    );
  }

  #start(game: GameState): void {
    const bar = h("progress", { max: 1, value: 0, "aria-label": "Review under way" });
    const count = h("span", { class: "hint" }, "Waiting for the engine…");
    fill(
      this.#summary,
      h("h2", {}, "Looking at every move"),
      bar,
      count,
      button("Cancel", () => this.#cancel(game)),
    );
    this.#endStream = this.#app.connection.stream(
      { type: "review", game: this.#id, effort: this.#effort },
      (message) => {
        if (message.type === "reviewing") {
          bar.max = message.total;
          bar.value = message.done;
          count.textContent = `${message.done} of ${message.total} positions`;
        } else if (message.type === "review") {
          this.#endStream();
          this.#use(game, message.review);
          announce("The review is ready");
        }
      },
      (error) => {
        complain(error);
        this.#ask(game);
      },
    );
  }

  #cancel(game: GameState): void {
    this.#endStream();
    this.#app.connection.request({ type: "cancel", game: this.#id }).catch(() => undefined);
    this.#ask(game);
  }

  #use(game: GameState, review: Review): void {
    this.#review = review;
    this.#graph = new Graph(review, (ply) => this.#goTo(ply));
    fill(this.#graphBox, this.#graph.element);
    if (this.#cursor === 0 && review.turningPoint) this.#cursor = review.turningPoint;
    this.#drawSummary(game, review);
    const mistakes = review.moves.filter(
      ({ judgement }) => judgement === "mistake" || judgement === "blunder",
    ).length;
    fill(
      this.#actions,
      button("Learn from mistakes", () => this.#app.go(`/learn/${this.#id}`), {
        icon: "learn",
        kind: "primary",
        disabled: mistakes === 0,
      }),
      button("Next mistake", () => this.#nextMistake(review), { icon: "forward", disabled: mistakes === 0 }),
      button("Analyse", () => this.#app.go(`/analyse?game=${this.#id}&ply=${this.#cursor}`), {
        icon: "analyse",
      }),
      h(
        "a",
        { class: "button", href: http.pgnAddress(this.#id, true), download: "review.pgn" },
        "Annotated PGN",
      ),
    );
    this.#draw();
  }

  #drawSummary(game: GameState, review: Review): void {
    const row = (name: string, side: SideReport) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, name),
        h("td", {}, side.accuracy === null ? "–" : `${side.accuracy.toFixed(0)}%`),
        h("td", {}, side.averageLoss === null ? "–" : (side.averageLoss / 100).toFixed(2)),
        ...[side.inaccuracies, side.mistakes, side.blunders].map((count) => h("td", {}, count)),
      );
    const mark = (judgement: Judgement, plural: string) =>
      h(
        "th",
        { scope: "col", class: judgement },
        h("abbr", { class: "glyph", title: plural, "aria-label": plural }, JUDGEMENT_GLYPH[judgement]),
      );
    fill(
      this.#summary,
      h(
        "table",
        { class: "report" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td"),
            h("th", { scope: "col" }, "Accuracy"),
            h("th", { scope: "col" }, "Loss"),
            mark("inaccuracy", "Inaccuracies"),
            mark("mistake", "Mistakes"),
            mark("blunder", "Blunders"),
          ),
        ),
        h("tbody", {}, row(game.white.name, review.white), row(game.black.name, review.black)),
      ),
      h("p", { class: "hint" }, review.by),
    );
  }

  #nextMistake(review: Review): void {
    const wrong = review.moves.filter(({ judgement }) => judgement !== null);
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

  #draw(): void {
    const game = this.#game;
    if (!game) return;
    this.#cursor = Math.min(this.#cursor, game.moves.length);
    const played = game.moves[this.#cursor - 1];
    const fen = played?.fen ?? game.start;
    const noted = this.#review?.moves[this.#cursor - 1];
    this.#board.place({
      fen,
      movable: null,
      dests: {},
      lastMove: played ? squaresOf(played.uci) : null,
      check: played?.check ?? false,
    });
    const better = noted?.better?.moves[0];
    if (better && noted.judgement) {
      const [from, to] = squaresOf(better.uci);
      this.#board.arrows([{ from, to, brush: "best" }]);
    } else {
      this.#board.arrows([]);
    }
    const below = this.#board.orientation;
    this.#strip(this.#bottom, game, below, fen);
    this.#strip(this.#top, game, opposite(below), fen);
    this.#bar.flip(below === "black");
    const win = noted?.win ?? this.#review?.startWin ?? 50;
    this.#bar.show(noted?.score ?? this.#review?.startScore ?? null, [win * 10, 0, (100 - win) * 10]);
    this.#moves.show(
      game.start,
      game.moves.map(({ san }, index) => ({ san, judgement: this.#review?.moves[index]?.judgement ?? null })),
      this.#cursor,
    );
    const before = game.moves[this.#cursor - 2]?.fen ?? game.start;
    this.#graph?.show(
      this.#cursor,
      noted ? `${numberBefore(before)} ${noted.san}, ${speakScore(noted.score)}` : "Start",
    );
    this.#drawRemark(noted, before);
  }

  #strip(strip: PlayerStrip, game: GameState, color: Color, fen: string): void {
    strip.show({ ...game[color], present: true }, game[color].name, color, fen, false);
    strip.tick({ ...game, clock: null }, color, 0);
  }

  #drawRemark(move: ReviewMove | undefined, before: string): void {
    if (!move) {
      fill(
        this.#remark,
        this.#review && h("p", { class: "hint" }, "Click on the graph, or walk through the moves."),
      );
      return;
    }
    const name = `${numberBefore(before)} ${move.san}${move.judgement ? JUDGEMENT_GLYPH[move.judgement] : ""}`;
    fill(
      this.#remark,
      h(
        "p",
        {},
        h("strong", { class: move.judgement ?? "" }, name),
        ` ${formatScore(move.score)} `,
        move.comment && h("span", {}, move.comment),
      ),
      move.better &&
        move.judgement &&
        h(
          "p",
          { class: "better" },
          `Better (${formatScore(move.better.score)}): `,
          h(
            "a",
            { href: `/analyse?game=${this.#id}&ply=${move.ply - 1}`, title: "Try it in the analysis" },
            lineText(move.better.moves, before),
          ),
        ),
    );
  }
}
