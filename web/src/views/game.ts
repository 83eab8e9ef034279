// A game: played, watched, or replayed as a show.

import type { Color, GameState, Message, Player } from "../api";
import type { App, View } from "../app";
import { type Arrow, Board } from "../board/board";
import { opposite, squaresOf, turnOf } from "../core/fen";
import { formatScore } from "../core/score";
import { speakSan } from "../core/speech";
import { http, type Refusal } from "../net/http";
import { button, copy, fill, h, setText } from "../ui/dom";
import { MoveList } from "../ui/movelist";
import { announce, complain, messageOf, notify } from "../ui/notice";
import { PlayerStrip } from "../ui/player";
import { play, soundOf } from "../ui/sound";
import { stage } from "../ui/stage";
import { openNewGame } from "./newgame";

const SHOW_STEP = 1100;
const LOW_TIME = 15_000;

export class GameView implements View {
  readonly section = "play";
  readonly element: HTMLElement;
  title = "Game";

  #app: App;
  #id: string;
  #game: GameState | null = null;
  /** When the state came, on the page's own clock. */
  #received = 0;
  #cursor = 0;
  /** The cursor stays at the last move. */
  #following = true;
  #hint: Arrow[] = [];
  #show: ReturnType<typeof setInterval> | undefined;
  #ticker: ReturnType<typeof setInterval>;
  #warned = false;
  #resigning = false;
  #unwatch: () => void;
  #unhear: () => void;
  #opening = "";
  #orientedFor = "";

