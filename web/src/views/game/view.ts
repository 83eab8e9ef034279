// A game: played, watched, or replayed.

import type { GameState } from "../../api";
import type { App, View } from "../../app";
import { type Arrow, Board } from "../../board/board";
import { squaresOf, turnOf } from "../../core/fen";
import { capital, speakSan } from "../../core/speech";
import { statusText } from "../../core/status";
import type { Offer, Refusal } from "../../net/backend";
import { address } from "../../router";
import { fill, h, saveFile, setText } from "../../ui/dom";
import { tick } from "../../ui/haptic";
import { MoveForm } from "../../ui/moveform";
import { MoveList } from "../../ui/movelist";
import { announce, complain, messageOf, notify } from "../../ui/notice";
import { play, soundOf } from "../../ui/sound";
import { stage } from "../../ui/stage";
import { onWheel } from "../../ui/wheel";
import { openNewGame } from "../newgame";
import { Actions, type GameCommands } from "./actions";
import { CoachPanel } from "./coach";
import { Company } from "./company";
import { OFFERS, offerRows, offerText } from "./offers";
import { Players } from "./players";
import { Replay } from "./replay";
import { SearchTable } from "./search";

export class GameView implements View {
  readonly section = "play";
  readonly element: HTMLElement;
  title = "Game";

  readonly #app: App;
  readonly #id: string;
  #game: GameState | null = null;
  #cursor = 0;
  /** The cursor stays at the last move. */
  #following = true;
  #opening = "";
  /** The side of the person that the board was turned for. */
  #orientedFor: GameState["you"] | undefined;
  readonly #unwatch: () => void;

  readonly #board = new Board((uci) => void this.#move(uci));
  readonly #players = new Players();
  readonly #moves: MoveList;
  readonly #status = h("div", { class: "status" });
  readonly #openingName = h("p", { class: "opening" });
  readonly #offers = h("div", { class: "offers" });
  readonly #search = new SearchTable();
  readonly #coach: CoachPanel;
  readonly #typed = new MoveForm((move) => this.#move(move));
  readonly #actions: Actions;
  readonly #replay = new Replay(() => this.#replayNext());
  readonly #company: Company;

