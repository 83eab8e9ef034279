// Analysis: free moves with variations, the engine's lines, its reasons, PGN and FEN in and out.

import type { Analysis, Position, PositionAnswer, Tree } from "../api";
import type { App, View } from "../app";
import { type Arrow, Board } from "../board/board";
import { EvalBar } from "../board/evalbar";
import { START, squaresOf } from "../core/fen";
import { change, recall, remember, settings } from "../core/settings";
import { speakSan } from "../core/speech";
import * as tree from "../core/tree";
import { http } from "../net/http";
import { openDialog } from "../ui/dialog";
import { button, checkbox, copy, fill, h, saveFile, select, setText } from "../ui/dom";
import { Lines } from "../ui/lines";
import { announce, complain, notify } from "../ui/notice";
import { play, soundOf } from "../ui/sound";
import { stage } from "../ui/stage";
import { TreeView } from "../ui/treeview";
import { editorView } from "./editor";
import { explanation } from "./explain";
import { openNewGame } from "./newgame";

interface Start {
  fen: string | null;
  game: string | null;
  ply: number | null;
}

type Tab = "moves" | "explain" | "files";

const KEPT = "gardez.analysis";

export class AnalyseView implements View {
  readonly section = "analyse";
  readonly title = "Analyse";
  readonly element: HTMLElement;

  #app: App;
  #tree = tree.newTree();
  #current = this.#tree.root;
  #positions = new Map<tree.Node, Position>();
  #analysis: Analysis | null = null;
  #endStream: () => void = () => undefined;
  #engineOn = true;
  #threat = false;
  #tab: Tab = "moves";

  #board: Board;
  #bar = new EvalBar();
  #lines = new Lines((moves) => void this.#playLine(moves));
  #treeView = new TreeView((node) => void this.#goTo(node));
  #opening = h("p", { class: "opening" });
  #fenInput: HTMLInputElement;
  #tabs = h("div", { class: "tabs", role: "tablist" });
  #tabPanel = h("div", { class: "tab-panel", role: "tabpanel", tabindex: -1 });
  #typed: HTMLInputElement;

