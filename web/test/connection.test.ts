import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameState } from "../src/api";
import { backoff } from "../src/net/backoff";
import { Connection, type Socket } from "../src/net/connection";

/** A socket whose other end is the test. */
class TestSocket implements Socket {
  sent: { id: number; type: string; [field: string]: unknown }[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let sockets: TestSocket[];
const latest = () => sockets.at(-1)!;
const connection = () => {
  const made = new Connection(() => {
    sockets.push(new TestSocket());
    return latest();
  });
  made.start();
  return made;
};

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe("connection", () => {
  it("matches answers to requests", async () => {
    const line = connection();
    latest().onopen?.();
    const first = line.request({ type: "takeback", game: "a" });
    const second = line.request({ type: "draw", game: "a" });
    const [a, b] = latest().sent;
    latest().say({ re: b!.id, type: "error", error: { code: "illegal", message: "no" } });
    latest().say({ re: a!.id, type: "ok" });
    await expect(first).resolves.toMatchObject({ type: "ok" });
    await expect(second).rejects.toThrow("no");
  });

  it("comes back with growing patience", async () => {
    const line = connection();
    latest().onopen?.();
    latest().onclose?.();
    expect(line.status).toBe("lost");
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(400);
    expect(sockets).toHaveLength(2);
    latest().onclose?.();
    await vi.advanceTimersByTimeAsync(400);
    expect(sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(400);
    expect(sockets).toHaveLength(3);
  });

  it("sends a move again when the connection broke before the answer, after watching", async () => {
    const line = connection();
    latest().onopen?.();
    line.watch(
      "a",
      () => undefined,
      () => undefined,
    );
    latest().say({ re: latest().sent[0]!.id, type: "game", game: { id: "a" } });
    const moved = line.request({ type: "move", game: "a", ply: 0, move: "e2e4" });
    latest().onclose?.();
    await vi.advanceTimersByTimeAsync(500);
    latest().onopen?.();
    expect(latest().sent.map(({ type }) => type)).toEqual(["watch", "move"]);
    latest().say({ re: latest().sent[1]!.id, type: "ok" });
    await expect(moved).resolves.toMatchObject({ type: "ok" });
  });

  it("fails what may not be sent twice", async () => {
    const line = connection();
    latest().onopen?.();
    const offered = line.request({ type: "draw", game: "a" });
    latest().onclose?.();
    await expect(offered).rejects.toMatchObject({ code: "offline" });
    await expect(line.request({ type: "resign", game: "a" })).rejects.toMatchObject({ code: "offline" });
  });

  it("keeps a move made while away until it is back", async () => {
    const line = connection();
    const moved = line.request({ type: "move", game: "a", ply: 0, move: "e4" });
    expect(latest().sent).toHaveLength(0);
    latest().onopen?.();
    expect(latest().sent).toMatchObject([{ type: "move", move: "e4" }]);
    latest().say({ re: latest().sent[0]!.id, type: "ok" });
    await moved;
  });

  it("gives news of a game to those who watch it", () => {
    const line = connection();
    latest().onopen?.();
    const seen: GameState[] = [];
    const leave = line.watch(
      "a",
      (game) => seen.push(game),
      () => undefined,
    );
    latest().say({ type: "game", game: { id: "a", revision: 2 } });
    latest().say({ type: "game", game: { id: "b", revision: 1 } });
    expect(seen).toMatchObject([{ id: "a", revision: 2 }]);
    leave();
    expect(latest().sent.at(-1)).toMatchObject({ type: "unwatch", game: "a" });
  });

  it("resumes an analysis after coming back", async () => {
    const line = connection();
    latest().onopen?.();
    const depths: number[] = [];
    const stop = line.stream({ type: "analyse", lines: 1 }, (message) => {
      if (message.type === "analysis") depths.push(message.analysis.depth);
    });
    latest().say({ re: latest().sent[0]!.id, type: "analysis", analysis: { depth: 5 } });
    latest().onclose?.();
    await vi.advanceTimersByTimeAsync(500);
    latest().onopen?.();
    const again = latest().sent.find(({ type }) => type === "analyse")!;
    latest().say({ re: again.id, type: "analysis", analysis: { depth: 6 } });
    stop();
    latest().say({ re: again.id, type: "analysis", analysis: { depth: 7 } });
    expect(depths).toEqual([5, 6]);
  });

  it("notices a line that is dead without saying so", async () => {
    const line = connection();
    latest().onopen?.();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(latest().sent.at(-1)).toMatchObject({ type: "ping" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(line.status).not.toBe("open");
    expect(sockets[0]!.closed).toBe(true);
  });

  it("ignores what it does not understand", () => {
    const line = connection();
    latest().onopen?.();
    latest().onmessage?.({ data: "{not json" });
    latest().onmessage?.({ data: new ArrayBuffer(2) });
    latest().say({ type: "something new" });
    latest().say({ re: 999, type: "ok" });
    expect(line.status).toBe("open");
  });
});

describe("backoff", () => {
  it("doubles up to a limit", () => {
    expect(backoff(0, 1)).toBe(400);
    expect(backoff(1, 1)).toBe(800);
    expect(backoff(50, 1)).toBe(15_000);
  });

  it("spreads", () => expect(backoff(2, 0)).toBeLessThan(backoff(2, 1)));
});
