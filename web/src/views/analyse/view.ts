// Analysis: free moves with variations, the engine's lines, its reasons, PGN and FEN in and out.

import type { RemarkLine } from "../../api";
import type { App, View } from "../../app";
import { type Arrow, Board } from "../../board/board";
import { endingOf } from "../../core/ending";
import { squaresOf } from "../../core/fen";
import { gameTitle } from "../../core/notation";
import { speakSan } from "../../core/speech";
import { lineFrom, type Node } from "../../core/tree";
import { button } from "../../ui/controls";
import { openDialog } from "../../ui/dialog";
import { copy, fill, h, setText } from "../../ui/dom";
import { tick } from "../../ui/haptic";
import { MoveForm } from "../../ui/moveform";
import { announce, complain, notify } from "../../ui/notice";
import { play, soundOf } from "../../ui/sound";
import { stage } from "../../ui/stage";
import { onSwipe } from "../../ui/swipe";
import { Tabs } from "../../ui/tabs";
import { TreeView } from "../../ui/treeview";
import { walkControls } from "../../ui/walk";
import { onWheel } from "../../ui/wheel";
import { openNewGame } from "../newgame";
import { BoardEditor } from "./editor";
import { EnginePanel } from "./engine";
import { explanation } from "./explain";
import { Files } from "./files";
import { openMoveMenu } from "./movemenu";
import { AnalysisTree } from "./tree";

interface Start {
  fen: string | null;
  game: string | null;
  ply: number | null;
  /** To be opened from there, in UCI. */
  line: string[];
}

const TABS = [
  ["moves", "Moves"],
  ["explain", "Why?"],
  ["files", "Load & save"],
] as const;

export class AnalyseView implements View {
  readonly section = "analyse";
  readonly title = "Analyse";
  readonly element: HTMLElement;

