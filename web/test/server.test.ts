import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend } from "../src/net/backend";
import { connectServer } from "../src/net/server";

let requests: { method: string; address: string; body: unknown }[];
let respond: () => Response;
let sockets: TestSocket[];
let backend: Backend;

class TestSocket {
  sent: { id: number; type: string }[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor(readonly address: string) {
    sockets.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.onclose?.();
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

/** The socket of a session that has started. */
function open(): TestSocket {
  backend.session.start();
  const socket = sockets.at(-1)!;
  socket.onopen?.();
  return socket;
}

beforeEach(() => {
  requests = [];
  sockets = [];
  respond = () => Response.json({});
  vi.stubGlobal("location", { protocol: "http:", host: "gardez.test" });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("document", { addEventListener: () => undefined });
  vi.stubGlobal("WebSocket", TestSocket);
  vi.stubGlobal("fetch", (address: string, { method, body }: { method: string; body?: string }) => {
    requests.push({ method, address, body: body && JSON.parse(body) });
    return Promise.resolve().then(() => respond());
  });
  vi.useFakeTimers();
  backend = connectServer();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the server as backend", () => {
  it("asks over HTTP and leaves empty values out", async () => {
    respond = () => Response.json({ games: [], next: null, total: 0 });
    await expect(backend.games.list({ text: "", kind: "local", limit: 3 })).resolves.toMatchObject({
      total: 0,
    });
    await backend.games.pgn("a b", { annotated: true });
    expect(requests).toMatchObject([
      { method: "GET", address: "/api/v1/games?kind=local&limit=3" },
      { method: "GET", address: "/api/v1/games/a%20b/pgn?review=true" },
    ]);
  });

  it("gives the reason of a refusal", async () => {
    respond = () => Response.json({ code: "illegal", message: "no such move" }, { status: 400 });
    const refused = backend.positions.play({ moves: ["Zz9"] });
    await expect(refused).rejects.toMatchObject({ code: "illegal", message: "no such move" });
  });

  it("never shows the page of a proxy as a reason", async () => {
    respond = () => new Response("<html>Bad gateway</html>", { status: 502 });
    await expect(backend.session.info()).rejects.toThrow("the server answered with status 502");
    respond = () => Response.json({ detail: [] }, { status: 422 });
    await expect(backend.session.info()).rejects.toThrow("the server answered with status 422");
  });

  it("is offline when the network is", async () => {
    respond = () => {
      throw new TypeError("network");
    };
    await expect(backend.session.info()).rejects.toMatchObject({ code: "offline" });
  });

  it("separates the news of a watched game from those of others", () => {
    const socket = open();
    const heard: string[] = [];
    const leave = backend.games.watch("a", {
      changed: (game) => heard.push(`state ${game.id}`),
      declined: (offer) => heard.push(`declined ${offer}`),
      deleted: () => heard.push("deleted"),
      failed: () => heard.push("failed"),
    });
    socket.say({ type: "game", game: { id: "a" } });
    socket.say({ type: "declined", game: "b", offer: "draw" });
    socket.say({ type: "declined", game: "a", offer: "rematch" });
    socket.say({ type: "gone", game: "a" });
    expect(heard).toEqual(["state a", "declined rematch", "deleted"]);
    leave();
    socket.say({ type: "gone", game: "a" });
    expect(heard).toHaveLength(3);
  });

  it("gives the game of a rematch, or none while the opponent must agree", async () => {
    const socket = open();
    const agreed = backend.games.rematch("a");
    socket.say({ re: socket.sent.at(-1)!.id, type: "game", game: { id: "b" } });
    await expect(agreed).resolves.toEqual({ id: "b" });
    const offered = backend.games.rematch("a");
    socket.say({ re: socket.sent.at(-1)!.id, type: "ok" });
    await expect(offered).resolves.toBeNull();
  });

  it("ends an analysis when another one starts", () => {
    const socket = open();
    const depths: number[] = [];
    const updated = ({ depth }: { depth: number }) => depths.push(depth);
    const start = () => backend.analysis.start({ lines: 1 }, updated, () => undefined);
    start();
    const first = socket.sent.at(-1)!.id;
    start();
    const second = socket.sent.at(-1)!.id;
    socket.say({ re: first, type: "analysis", analysis: { depth: 1 } });
    socket.say({ re: second, type: "analysis", analysis: { depth: 2 } });
    backend.analysis.stop();
    socket.say({ re: second, type: "analysis", analysis: { depth: 3 } });
    expect(depths).toEqual([2]);
    expect(socket.sent.map(({ type }) => type)).toEqual(["analyse", "analyse", "stop"]);
  });

  it("reports the progress and the end of a review", () => {
    const socket = open();
    const heard: unknown[] = [];
    backend.reviews.start("a", "quick", {
      progressed: (done, total) => heard.push([done, total]),
      finished: (review) => heard.push(review),
      failed: () => heard.push("failed"),
    });
    const re = socket.sent.at(-1)!.id;
    socket.say({ re, type: "reviewing", game: "a", done: 1, total: 2 });
    socket.say({ re, type: "review", review: { game: "a" } });
    socket.say({ re, type: "reviewing", game: "a", done: 2, total: 2 });
    expect(heard).toEqual([[1, 2], { game: "a" }]);
  });
});