  constructor(app: App, id: string, replay: boolean) {
    this.#app = app;
    this.#id = id;
    this.#company = new Company(app.info);
    this.#coach = new CoachPanel(app.backend, id, (arrows) => this.#mark(arrows));
    this.#actions = new Actions(this.#commands());
    this.#moves = new MoveList(
      (ply) => this.#goTo(ply),
      () => this.#flip(),
      this.#actions.takeback,
      this.#actions.hint,
    );
    this.element = stage(
      "Game",
      {
        board: this.#board.element,
        above: this.#players.top.element,
        below: this.#players.bottom.element,
        controls: this.#moves.controls,
      },
      this.#offers,
      h("div", { class: "status-row" }, this.#status, this.#company.spectators, this.#company.share),
      this.#openingName,
      this.#coach.element,
      this.#moves.element,
      this.#search.element,
      this.#typed.element,
      this.#actions.element,
    );
    onWheel(this.#board.element, (direction) => this.#moves.walk(direction));
    this.#unwatch = app.backend.games.watch(id, {
      changed: (game) => this.#receive(game),
      declined: (offer) => notify(`Your opponent declined the ${offer}.`),
      deleted: () => notify("This game was deleted."),
      failed: (error) => this.#failed(error),
    });
    if (replay) this.#startReplay();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === "f") this.#flip();
    else if (event.key === "/") this.#typed.focus();
    else return this.#moves.key(event);
    return true;
  }

  dispose(): void {
    this.#players.dispose();
    this.#actions.dispose();
    this.#replay.stop();
    this.#company.dispose();
    this.#unwatch();
    this.#board.destroy();
  }

  #commands(): GameCommands {
    const { games } = this.#app.backend;
    const id = this.#id;
    const run = (command: Promise<void>) => void command.catch(complain);
    return {
      takeback: () => run(games.takeback(id)),
      hint: () => run(this.#coach.hint()),
      why: () => run(this.#coach.why(this.#game, this.#cursor)),
      offerDraw: () => run(games.offerDraw(id)),
      claimDraw: () => run(games.claimDraw(id)),
      resign: () => run(games.resign(id)),
      pause: (paused) => run(games.pause(id, paused)),
      rematch: () => run(this.#rematch()),
      review: () => this.#app.go(`/review/${id}`),
      analyse: () => this.#app.go(`/analyse?game=${id}&ply=${this.#cursor}`),
      toggleReplay: () => (this.#replay.isRunning ? this.#stopReplay() : this.#startReplay()),
      savePgn: () => run(games.pgn(id).then((pgn) => saveFile("game.pgn", pgn))),
      newGame: () => openNewGame(this.#app),
    };
  }

  #failed(error: Refusal): void {
    fill(this.#status, h("strong", {}, messageOf(error)), h("a", { href: address("/games") }, "All games"));
  }

  #receive(game: GameState): void {
    const before = this.#game;
    if (before && game.revision < before.revision) return;
    this.#game = game;
    this.#players.receive(game);
    this.title = `${game.white.name} – ${game.black.name}`;
    document.title = `${this.title} · Gardez`;
    if (before) this.#announceNews(before, game);
    this.#company.receive(game);
    this.#orient(game);
    if (this.#following) this.#cursor = game.moves.length;
    this.#cursor = Math.min(this.#cursor, game.moves.length);
    if (before?.moves.length !== game.moves.length) this.#coach.clear();
    this.#draw(game);
    if (!before) return;
    if (game.next && before.next !== game.next) this.#app.go(`/game/${game.next}`);
    else this.#playPremove(before, game);
  }

  /** Turns the board to the person's side, also when a seat is taken by an invitation. */
  #orient(game: GameState): void {
    if (this.#orientedFor === game.you) return;
    this.#orientedFor = game.you;
    this.#board.orient(game.you === "black" ? "black" : "white");
  }

  #playPremove(before: GameState, game: GameState): void {
    const isMine = game.you === game.position.turn && !game.outcome;
    if (isMine && this.#isAtEnd(game) && game.moves.length > before.moves.length) this.#board.playPremove();
  }

  /** Sounds and words for what is new. */
  #announceNews(before: GameState, game: GameState): void {
    for (const move of game.moves.slice(before.moves.length).slice(-2)) {
      play(soundOf(move.san));
      tick();
      announce(`${turnOf(move.fen) === "black" ? "White" : "Black"}: ${speakSan(move.san)}`);
    }
    if (game.outcome && !before.outcome) {
      play("end");
      announce(`${game.outcome.text}. ${game.outcome.result.replace("1/2-1/2", "Draw")}`);
    }
    for (const offer of OFFERS) {
      const from = game.offers[offer];
      if (from && from !== before.offers[offer] && from !== game.you) announce(offerText(offer));
    }
  }

  #isAtEnd(game: GameState): boolean {
    return this.#cursor === game.moves.length;
  }

  #goTo(ply: number): void {
    const game = this.#game;
    if (!game) return;
    this.#replay.stop();
    this.#cursor = ply;
    this.#coach.clear();
    this.#following = this.#isAtEnd(game);
    const move = game.moves[ply - 1];
    if (move) announce(speakSan(move.san));
    this.#draw(game);
  }

  #draw(game: GameState): void {
    this.#drawBoard(game);
    this.#players.show(game, this.#board.orientation, this.#fenAt(game));
    this.#moves.show(game.start, game.moves, this.#cursor);
    this.#drawStatus(game);
    this.#search.show(game.search);
    fill(this.#offers, ...offerRows(game, (offer, accept) => this.#answer(offer, accept)));
    this.#actions.draw(game, this.#replay.isRunning);
  }

  #answer(offer: Offer, accept: boolean): void {
    this.#app.backend.games.answer(this.#id, offer, accept).catch(complain);
  }

  #fenAt(game: GameState): string {
    return game.moves[this.#cursor - 1]?.fen ?? game.start;
  }

  #drawBoard(game: GameState): void {
    const { position, you } = game;
    const isAtEnd = this.#isAtEnd(game);
    const isLive = isAtEnd && !game.outcome && game.kind !== "imported";
    const isMine = you === "both" || you === position.turn;
    const move = game.moves[this.#cursor - 1];
    const past = { lastMove: move ? squaresOf(move.uci) : null, check: move?.check ?? false };
    const now = { lastMove: position.lastMove, check: position.check !== null };
    this.#board.place({
      fen: isAtEnd ? position.fen : this.#fenAt(game),
      movable: isLive ? you : null,
      dests: isLive && isMine ? position.dests : {},
      premove: isLive && you !== null && !isMine,
      ...(isAtEnd ? now : past),
    });
    this.#board.arrows(isAtEnd ? this.#coach.arrows : []);
    this.#typed.disabled = !isLive || you === null;
  }

  #drawStatus(game: GameState): void {
    const { opening } = game.position;
    if (opening) this.#opening = `${opening.eco} ${opening.name}`;
    this.#openingName.title = this.#opening;
    setText(this.#openingName, this.#opening || (game.variant === "chess960" ? capital(game.variant) : ""));
    fill(this.#status, h("strong", {}, statusText(game, this.#replay.isRunning)));
    this.#status.classList.toggle("over", game.outcome !== null);
  }

  #flip(): void {
    this.#board.flip();
    if (this.#game) this.#draw(this.#game);
  }

  async #move(move: string): Promise<boolean> {
    if (!this.#game) return false;
    try {
      await this.#app.backend.games.move(this.#id, this.#game.moves.length, move);
      return true;
    } catch (error) {
      complain(error);
      this.#board.reset();
      return false;
    }
  }

  /** Draws what the coach points at, or else what the hint has shown. */
  #mark(arrows: Arrow[]): void {
    const shown = arrows.length > 0 ? arrows : this.#coach.arrows;
    const move = shown.find(({ brush }) => brush === "hint");
    if (move) this.#board.element.dataset.hint = `${move.from}${move.to}`;
    this.#board.arrows(shown);
  }

  async #rematch(): Promise<void> {
    const game = await this.#app.backend.games.rematch(this.#id);
    if (game) this.#app.go(`/game/${game.id}`);
  }

  #startReplay(): void {
    this.#cursor = 0;
    this.#following = false;
    this.#replay.start();
    if (this.#game) this.#draw(this.#game);
  }

  #stopReplay(): void {
    this.#replay.stop();
    if (this.#game) this.#draw(this.#game);
  }

  /** Shows the next move, once the game is there; stops after the last one. */
  #replayNext(): void {
    const game = this.#game;
    const move = game?.moves[this.#cursor];
    if (game && move) {
      this.#cursor += 1;
      play(soundOf(move.san));
      this.#draw(game);
    } else if (game) this.#stopReplay();
  }
}
