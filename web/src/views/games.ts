// Saved games: find, open, import, export, delete.

import type { GameKind, GameSummary, GamesQuery, ImportError } from "../api";
import type { App, View } from "../app";
import { miniBoard } from "../board/mini";
import { pgnParts } from "../core/pgnparts";
import { counted } from "../core/speech";
import type { Games } from "../net/backend";
import { address } from "../router";
import { button, select } from "../ui/controls";
import { fill, h, saveFile } from "../ui/dom";
import { complain, notify } from "../ui/notice";
import { openNewGame } from "./newgame";

const KINDS: Record<GameKind, string> = {
  engine: "Against Gardez",
  friend: "With a friend",
  local: "At one board",
  engines: "Engine against engine",
  imported: "Imported",
};

const result = (text: GameSummary["result"]): string =>
  ({ "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "No result" })[text];

export const kindText = (kind: GameKind): string => KINDS[kind];

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

export class GamesView implements View {
  readonly section = "games";
  readonly title = "Games";
  readonly element: HTMLElement;

  readonly #app: App;
  readonly #games: Games;
  #filter: GamesQuery = {};
  #list = h("ul", { class: "game-list" });
  #count = h("p", { class: "hint", role: "status" });
  #more = h("div", { class: "more" });
  #total = 0;
  #asked = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#games = app.backend.games;
    const file = h("input", {
      type: "file",
      accept: ".pgn,application/x-chess-pgn,text/plain",
      class: "visually-hidden",
      onchange: () => void file.files?.[0]?.text().then((text) => this.#import(text)),
    });
    this.element = h(
      "main",
      { class: "page", id: "main" },
      h(
        "header",
        { class: "page-head" },
        h("h1", {}, "Games"),
        h(
          "div",
          { class: "actions small" },
          button("New game", () => openNewGame(app), { icon: "plus", kind: "primary" }),
          h("label", { class: "button" }, "Import PGN", file),
          button("Export all", () => this.#save("gardez.pgn", this.#games.exportPgn(this.#filter))),
        ),
      ),
      this.#filters(),
      this.#count,
      this.#list,
      this.#more,
    );
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      void event.dataTransfer?.files[0]?.text().then((text) => this.#import(text));
    });
    void this.#load();
  }

  dispose(): void {
    clearTimeout(this.#typing);
  }

  #filters(): HTMLElement {
    const set = (part: GamesQuery) => {
      this.#filter = { ...this.#filter, ...part };
      void this.#load();
    };
    const search = h("input", {
      type: "search",
      placeholder: "Name or opening",
      oninput: () => {
        clearTimeout(this.#typing);
        this.#typing = setTimeout(() => set({ text: search.value.trim() || undefined }), 250);
      },
    });
    const orAll = <T extends string>(value: T | ""): T | undefined => value || undefined;
    return h(
      "div",
      { class: "filters", role: "search" },
      h("label", { class: "field" }, h("span", {}, "Search"), search),
      select(
        "Kind",
        [["", "All"], ...(Object.entries(KINDS) as [GameKind, string][])] as ["" | GameKind, string][],
        "",
        (kind) => set({ kind: orAll(kind) }),
      ),
      select(
        "State",
        [
          ["", "All"],
          ["running", "In progress"],
          ["finished", "Finished"],
        ] as const,
        "",
        (status) => set({ status: orAll(status) }),
      ),
      select(
        "Result",
        [
          ["", "All"],
          ["won", "Won"],
          ["lost", "Lost"],
          ["drawn", "Drawn"],
        ] as const,
        "",
        (wanted) => set({ result: orAll(wanted) }),
      ),
    );
  }

  async #load(before?: string): Promise<void> {
    const asked = ++this.#asked;
    try {
      const { games, next, total } = await this.#games.list({ ...this.#filter, before, limit: 30 });
      if (asked !== this.#asked) return;
      if (!before) fill(this.#list);
      this.#list.append(...games.map((game) => this.#entry(game)));
      this.#showTotal(total);
      fill(this.#more, next !== null && button("More", () => void this.#load(next)));
    } catch (error) {
      complain(error);
    }
  }

  #showTotal(total: number): void {
    this.#total = total;
    this.#count.textContent = total === 0 ? this.#emptyText() : counted(total, "game");
  }

  #emptyText(): string {
    const isFiltered = Object.values(this.#filter).some((value) => value !== undefined);
    return isFiltered ? "No games match." : "No games yet. Play one, or drop a PGN file here.";
  }

  #entry(game: GameSummary): HTMLElement {
    const isRunning = !game.outcome && game.kind !== "imported";
    const facts = [
      KINDS[game.kind],
      game.opening?.name,
      counted(Math.ceil(game.plies / 2), "move"),
      day.format(game.updated),
    ];
    const entry = h(
      "li",
      { class: "game-entry" },
      h(
        "a",
        { class: "game-link", href: address(`/game/${game.id}`) },
        miniBoard(game.fen, game.you === "black"),
        h(
          "span",
          { class: "game-text" },
          h("strong", {}, `${game.white} – ${game.black}`),
          h(
            "span",
            { class: "game-result" },
            isRunning ? "In progress" : result(game.result),
            game.outcome && ` · ${game.outcome.text}`,
          ),
          h("small", {}, facts.filter(Boolean).join(" · ")),
        ),
      ),
      h(
        "div",
        { class: "entry-actions" },
        game.plies > 0 && button("Review", () => this.#app.go(`/review/${game.id}`), { kind: "quiet" }),
        game.plies > 0 && button("Replay", () => this.#app.go(`/game/${game.id}?show`), { kind: "quiet" }),
        button("PGN", () => this.#save("game.pgn", this.#games.pgn(game.id)), { kind: "quiet" }),
        button("", () => void this.#remove(game, entry), {
          icon: "trash",
          label: `Delete ${game.white} – ${game.black}`,
        }),
      ),
    );
    return entry;
  }

  #save(name: string, pgn: Promise<Blob>): void {
    pgn.then((content) => saveFile(name, content)).catch(complain);
  }

  async #remove(game: GameSummary, entry: HTMLElement): Promise<void> {
    try {
      await this.#games.remove(game.id);
      entry.remove();
      this.#showTotal(this.#total - 1);
      notify("The game is deleted.", {
        text: "Undo",
        run: () =>
          void this.#games
            .restore(game.id)
            .then(() => this.#load())
            .catch(complain),
      });
    } catch (error) {
      complain(error);
    }
  }

  /** Sends a file in parts, since the server takes no more than some games at once. */
  async #import(text: string): Promise<void> {
    let imported = 0;
    const faults: ImportError[] = [];
    try {
      for (const { text: part, linesBefore } of pgnParts(text)) {
        const { games, errors } = await this.#games.importPgn(part);
        imported += games.length;
        faults.push(...errors.map((fault) => ({ ...fault, line: fault.line && fault.line + linesBefore })));
        this.#count.textContent = `Importing: ${counted(imported, "game")} so far`;
      }
    } catch (error) {
      complain(error);
    }
    const [first] = faults;
    const place = first?.line ? `line ${first.line}: ` : "";
    const unread = first && `${counted(faults.length, "fault")} (${place}${first.message})`;
    notify([`${counted(imported, "game")} imported`, unread].filter(Boolean).join("; ").concat("."));
    void this.#load();
  }
}
