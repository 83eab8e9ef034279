// PGN and FEN in and out of the analysis.

import type { Tree } from "../../api";
import { START } from "../../core/fen";
import { gameTitle } from "../../core/notation";
import type { Backend } from "../../net/backend";
import { button } from "../../ui/controls";
import { openDialog } from "../../ui/dialog";
import { h, saveFile } from "../../ui/dom";
import { complain, notify } from "../../ui/notice";
import type { AnalysisTree } from "./tree";

const PLACEMENT = /^([1-8pnbrqkPNBRQK]+\/){7}[1-8pnbrqkPNBRQK]+/;

export class Files {
  readonly #backend: Backend;
  readonly #tree: AnalysisTree;
  readonly #go: (path: string) => void;
  /** A game was loaded. */
  readonly #loaded: () => void;

  constructor(backend: Backend, tree: AnalysisTree, go: (path: string) => void, loaded: () => void) {
    this.#backend = backend;
    this.#tree = tree;
    this.#go = go;
    this.#loaded = loaded;
  }

  /** The content of the tab. */
  panel(): HTMLElement {
    const text = h("textarea", {
      rows: 7,
      spellcheck: "false",
      placeholder: "Paste a PGN or a FEN here, or drop a file on the page",
    });
    const file = h("input", {
      type: "file",
      accept: ".pgn,.fen,.txt,application/x-chess-pgn,text/plain",
      class: "visually-hidden",
      onchange: () => void file.files?.[0]?.text().then((content) => this.load(content)),
    });
    const withPgn = (use: (pgn: string) => void) => () =>
      void this.#tree.writePgn().then(use).catch(complain);
    const show = (pgn: string) => {
      text.value = pgn;
    };
    return h(
      "div",
      { class: "files" },
      h("label", { class: "field" }, h("span", {}, "PGN or FEN"), text),
      h(
        "div",
        { class: "actions small" },
        button("Load", () => void this.load(text.value), { kind: "primary" }),
        h("label", { class: "button" }, "Open a file", file),
        button("Show PGN", withPgn(show)),
        button(
          "Save PGN",
          withPgn((pgn) => saveFile("analysis.pgn", pgn)),
          { icon: "download" },
        ),
        button("Review", () => void this.#review().catch(complain), { icon: "learn" }),
        button("Start position", () => void this.load(START)),
      ),
    );
  }

  /** Loads a PGN or a FEN, whichever the text is. */
  async load(text: string): Promise<void> {
    const content = text.trim();
    if (!content) return;
    try {
      if (PLACEMENT.test(content) && !content.includes("\n")) await this.#tree.loadFen(content);
      else await this.#loadPgn(content);
    } catch (error) {
      complain(error);
    }
  }

  /** Loads files and texts that are dropped on an element. */
  acceptDrops(element: HTMLElement): void {
    element.addEventListener("dragover", (event) => event.preventDefault());
    element.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void file.text().then((text) => this.load(text));
      else void this.load(event.dataTransfer?.getData("text/plain") ?? "");
    });
  }

  async #loadPgn(pgn: string): Promise<void> {
    const { games, errors } = await this.#backend.positions.readPgn(pgn);
    const [problem] = errors;
    if (problem) notify(`Line ${problem.line}, column ${problem.column}: ${problem.message}.`);
    const [first] = games;
    if (games.length > 1) this.#choose(games);
    else if (first) this.#use(first);
  }

  #use(game: Tree): void {
    this.#tree.loadTree(game);
    this.#loaded();
  }

  #choose(games: Tree[]): void {
    const list = h("ul", { class: "chooser" });
    const dialog = openDialog("Which game?", list);
    for (const game of games) {
      const use = () => {
        dialog.close();
        this.#use(game);
      };
      list.append(h("li", {}, button(gameTitle(game.tags) || "Untitled", use, { kind: "quiet" })));
    }
  }

  /** Saves the analysis as a game and opens its review. */
  async #review(): Promise<void> {
    const saved = await this.#backend.games.importPgn(await this.#tree.writePgn());
    const [game] = saved.games;
    if (game) this.#go(`/review/${game.id}`);
    else notify("There are no moves to review yet.");
  }
}