  readonly #app: App;
  readonly #tree: AnalysisTree;
  readonly #board: Board;
  readonly #engine: EnginePanel;
  readonly #files: Files;
  readonly #tabs = new Tabs(TABS, "moves", () => this.#drawTab());
  readonly #treeView = new TreeView(
    (node) => void this.#tree.goTo(node),
    (node) => openMoveMenu(this.#tree, node),
  );
  readonly #undo = button("Undo", () => this.#tree.undo(), { kind: "quiet" });
  readonly #redo = button("Redo", () => this.#tree.redo(), { kind: "quiet" });
  readonly #opening = h("p", { class: "opening" });
  readonly #fen = h("input", {
    class: "fen",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "Position as FEN",
  });
  readonly #typed = new MoveForm((move) => this.#play(move));

  constructor(app: App, start: Start) {
    const { backend, info } = app;
    this.#app = app;
    this.#tree = new AnalysisTree(
      backend,
      (from) => this.#moved(from),
      () => this.#learned(),
    );
    this.#board = new Board((uci) => void this.#play(uci), "Analysis board");
    this.#engine = new EnginePanel(backend.analysis, this.#board, info.maxLines, (moves) => {
      this.#tree.playLine(moves).catch(complain);
    });
    this.#files = new Files(backend, this.#tree, app.go, () => this.#tabs.open("moves"));
    this.element = stage(
      "Analysis",
      {
        board: this.#board.element,
        above: this.#opening,
        bar: this.#engine.bar.element,
        controls: this.#walkControls(),
      },
      this.#engine.controls,
      this.#engine.lines.element,
      this.#tabs.list,
      this.#tabs.panel,
      this.#typed.element,
      this.#fenForm(),
      this.#actions(),
    );
    onSwipe(this.#treeView.element, (direction) => this.#step(direction));
    onWheel(this.#board.element, (direction) => this.#step(direction));
    this.#files.acceptDrops(this.element);
    this.#drawTab();
    void this.#begin(start);
  }

  key(event: KeyboardEvent): boolean {
    const line = lineFrom(this.#tree.current);
    const to = {
      ArrowLeft: this.#tree.current.parent,
      ArrowRight: line[0],
      Home: this.#tree.tree.root,
      End: line.at(-1),
    }[event.key];
    if (to) void this.#tree.goTo(to);
    else if (event.key === "u") this.#tree.undo();
    else if (event.key === "r") this.#tree.redo();
    else if (event.key === "f") this.#flip();
    else if (event.key === "/") this.#typed.focus();
    else if (event.key === "e") this.#engine.toggle();
    else return false;
    return true;
  }

  dispose(): void {
    this.#engine.dispose();
    this.#board.destroy();
  }

  async #begin({ game, ply, fen, line }: Start): Promise<void> {
    try {
      if (game) {
        if ((await this.#tree.loadGame(game, ply)) === "black") this.#flip();
      } else if (fen) await this.#tree.loadFen(fen);
      else this.#tree.loadKept();
      if (line.length > 0) await this.#tree.openLine(line);
    } catch (error) {
      complain(error);
      this.#tree.loadStart();
    }
  }

  #fenForm(): HTMLElement {
    const copyFen = async () => {
      if (await copy(this.#tree.current.fen)) notify("The position is copied.");
    };
    return h(
      "form",
      {
        class: "fen-row",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          this.#tree.loadFen(this.#fen.value).catch(complain);
        },
      },
      this.#fen,
      button("", () => void copyFen(), { icon: "save", label: "Copy the position" }),
    );
  }

  #walkControls(): HTMLElement {
    const moves = this.#tree;
    return walkControls("Walk through the moves", {
      first: () => void moves.goTo(moves.tree.root),
      back: () => this.#step(-1),
      forward: () => this.#step(1),
      last: () => void moves.goTo(lineFrom(moves.current).at(-1)),
      flip: () => this.#flip(),
    });
  }

  #step(direction: 1 | -1): void {
    const { current } = this.#tree;
    const to = direction === 1 ? current.children[0] : current.parent;
    if (!to) return;
    tick();
    void this.#tree.goTo(to);
  }

  #actions(): HTMLElement {
    const playFromHere = () => openNewGame(this.#app, this.#tree.request());
    return h(
      "div",
      { class: "actions" },
      button("Play from here", playFromHere, { icon: "play", kind: "primary" }),
      button("Edit board", () => this.#edit(), { icon: "edit" }),
    );
  }

  /** Another position is shown. */
  #moved(from: Node | null): void {
    const { current } = this.#tree;
    if (current.san) {
      if (from && current.parent === from) play(soundOf(current.san));
      announce(speakSan(current.san));
    }
    this.#draw();
    this.#engine.analyse({ request: this.#tree.request(), outcome: this.#tree.position?.outcome });
    if (this.#tabs.current === "explain") this.#drawTab();
  }

  #learned(): void {
    this.#draw();
    this.#engine.learn(this.#tree.position?.outcome ?? null);
  }

  async #play(move: string): Promise<boolean> {
    try {
      return await this.#tree.play(move);
    } catch (error) {
      complain(error);
      this.#board.reset();
      return false;
    }
  }

  #draw(): void {
    const { current, position, tree } = this.#tree;
    this.#board.place({
      fen: current.fen,
      movable: position ? "both" : null,
      dests: position?.dests ?? {},
      lastMove: position?.lastMove ?? (current.uci ? squaresOf(current.uci) : null),
      check: position ? position.check !== null : /[+#]/.test(current.san),
    });
    if (document.activeElement !== this.#fen) this.#fen.value = current.fen;
    const opening = position?.opening && `${position.opening.eco} ${position.opening.name}`;
    if (opening) this.#opening.title = opening;
    const heading =
      endingOf(position?.outcome)?.text ?? opening ?? (current.parent ? null : gameTitle(tree.tags));
    if (heading !== null) setText(this.#opening, heading);
    this.#treeView.show(tree, current);
    this.#undo.disabled = !this.#tree.canUndo;
    this.#redo.disabled = !this.#tree.canRedo;
  }

  #flip(): void {
    this.#board.flip();
    this.#engine.draw();
  }

  #drawTab(): void {
    const { panel, current } = this.#tabs;
    if (current === "moves") fill(panel, this.#treeView.element, this.#variationButtons());
    else if (current === "files") fill(panel, this.#files.panel());
    else void this.#explain().catch(complain);
  }

  async #explain(): Promise<void> {
    const node = this.#tree.current;
    fill(this.#tabs.panel, h("p", { class: "hint", role: "status" }, "The coach looks at the position…"));
    const answer = await this.#app.backend.positions.explain(this.#tree.request());
    if (this.#tabs.current !== "explain" || node !== this.#tree.current) return;
    const mark = (arrows: Arrow[]) => {
      if (arrows.length === 0) this.#engine.draw();
      else this.#board.arrows(arrows);
    };
    const open = (line: RemarkLine) => this.#opener(node, line);
    fill(this.#tabs.panel, explanation(answer, { mark, open }));
  }

  /** What opens a line of the coach: it begins here, or before the last move. A threat begins with a pass, and cannot. */
  #opener(node: Node, { fen, moves }: RemarkLine): (() => void) | null {
    const from = [node, node.parent].find((place) => place?.fen === fen);
    if (!from) return null;
    const line = moves.map(({ uci }) => uci);
    return () => void this.#tree.openLine(line, from).catch(complain);
  }

  #variationButtons(): HTMLElement {
    return h(
      "div",
      { class: "actions small" },
      this.#undo,
      this.#redo,
      button("Comment, sign, order…", () => openMoveMenu(this.#tree, this.#tree.current), { kind: "quiet" }),
    );
  }

  #edit(): void {
    const editor = new BoardEditor(this.#app.backend.positions, this.#tree.current.fen, (fen) => {
      dialog.close();
      this.#tree.loadFen(fen).catch(complain);
    });
    const dialog = openDialog("Set up a position", editor.element, () => editor.dispose());
    dialog.element.classList.add("wide");
  }
}
