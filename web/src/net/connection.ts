// The WebSocket: requests with answers, streams of analysis, watched games; and reconnection.
//
// The server sends whole states, so coming back is simple: watch again, repeat what may be sent twice, and resume
// the streams. Every other request under way fails with "offline", and the person decides.

import type { GameState, Message, Request } from "../api";
import { Refusal, type Status } from "./backend";
import { backoff } from "./backoff";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Body = WithoutId<Request>;
export type News = Exclude<Message, { type: "hello" }>;

interface Pending {
  body: Body;
  /** May be sent twice without harm. */
  repeatable: boolean;
  resolve(message: Message): void;
  reject(error: Refusal): void;
}

interface Stream {
  body: Body;
  on(message: Message): void;
  fail(error: Refusal): void;
}

/** The part of a WebSocket that is used, so that tests can replace it. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
}

const PING_EVERY = 20_000;
const PONG_WITHIN = 10_000;
const REPEATABLE = new Set<Body["type"]>(["watch", "move", "hint", "ping"]);

export class Connection {
  status: Status = "connecting";

  #open: () => Socket;
  #socket: Socket | null = null;
  #started = false;
  #attempt = 0;
  #nextId = 1;
  #pending = new Map<number, Pending>();
  #streams = new Map<number, Stream>();
  #watchers = new Map<string, Set<(game: GameState) => void>>();
  #news = new Set<(news: News) => void>();
  #statusListeners = new Set<(status: Status) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setTimeout> | undefined;

  constructor(open: () => Socket) {
    this.#open = open;
  }

  /** Connects; before that, requests wait. A server with a password accepts no connection before the log-in. */
  start(): void {
    this.#started = true;
    this.#connect();
  }

  /** Sends, and waits for the one answer. */
  request(body: Body): Promise<Message> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const repeatable = REPEATABLE.has(body.type);
      if (this.status !== "open" && !repeatable) {
        reject(new Refusal("offline", "there is no connection to the server"));
        return;
      }
      this.#pending.set(id, { body, repeatable, resolve, reject });
      this.#send(id, body);
    });
  }

  /** Sends a request with many answers, and resumes it after a lost connection. The function it returns ends it. */
  stream(
    body: Body,
    on: (message: Message) => void,
    fail: (error: Refusal) => void = () => undefined,
  ): () => void {
    const id = this.#nextId++;
    const stream: Stream = { body, on, fail };
    this.#streams.set(id, stream);
    this.#send(id, body);
    return () => {
      for (const [known, other] of this.#streams) if (other === stream) this.#streams.delete(known);
    };
  }

  /** Follows a game through every change and reconnection. */
  watch(game: string, on: (game: GameState) => void, fail: (error: Refusal) => void): () => void {
    const watchers = this.#watchers.get(game) ?? new Set();
    this.#watchers.set(game, watchers);
    watchers.add(on);
    this.request({ type: "watch", game }).catch(fail);
    return () => {
      watchers.delete(on);
      if (watchers.size > 0) return;
      this.#watchers.delete(game);
      if (this.status === "open") this.request({ type: "unwatch", game }).catch(() => undefined);
    };
  }

  onNews(listener: (news: News) => void): () => void {
    this.#news.add(listener);
    return () => this.#news.delete(listener);
  }

  onStatus(listener: (status: Status) => void): () => void {
    this.#statusListeners.add(listener);
    listener(this.status);
    return () => this.#statusListeners.delete(listener);
  }

  /** Tries at once, when the network is back or the page is visible again. */
  reconnectNow(): void {
    if (!this.#started || this.status === "open") return;
    this.#attempt = 0;
    this.#connect();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#drop();
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onclose = () => this.#lost();
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.#receive(event.data);
    };
  }

  /** Closes the socket and ignores what it still sends. */
  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onclose = socket.onmessage = null;
    socket.close();
  }

  #opened(): void {
    this.#attempt = 0;
    this.#become("open");
    const waiting = [...this.#pending];
    const streams = [...this.#streams];
    this.#pending.clear();
    this.#streams.clear();
    const watchesWaiting = new Set<string>();
    for (const [, { body }] of waiting) if (body.type === "watch") watchesWaiting.add(body.game);
    for (const game of this.#watchers.keys()) {
      if (!watchesWaiting.has(game)) this.request({ type: "watch", game }).catch(() => undefined);
    }
    // The server accepts commands only for a game that is watched.
    waiting.sort(([, a], [, b]) => Number(b.body.type === "watch") - Number(a.body.type === "watch"));
    for (const [, pending] of waiting) {
      const id = this.#nextId++;
      this.#pending.set(id, pending);
      this.#send(id, pending.body);
    }
    for (const [, stream] of streams) {
      const id = this.#nextId++;
      this.#streams.set(id, stream);
      this.#send(id, stream.body);
    }
    this.#beat();
  }

  #lost(): void {
    this.#drop();
    clearTimeout(this.#heartbeat);
    for (const [id, pending] of this.#pending) {
      if (pending.repeatable) continue;
      this.#pending.delete(id);
      pending.reject(new Refusal("offline", "the connection was lost"));
    }
    this.#become("lost");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), backoff(this.#attempt++));
  }

  #beat(): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => {
      this.request({ type: "ping" }).catch(() => undefined);
      this.#heartbeat = setTimeout(() => this.#lost(), PONG_WITHIN);
    }, PING_EVERY);
  }

  #send(id: number, body: Body): void {
    if (this.status === "open") this.#socket?.send(JSON.stringify({ id, ...body }));
  }

  #receive(text: string): void {
    this.#beat();
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch {
      return;
    }
    if (message.type === "hello") return;
    if (message.type === "game") for (const on of this.#watchers.get(message.game.id) ?? []) on(message.game);
    const re = "re" in message ? message.re : undefined;
    if (re === undefined) {
      for (const listener of this.#news) listener(message);
      return;
    }
    this.#answer(re, message);
  }

  #answer(re: number, message: Message): void {
    const stream = this.#streams.get(re);
    if (stream) {
      if (message.type === "error") {
        this.#streams.delete(re);
        stream.fail(new Refusal(message.error.code, message.error.message));
      } else {
        stream.on(message);
      }
      return;
    }
    const pending = this.#pending.get(re);
    if (!pending) return;
    this.#pending.delete(re);
    if (message.type === "error") pending.reject(new Refusal(message.error.code, message.error.message));
    else pending.resolve(message);
  }

  #become(status: Status): void {
    if (this.status === status) return;
    this.status = status;
    for (const listener of this.#statusListeners) listener(status);
  }
}

/** The connection of the page to the server it came from. */
export function connect(path: string): Connection {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
  const connection = new Connection(() => new WebSocket(address) as unknown as Socket);
  addEventListener("online", () => connection.reconnectNow());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) connection.reconnectNow();
  });
  return connection;
}
