import { describe, expect, it } from "vitest";
import type { GameState, Outcome } from "../src/api";
import { statusText } from "../src/core/status";

const player = (name: string) => ({ name, seated: true });

const state = (part: object): GameState =>
  ({
    kind: "engine",
    you: "white",
    white: player("Ann"),
    black: player("Gardez"),
    position: { turn: "white", check: null },
    outcome: null,
    thinking: null,
    paused: false,
    ...part,
  }) as unknown as GameState;

const ended = (part: Partial<Outcome>) => ({ winner: null, result: "1/2-1/2", text: "Stalemate", ...part });

describe("status of a game", () => {
  it.each([
    [{}, "Your move"],
    [{ position: { turn: "white", check: "e1" } }, "Your move: you are in check"],
    [{ position: { turn: "black", check: null } }, "Gardez to move"],
    [{ thinking: "black" }, "Gardez is thinking…"],
    [{ you: "both", position: { turn: "black", check: null } }, "Black to move"],
    [{ paused: true }, "Paused"],
    [{ black: { name: "", seated: false } }, "Waiting for your friend"],
    [{ kind: "imported", you: null }, "A recorded game"],
  ])("%j", (part, text) => expect(statusText(state(part), false)).toBe(text));

  it.each([
    ["white", ended({ winner: "white", text: "Black is checkmated" }), "You won: Black is checkmated"],
    ["white", ended({ winner: "black", text: "White resigned" }), "You lost: White resigned"],
    ["both", ended({ winner: "black", text: "White resigned" }), "Black won: White resigned"],
    [null, ended({}), "Draw: Stalemate"],
    [null, ended({ result: "*", text: "The game was abandoned" }), "The game was abandoned"],
  ])("seen by %s", (you, outcome, text) => expect(statusText(state({ you, outcome }), false)).toBe(text));
});