  constructor(app: App, start: Start) {
    this.#app = app;
    this.#board = new Board((uci) => void this.#play(uci), "Analysis board");
    this.#fenInput = h("input", {
      class: "fen",
      spellcheck: "false",
      autocomplete: "off",
      "aria-label": "Position as FEN",
    });
    this.#typed = h("input", {
      id: "typed-move",
      placeholder: "Nf3, e2e4 …",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
    const below = h(
      "form",
      {
        class: "fen-row",
        onsubmit: (event: SubmitEvent) => (event.preventDefault(), void this.#loadFen(this.#fenInput.value)),
      },
      this.#fenInput,
      button("", () => void copy(this.#current.fen).then(() => notify("The position is copied.")), {
        icon: "save",
        label: "Copy the position",
      }),
    );
    this.element = stage(
      "Analysis",
      { board: this.#board.element, above: this.#opening, below, bar: this.#bar.element },
      this.#engineControls(),
      this.#lines.element,
      this.#tabs,
      this.#tabPanel,
      this.#walkControls(),
      this.#typedForm(),
      this.#actions(),
    ).element;
    this.#acceptDrops();
    this.#lines.expect(settings().lines);
    this.#drawTabs();
    void this.#begin(start);
  }

  key(event: KeyboardEvent): boolean {
    const line = tree.lineFrom(this.#current);
    const to = {
      ArrowLeft: this.#current.parent,
      ArrowRight: line[0],
      Home: this.#tree.root,
      End: line.at(-1),
    }[event.key];
    if (to) void this.#goTo(to);
    else if (event.key === "f") this.#flip();
    else if (event.key === "/") this.#typed.focus();
    else if (event.key === "e") this.#toggleEngine();
    else return false;
    return true;
  }

  dispose(): void {
    this.#endStream();
    if (this.#app.connection.status === "open")
      this.#app.connection.request({ type: "stop" }).catch(() => undefined);
    this.#board.destroy();
  }

  #engineControls(): HTMLElement {
    const counts = Array.from({ length: this.#app.info.maxLines }, (_, index) => String(index + 1));
    return h(
      "div",
      { class: "engine-controls" },
      checkbox("Engine", this.#engineOn, (on) => {
        this.#engineOn = on;
        this.#analyse();
      }),
      select(
        "Lines",
        counts.map((count) => [count, count] as const),
        String(settings().lines),
        (count) => {
          change({ lines: Number(count) });
          this.#lines.expect(Number(count));
          this.#analyse();
        },
      ),
      checkbox("Threat", this.#threat, (on) => {
        this.#threat = on;
        this.#analyse();
      }),
    );
  }

  #toggleEngine(): void {
    this.element.querySelector<HTMLInputElement>(".engine-controls input")?.click();
  }

  #walkControls(): HTMLElement {
    const walk = (to: () => tree.Node | null | undefined) => () => {
      const node = to();
      if (node) void this.#goTo(node);
    };
    return h(
      "div",
      { class: "walk", role: "group", "aria-label": "Walk through the moves" },
      button(
        "",
        walk(() => this.#tree.root),
        { icon: "first", label: "First position" },
      ),
      button(
        "",
        walk(() => this.#current.parent),
        { icon: "back", label: "Back" },
      ),
      button(
        "",
        walk(() => this.#current.children[0]),
        { icon: "forward", label: "Forward" },
      ),
      button(
        "",
        walk(() => tree.lineFrom(this.#current).at(-1)),
        { icon: "last", label: "Last position" },
      ),
      button("", () => this.#flip(), { icon: "flip", label: "Flip the board" }),
    );
  }

  #typedForm(): HTMLElement {
    return h(
      "form",
      {
        class: "typed",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          const text = this.#typed.value.trim();
          if (text) void this.#play(text).then((done) => done && (this.#typed.value = ""));
        },
      },
      h("label", { for: "typed-move" }, "Type a move"),
      this.#typed,
    );
  }

  #actions(): HTMLElement {
    return h(
      "div",
      { class: "actions" },
      button("Play from here", () => this.#playFromHere(), { icon: "play", kind: "primary" }),
      button("Edit board", () => this.#edit(), { icon: "edit" }),
    );
  }

  async #begin(start: Start): Promise<void> {
    try {
      if (start.game) {
        const game = await http.game(start.game);
        const made = tree.newTree(game.start, game.variant, game.tags);
        made.tags = { ...game.tags, White: game.white.name, Black: game.black.name };
        let at = made.root;
        for (const move of game.moves) at = tree.addMove(at, move);
        const line = [made.root, ...tree.lineFrom(made.root)];
        this.#use(made, line[start.ply ?? line.length - 1] ?? at);
        if (game.you === "black") this.#flip();
        return;
      }
      if (start.fen) return await this.#loadFen(start.fen);
      const kept = recall<{ start: string; variant: tree.GameTree["variant"]; moves: string[] }>(KEPT);
      if (kept) return await this.#loadMoves(kept.start, kept.variant, kept.moves);
    } catch (error) {
      complain(error);
    }
    this.#use(tree.newTree(), null);
  }

  async #loadMoves(start: string, variant: tree.GameTree["variant"], moves: string[]): Promise<void> {
    const answer = await http.position({ fen: start, variant, moves });
    const made = tree.newTree(answer.start, answer.variant);
    let at = made.root;
    for (const move of answer.moves) at = tree.addMove(at, move);
    this.#use(made, at);
  }

  async #loadFen(text: string): Promise<void> {
    const fen = text.trim();
    try {
      await this.#loadMoves(fen || START, "standard", []);
    } catch (first) {
      // Castling rights of Chess960 need its rules to be understood.
      try {
        await this.#loadMoves(fen, "chess960", []);
      } catch {
        complain(first);
      }
    }
  }

  #use(made: tree.GameTree, at: tree.Node | null): void {
    this.#tree = made;
    this.#positions.clear();
    this.#current = at ?? made.root;
    void this.#goTo(this.#current);
  }

  async #goTo(node: tree.Node): Promise<void> {
    const forward = node.parent === this.#current;
    this.#current = node;
    if (node.san) {
      if (forward) play(soundOf(node.san));
      announce(speakSan(node.san));
    }
    this.#analysis = null;
    this.#draw();
    this.#analyse();
    if (this.#tab === "explain") this.#drawTab();
    await this.#learnPosition(node);
    if (node === this.#current) this.#draw();
    remember(KEPT, { start: this.#tree.root.fen, variant: this.#tree.variant, moves: tree.movesTo(node) });
  }

  #request(node = this.#current): { fen: string; moves: string[]; variant: tree.GameTree["variant"] } {
    return { fen: this.#tree.root.fen, moves: tree.movesTo(node), variant: this.#tree.variant };
  }

  async #learnPosition(node: tree.Node): Promise<void> {
    if (this.#positions.has(node)) return;
    try {
      this.#positions.set(node, (await http.position(this.#request(node))).position);
    } catch (error) {
      complain(error);
    }
  }

  /** Plays a move of the person, UCI or SAN. */
  async #play(move: string): Promise<boolean> {
    const from = this.#current;
    const request = this.#request(from);
    let answer: PositionAnswer;
    try {
      answer = await http.position({ ...request, moves: [...request.moves, move] });
    } catch (error) {
      complain(error);
      this.#board.reset();
      return false;
    }
    const played = answer.moves.at(-1);
    if (!played || from !== this.#current) return false;
    const node = tree.addMove(from, played);
    this.#positions.set(node, answer.position);
    await this.#goTo(node);
    return true;
  }

  /** Goes along a line of the engine. */
  async #playLine(moves: string[]): Promise<void> {
    const from = this.#current;
    const request = this.#request(from);
    try {
      const answer = await http.position({ ...request, moves: [...request.moves, ...moves] });
      let node = from;
      for (const move of answer.moves.slice(request.moves.length)) node = tree.addMove(node, move);
      this.#positions.set(node, answer.position);
      await this.#goTo(node);
    } catch (error) {
      complain(error);
    }
  }

  #analyse(): void {
    this.#endStream();
    this.#analysis = null;
    const over = this.#positions.get(this.#current)?.outcome;
    if (!this.#engineOn || over) {
      if (this.#app.connection.status === "open")
        this.#app.connection.request({ type: "stop" }).catch(() => undefined);
      this.#lines.clear(over ? over.text : "The engine rests.");
      this.#drawEngine();
      return;
    }
    this.#lines.clear("Thinking…");
    this.#endStream = this.#app.connection.stream(
      { type: "analyse", ...this.#request(), lines: settings().lines, threat: this.#threat },
      (message) => {
        if (message.type !== "analysis") return;
        this.#analysis = message.analysis;
        this.#drawEngine();
      },
      (error) => this.#lines.clear(error.message),
    );
  }

  #drawEngine(): void {
    const analysis = this.#analysis;
    if (!analysis) {
      this.#board.arrows([]);
      return;
    }
    if (analysis.lines.length > 0) this.#lines.show(analysis);
    const best = analysis.lines[0];
    this.#bar.show(best?.score ?? null, best?.wdl ?? null);
    const arrows: Arrow[] = [];
    const arrow = (uci: string | undefined, brush: Arrow["brush"]) => {
      if (!uci) return;
      const [from, to] = squaresOf(uci);
      arrows.push({ from, to, brush });
    };
    analysis.lines.slice(1).forEach((line) => arrow(line.moves[0]?.uci, "other"));
    arrow(best?.moves[0]?.uci, "best");
    if (this.#threat) arrow(analysis.threat?.moves[0]?.uci, "threat");
    this.#board.arrows(arrows);
    this.#board.element.dataset.arrows = String(arrows.length);
  }

  #draw(): void {
    const node = this.#current;
    const position = this.#positions.get(node);
    this.#board.place({
      fen: node.fen,
      movable: position ? "both" : null,
      dests: position?.dests ?? {},
      lastMove: position?.lastMove ?? (node.uci ? squaresOf(node.uci) : null),
      check: position ? position.check !== null : /[+#]/.test(node.san),
    });
    if (document.activeElement !== this.#fenInput) this.#fenInput.value = node.fen;
    const opening = position?.opening;
    if (opening) setText(this.#opening, (this.#opening.title = `${opening.eco} ${opening.name}`));
    else if (position?.outcome) setText(this.#opening, position.outcome.text);
    else if (!node.parent) setText(this.#opening, names(this.#tree.tags));
    this.#treeView.show(this.#tree, node);
    this.#bar.flip(this.#board.orientation === "black");
  }

  #flip(): void {
    this.#board.flip();
    this.#bar.flip(this.#board.orientation === "black");
  }

  #drawTabs(): void {
    const tabs = [
      ["moves", "Moves"],
      ["explain", "Why?"],
      ["files", "Load & save"],
    ] as const;
    fill(
      this.#tabs,
      ...tabs.map(([id, text]) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            "aria-selected": String(this.#tab === id),
            tabindex: this.#tab === id ? 0 : -1,
            onclick: () => this.#openTab(id),
            onkeydown: (event: KeyboardEvent) => {
              const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? tabs.length - 1 : 0;
              if (!step) return;
              event.preventDefault();
              event.stopPropagation();
              this.#openTab(tabs[(tabs.findIndex(([known]) => known === id) + step) % tabs.length]![0]);
              this.#tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
            },
          },
          text,
        ),
      ),
    );
    this.#drawTab();
  }

  #openTab(tab: Tab): void {
    this.#tab = tab;
    this.#drawTabs();
  }

  #drawTab(): void {
    if (this.#tab === "moves") return fill(this.#tabPanel, this.#treeView.element, this.#variationButtons());
    if (this.#tab === "files") return fill(this.#tabPanel, this.#files());
    const node = this.#current;
    http
      .explain(this.#request(node))
      .then((answer) => {
        if (this.#tab !== "explain" || node !== this.#current) return;
        fill(
          this.#tabPanel,
          explanation(answer, (squares) => this.#mark(squares)),
        );
      })
      .catch(complain);
  }

  #mark(squares: string[]): void {
    if (squares.length === 0) this.#drawEngine();
    else this.#board.arrows(squares.map((from) => ({ from, brush: "mark" })));
  }

  #variationButtons(): HTMLElement {
    return h(
      "div",
      { class: "actions small" },
      button("Make main line", () => (tree.promote(this.#current), this.#draw()), { kind: "quiet" }),
      button("Delete from here", () => void this.#goTo(tree.remove(this.#current)), { kind: "quiet" }),
    );
  }

  #files(): HTMLElement {
    const text = h("textarea", {
      rows: 7,
      spellcheck: "false",
      placeholder: "Paste a PGN or a FEN here, or drop a file on the page",
    });
    const file = h("input", {
      type: "file",
      accept: ".pgn,.fen,.txt,application/x-chess-pgn,text/plain",
      class: "visually-hidden",
      onchange: () => void file.files?.[0]?.text().then((content) => this.#loadText(content)),
    });
    return h(
      "div",
      { class: "files" },
      h("label", { class: "field" }, h("span", {}, "PGN or FEN"), text),
      h(
        "div",
        { class: "actions small" },
        button("Load", () => void this.#loadText(text.value), { kind: "primary" }),
        h("label", { class: "button" }, "Open a file", file),
        button(
          "Show PGN",
          () =>
            void this.#pgn()
              .then((pgn) => (text.value = pgn))
              .catch(complain),
        ),
        button(
          "Save PGN",
          () =>
            void this.#pgn()
              .then((pgn) => saveFile("analysis.pgn", pgn))
              .catch(complain),
          { icon: "download" },
        ),
        button("Review", () => void this.#review(), { icon: "learn" }),
        button("Start position", () => void this.#loadFen(START)),
      ),
    );
  }

  #pgn(): Promise<string> {
    const { root, variant, tags } = this.#tree;
    return http.writePgn({
      tags,
      start: root.fen,
      variant,
      comment: root.comment,
      line: tree.toApi(this.#tree),
    });
  }

  async #review(): Promise<void> {
    try {
      const saved = await http.import(await this.#pgn());
      const game = saved.games[0];
      if (game) this.#app.go(`/review/${game.id}`);
      else notify("There are no moves to review yet.");
    } catch (error) {
      complain(error);
    }
  }

  async #loadText(text: string): Promise<void> {
    const content = text.trim();
    if (!content) return;
    if (/^([1-8pnbrqkPNBRQK]+\/){7}[1-8pnbrqkPNBRQK]+/.test(content) && !content.includes("\n"))
      return this.#loadFen(content);
    try {
      const { games, errors } = await http.readPgn(content);
      const problem = errors[0];
      if (problem) notify(`Line ${problem.line}, column ${problem.column}: ${problem.message}.`);
      if (games.length === 1) this.#useRead(games[0]!);
      else if (games.length > 1) this.#choose(games);
    } catch (error) {
      complain(error);
    }
  }

  #useRead(read: Tree): void {
    this.#use(tree.fromApi(read), null);
    this.#openTab("moves");
  }

  #choose(games: Tree[]): void {
    const list = h("ul", { class: "chooser" });
    const dialog = openDialog("Which game?", list);
    for (const game of games) {
      list.append(
        h(
          "li",
          {},
          button(names(game.tags) || "Untitled", () => (dialog.close(), this.#useRead(game)), {
            kind: "quiet",
          }),
        ),
      );
    }
  }

  #acceptDrops(): void {
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void file.text().then((text) => this.#loadText(text));
      else void this.#loadText(event.dataTransfer?.getData("text/plain") ?? "");
    });
  }

  #playFromHere(): void {
    openNewGame(this.#app, this.#request());
  }

  #edit(): void {
    const editor = editorView(this.#current.fen, (fen) => {
      dialog.close();
      void this.#loadFen(fen);
    });
    const dialog = openDialog("Set up a position", editor.element, () => editor.dispose());
    dialog.element.classList.add("wide");
  }
}

export function names(tags: Record<string, string>): string {
  const { White, Black, Event, Date: date } = tags;
  if (!White && !Black) return "";
  return [
    `${White ?? "?"} – ${Black ?? "?"}`,
    Event && Event !== "?" ? Event : "",
    date && !date.startsWith("?") ? date.slice(0, 4) : "",
  ]
    .filter(Boolean)
    .join(", ");
}