  #board: Board;
  #top = new PlayerStrip();
  #bottom = new PlayerStrip();
  #moves = new MoveList(
    (ply) => this.#goTo(ply),
    () => this.#flip(),
  );
  #status = h("div", { class: "status" });
  #openingName = h("p", { class: "opening" });
  #offers = h("div", { class: "offers" });
  #actions = h("div", { class: "actions" });
  #typed: HTMLInputElement;
  #share: HTMLButtonElement;

  constructor(app: App, id: string, show: boolean) {
    this.#app = app;
    this.#id = id;
    this.#board = new Board((uci) => void this.#move(uci));
    this.#typed = h("input", {
      id: "typed-move",
      placeholder: "Nf3, e2e4 …",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
    });
    const typing = h(
      "form",
      {
        class: "typed",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          void this.#submitTyped();
        },
      },
      h("label", { for: "typed-move" }, "Type a move"),
      this.#typed,
    );
    this.element = stage(
      "Game",
      { board: this.#board.element, above: this.#top.element, below: this.#bottom.element },
      this.#status,
      this.#openingName,
      this.#moves.element,
      this.#moves.controls,
      this.#offers,
      typing,
      this.#actions,
    ).element;
    this.#share = button("", () => void this.#copyWatchLink(), {
      icon: "link",
      label: "Copy a link for spectators",
    });
    this.#share.hidden = true;
    this.#moves.controls.append(this.#share);
    this.#unwatch = app.connection.watch(
      id,
      (game) => this.#receive(game),
      (error) => this.#failed(error),
    );
    this.#unhear = app.connection.onNews((news) => {
      if (news.type === "declined" && news.game === id) notify(`Your opponent declined the ${news.offer}.`);
      if (news.type === "gone" && news.game === id) notify("This game was deleted.");
    });
    this.#ticker = setInterval(() => this.#tick(), 100);
    if (show) this.#startShow();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === "f") this.#flip();
    else if (event.key === "/") this.#typed.focus();
    else return this.#moves.key(event);
    return true;
  }

  dispose(): void {
    clearInterval(this.#ticker);
    clearInterval(this.#show);
    this.#unwatch();
    this.#unhear();
    this.#board.destroy();
  }

  #failed(error: Refusal): void {
    fill(this.#status, h("strong", {}, messageOf(error)), h("a", { href: "/games" }, "All games"));
  }

  #receive(game: GameState): void {
    const before = this.#game;
    if (before && game.revision < before.revision) return;
    this.#game = game;
    this.#received = performance.now();
    this.title = `${game.white.name} – ${game.black.name}`;
    document.title = `${this.title} · Gardez`;
    if (game.next && (!before || before.next !== game.next) && before) this.#app.go(`/game/${game.next}`);
    if (before) {
      this.#tell(before, game);
    } else if (!this.#show) this.#cursor = game.moves.length;
    else if (this.#cursor > game.moves.length) this.#cursor = 0;
    // A seat that was taken by an invitation shows which side is below.
    const side = String(game.you);
    if (this.#orientedFor !== side) {
      this.#orientedFor = side;
      this.#board.orient(game.you === "black" ? "black" : "white");
    }
    if (this.#following && !this.#show) this.#cursor = game.moves.length;
    this.#cursor = Math.min(this.#cursor, game.moves.length);
    if (!before || before.moves.length !== game.moves.length) this.#hint = [];
    this.#draw();
    const mine = game.you === game.position.turn && !game.outcome;
    if (mine && this.#atEnd() && before && game.moves.length > before.moves.length) this.#board.playPremove();
  }

  /** Sounds and words for what is new. */
  #tell(before: GameState, game: GameState): void {
    for (const move of game.moves.slice(before.moves.length).slice(-2)) {
      play(soundOf(move.san));
      announce(`${turnOf(move.fen) === "black" ? "White" : "Black"}: ${speakSan(move.san)}`);
    }
    if (game.outcome && !before.outcome) {
      play("end");
      announce(`${game.outcome.text}. ${game.outcome.result.replace("1/2-1/2", "Draw")}`);
    }
    for (const offer of ["draw", "takeback", "rematch"] as const) {
      const from = game.offers[offer];
      if (from && from !== before.offers[offer] && from !== game.you)
        announce(`Your opponent offers a ${offer}`);
    }
  }

  #atEnd(): boolean {
    return this.#cursor === (this.#game?.moves.length ?? 0);
  }

  #fenAt(ply: number): string {
    const game = this.#game!;
    return ply === 0 ? game.start : game.moves[ply - 1]!.fen;
  }

  #goTo(ply: number): void {
    if (!this.#game) return;
    this.#stopShow();
    this.#cursor = ply;
    this.#following = this.#atEnd();
    const move = this.#game.moves[ply - 1];
    if (move) announce(speakSan(move.san));
    this.#draw();
  }

  #draw(): void {
    this.#drawBoard();
    this.#drawPlayers();
    const game = this.#game!;
    this.#moves.show(game.start, game.moves, this.#cursor);
    this.#drawStatus();
    this.#drawOffers();
    this.#drawActions();
    this.#tick();
  }

  #drawBoard(): void {
    const game = this.#game!;
    const live = this.#atEnd() && !game.outcome && game.kind !== "imported";
    const { position } = game;
    const move = game.moves[this.#cursor - 1];
    this.#board.place({
      fen: this.#atEnd() ? position.fen : this.#fenAt(this.#cursor),
      movable: live ? game.you : null,
      dests: live && (game.you === "both" || game.you === position.turn) ? position.dests : {},
      lastMove: this.#atEnd() ? position.lastMove : move ? squaresOf(move.uci) : null,
      check: this.#atEnd() ? position.check !== null : (move?.check ?? false),
      premove: live && game.you !== null && game.you !== "both" && game.you !== position.turn,
    });
    this.#board.arrows(this.#atEnd() ? this.#hint : []);
    this.#typed.disabled = !(live && game.you !== null);
  }

  #drawPlayers(): void {
    const game = this.#game!;
    const below = this.#board.orientation;
    const fen = this.#fenAt(this.#cursor);
    const turn = game.outcome ? null : game.position.turn;
    const seat = (color: Color): Player =>
      game.outcome || game.kind === "imported" ? { ...game[color], present: true } : game[color];
    this.#bottom.show(seat(below), nameOf(game, below), below, fen, turn === below);
    const above = opposite(below);
    this.#top.show(seat(above), nameOf(game, above), above, fen, turn === above);
  }

  #drawStatus(): void {
    const game = this.#game!;
    const opening = game.position.opening;
    if (opening) this.#opening = `${opening.eco} ${opening.name}`;
    this.#openingName.title = this.#opening;
    setText(this.#openingName, this.#opening || (game.variant === "chess960" ? "Chess960" : ""));
    fill(this.#status, h("strong", {}, this.#statusText(game)), this.#invitation(game));
    this.#share.hidden = !game.links;
    this.#status.classList.toggle("over", game.outcome !== null);
  }

  #statusText(game: GameState): string {
    if (game.outcome) {
      const won = game.outcome.winner;
      const result =
        won === null
          ? game.outcome.result === "*"
            ? ""
            : "Draw"
          : won === game.you
            ? "You won"
            : game.you === "both" || !game.you
              ? `${won === "white" ? "White" : "Black"} won`
              : "You lost";
      return [result, game.outcome.text].filter(Boolean).join(": ");
    }
    if (game.kind === "imported") return this.#show ? "Replaying" : "A recorded game";
    if (!game.white.seated || !game.black.seated) return "Send this link to your friend";
    if (game.paused) return "Paused";
    const turn = game.position.turn;
    if (game.thinking) return `${game[game.thinking].name} is thinking…`;
    if (game.you === "both") return `${turn === "white" ? "White" : "Black"} to move`;
    if (game.you === turn) return game.position.check ? "Your move: you are in check" : "Your move";
    return `${game[turn].name} to move`;
  }

  #invitation(game: GameState): HTMLElement | null {
    const path = game.links?.invite;
    if (!path) return null;
    const address = location.origin + path;
    return h(
      "div",
      { class: "invite" },
      h("input", {
        readonly: true,
        value: address,
        "aria-label": "Invitation",
        onfocus: (event: FocusEvent) => (event.target as HTMLInputElement).select(),
      }),
      button(
        "Copy",
        () =>
          void copy(address).then((done) =>
            notify(done ? "The link is copied." : "Copy the link by hand, please."),
          ),
        { icon: "link" },
      ),
    );
  }

  #drawOffers(): void {
    const game = this.#game!;
    const lines: HTMLElement[] = [];
    for (const to of ["draw", "takeback", "rematch"] as const) {
      const from = game.offers[to];
      if (!from || game.you === null) continue;
      if (from === game.you) {
        lines.push(h("p", { class: "hint" }, `You offered a ${to}.`));
        continue;
      }
      const answer = (accept: boolean) => () =>
        void this.#send({ type: "answer", game: this.#id, to, accept });
      lines.push(
        h(
          "div",
          { class: "offer" },
          h("span", {}, `Your opponent offers a ${to}.`),
          button("Accept", answer(true), { kind: "primary" }),
          button("Decline", answer(false)),
        ),
      );
    }
    fill(this.#offers, ...lines);
  }

  #drawActions(): void {
    const game = this.#game!;
    const focused = (document.activeElement as HTMLElement | null)?.dataset.action;
    const buttons =
      game.outcome || game.kind === "imported" ? this.#endButtons(game) : this.#playButtons(game);
    fill(this.#actions, ...buttons);
    if (focused) this.#actions.querySelector<HTMLElement>(`[data-action="${focused}"]`)?.focus();
  }

  #playButtons(game: GameState): HTMLElement[] {
    const id = this.#id;
    const list: HTMLButtonElement[] = [];
    const add = (name: string, made: HTMLButtonElement) => {
      made.dataset.action = name;
      list.push(made);
    };
    const mine = game.you === "both" || game.you === game.position.turn;
    if (game.you !== null) {
      add(
        "takeback",
        button("Take back", () => void this.#send({ type: "takeback", game: id }), {
          icon: "undo",
          disabled: !game.canTakeback,
        }),
      );
      add(
        "hint",
        button("Hint", () => void this.#askHint(), { icon: "hint", disabled: !mine }),
      );
      if (game.position.claimable && mine)
        add(
          "draw",
          button("Claim draw", () => void this.#send({ type: "claim", game: id }), { icon: "draw" }),
        );
      else
        add(
          "draw",
          button("Draw", () => void this.#send({ type: "draw", game: id }), {
            icon: "draw",
            disabled: game.moves.length < 2,
          }),
        );
      add(
        "resign",
        button(this.#resigning ? "Really resign?" : "Resign", () => this.#resign(), {
          icon: "flag",
          kind: this.#resigning ? "danger" : undefined,
        }),
      );
    }
    if (game.kind === "engines") {
      add(
        "pause",
        button(
          game.paused ? "Go on" : "Pause",
          () => void this.#send({ type: "pause", game: id, paused: !game.paused }),
          { icon: game.paused ? "play" : "pause" },
        ),
      );
    }
    return list;
  }

  #endButtons(game: GameState): HTMLElement[] {
    const list: HTMLElement[] = [];
    const { app, id } = { app: this.#app, id: this.#id };
    if (game.kind !== "imported" && (game.you !== null || game.kind === "engines")) {
      list.push(button("Rematch", () => void this.#rematch(), { icon: "undo", kind: "primary" }));
    }
    list.push(
      button("Review", () => app.go(`/review/${id}`), {
        icon: "learn",
        kind: game.kind === "imported" ? "primary" : undefined,
      }),
      button("Analyse", () => app.go(`/analyse?game=${id}&ply=${this.#cursor}`), { icon: "analyse" }),
      button(this.#show ? "Pause" : "Replay", () => (this.#show ? this.#stopShow() : this.#startShow()), {
        icon: this.#show ? "pause" : "play",
      }),
      h("a", { class: "button", href: http.pgnAddress(id), download: "game.pgn" }, "PGN"),
      button("New game", () => openNewGame(app), { icon: "plus" }),
    );
    return list;
  }

  async #copyWatchLink(): Promise<void> {
    const path = this.#game?.links?.watch;
    if (!path) return;
    const address = location.origin + path;
    notify((await copy(address)) ? "The link for spectators is copied." : `Spectators come in at ${address}`);
  }

  #flip(): void {
    this.#board.flip();
    if (this.#game) this.#draw();
  }

  #tick(): void {
    const game = this.#game;
    if (!game) return;
    const elapsed = performance.now() - this.#received;
    const below = this.#board.orientation;
    const left = {
      [below]: this.#bottom.tick(game, below, elapsed),
      [opposite(below)]: this.#top.tick(game, opposite(below), elapsed),
    } as Record<Color, number | null>;
    const mine = game.you === "both" || game.you === null ? null : left[game.you];
    if (mine !== null && mine > 0 && mine < LOW_TIME && game.clock?.running === game.you && !this.#warned) {
      this.#warned = true;
      play("low");
      announce("Fifteen seconds left");
    }
  }

  async #move(move: string): Promise<boolean> {
    const game = this.#game;
    if (!game) return false;
    try {
      await this.#app.connection.request({ type: "move", game: this.#id, ply: game.moves.length, move });
      return true;
    } catch (error) {
      complain(error);
      this.#board.reset();
      return false;
    }
  }

  async #submitTyped(): Promise<void> {
    const text = this.#typed.value.trim();
    if (text && (await this.#move(text))) this.#typed.value = "";
  }

  async #send(body: Parameters<App["connection"]["request"]>[0]): Promise<Message | null> {
    try {
      return await this.#app.connection.request(body);
    } catch (error) {
      complain(error);
      return null;
    }
  }

  async #askHint(): Promise<void> {
    const ply = this.#game?.moves.length;
    const answer = await this.#send({ type: "hint", game: this.#id });
    if (answer?.type !== "hint" || this.#game?.moves.length !== ply) return;
    const [from, to] = squaresOf(answer.uci);
    this.#hint = [{ from, to, brush: "hint" }];
    this.#board.element.dataset.hint = answer.uci;
    notify(`Try ${answer.san} (${formatScore(answer.score)})`);
    this.#drawBoard();
  }

  /** Asks once more before giving up. */
  #resign(): void {
    if (this.#resigning) void this.#send({ type: "resign", game: this.#id });
    this.#resigning = !this.#resigning;
    this.#drawActions();
    if (this.#resigning)
      setTimeout(() => ((this.#resigning = false), this.#game && this.#drawActions()), 4000);
  }

  async #rematch(): Promise<void> {
    const answer = await this.#send({ type: "rematch", game: this.#id });
    if (answer?.type === "game" && answer.game.id !== this.#id) this.#app.go(`/game/${answer.game.id}`);
  }

  #startShow(): void {
    this.#cursor = 0;
    this.#following = false;
    this.#show = setInterval(() => {
      const game = this.#game;
      if (!game) return;
      if (this.#atEnd()) return this.#stopShow();
      this.#cursor += 1;
      play(soundOf(game.moves[this.#cursor - 1]!.san));
      this.#draw();
    }, SHOW_STEP);
    if (this.#game) this.#draw();
  }

  #stopShow(): void {
    if (!this.#show) return;
    clearInterval(this.#show);
    this.#show = undefined;
    if (this.#game) this.#draw();
  }
}

/** Somebody without a name is called by their colour; to themselves they are "You". */
function nameOf(game: GameState, color: Color): string {
  const { name } = game[color];
  return game.you === color && name.toLowerCase() === color ? "You" : name;
}
