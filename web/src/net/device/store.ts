// What the backend stores: in the database if the browser has one and room in it, and otherwise nowhere but in memory. Pages of
// the same browser learn from each other what has changed.

import { type Change, Database, type Saved } from "./database";

const CHANNEL = "gardez-changes";

export interface StoreListener {
  /** Another page has stored something. */
  changed(change: Change): void;
  /** Called once. */
  failed(reason: string): void;
}

export class Store {
  readonly #listener: StoreListener;
  readonly #channel = new BroadcastChannel(CHANNEL);
  #database: Database | null = null;
  #hasFailed = false;
  /** Games that are newer in memory than in the database, because they could not be written. */
  #unsaved = new Set<string>();

  constructor(listener: StoreListener) {
    this.#listener = listener;
    this.#channel.onmessage = (event: MessageEvent<Change>) => listener.changed(event.data);
  }

  /** Opens the database and returns everything that is stored. */
  async open(): Promise<Change[]> {
    try {
      this.#database = await Database.open();
      return await this.#database.changes();
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  async save(change: Change): Promise<Saved> {
    const games = "games" in change ? change.games.map(({ id }) => id) : [];
    try {
      const saved = this.#database ? await this.#database.save(change, this.#unsaved) : "done";
      if (saved !== "done" || !this.#database) return saved;
      for (const id of games) this.#unsaved.delete(id);
      this.#channel.postMessage(change);
    } catch (error) {
      for (const id of games) this.#unsaved.add(id);
      this.#fail(error);
    }
    return "done";
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#listener.failed(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === "QuotaExceededError") return "there is no room left";
  return error instanceof Error && error.message ? error.message : "the browser refuses to store anything";
}
