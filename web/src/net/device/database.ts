// Games, reviews and solved exercises in the browser's database (IndexedDB). What is written in it is made and read by
// crates/wasm; here only names and versions of games are looked at.

export interface StoredGame {
  id: string;
  /** Grows with every change. */
  version: number;
  deleted?: boolean;
}

interface StoredReview {
  game: string;
}

/** Something to be stored, as crates/wasm writes it. */
export type Change =
  | { games: StoredGame[] }
  | { review: StoredReview }
  | { solved: [game: string, ply: number] };

/** What has come of it: stored, or there is a newer version of a game. */
export type Saved = "done" | { conflict: StoredGame };

const VERSION = 1;

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's database failed"));
  });

const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(transaction.error ?? new Error("the browser's database was interrupted"));
    transaction.oncomplete = () => resolve();
    transaction.onabort = fail;
    transaction.onerror = fail;
  });

export class Database {
  static readonly NAME = "gardez";
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Another page has a newer version of the program, which changes the database.
    database.onversionchange = () => database.close();
  }

  static async open(): Promise<Database> {
    const request = indexedDB.open(Database.NAME, VERSION);
    request.onupgradeneeded = () => {
      const database = request.result;
      database.createObjectStore("games", { keyPath: "id" });
      database.createObjectStore("reviews", { keyPath: "game" });
      database.createObjectStore("solved");
      // The version of each game that a server has.
      database.createObjectStore("sent");
    };
    return new Database(await done(request));
  }

  /** Everything that is stored. */
  async changes(): Promise<Change[]> {
    const transaction = this.#database.transaction(["games", "reviews", "solved"]);
    const [games, reviews, solved] = await Promise.all([
      done(transaction.objectStore("games").getAll() as IDBRequest<StoredGame[]>),
      done(transaction.objectStore("reviews").getAll() as IDBRequest<StoredReview[]>),
      done(transaction.objectStore("solved").getAll() as IDBRequest<[string, number][]>),
    ]);
    return [
      // One by one, so that a game that cannot be read leaves out no other.
      ...games.map((game) => ({ games: [game] })),
      ...reviews.map((review) => ({ review })),
      ...solved.map((exercise) => ({ solved: exercise })),
    ];
  }

  /** Games that no server has as they stand here. */
  async unsent(): Promise<StoredGame[]> {
    const transaction = this.#database.transaction(["games", "sent"]);
    const [games, ids, versions] = await Promise.all([
      done(transaction.objectStore("games").getAll() as IDBRequest<StoredGame[]>),
      done(transaction.objectStore("sent").getAllKeys()),
      done(transaction.objectStore("sent").getAll() as IDBRequest<number[]>),
    ]);
    const sent = new Map(ids.map((id, index) => [id, versions[index] ?? 0]));
    return games.filter(({ id, version, deleted }) => !deleted && version > (sent.get(id) ?? 0));
  }

  /** A server has this version of a game. */
  async markSent({ id, version }: StoredGame): Promise<void> {
    const transaction = this.#database.transaction("sent", "readwrite");
    transaction.objectStore("sent").put(version, id);
    await committed(transaction);
  }

  /** Stores a change, whole or not at all; not over a newer version of a game, unless it is one of `forced`. */
  async save(change: Change, forced: ReadonlySet<string>): Promise<Saved> {
    const stores = ["games", "reviews", "solved"];
    const transaction = this.#database.transaction(stores, "readwrite", { durability: "strict" });
    const end = committed(transaction);
    // Looked at below; a rejection before that must not count as one that no one handles.
    end.catch(() => undefined);
    if ("games" in change) {
      const games = transaction.objectStore("games");
      for (const game of change.games) {
        const stored = await done(games.get(game.id) as IDBRequest<StoredGame | undefined>);
        if (stored && stored.version >= game.version && !forced.has(game.id)) {
          transaction.abort();
          return { conflict: stored };
        }
        games.put(game);
      }
    } else if ("review" in change) {
      transaction.objectStore("reviews").put(change.review);
    } else {
      transaction.objectStore("solved").put(change.solved, change.solved.join(" "));
    }
    await end;
    return "done";
  }
}
