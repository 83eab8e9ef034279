// The choices for a new game, and the request they make.

import type { Info, NewGame, Seat, Variant } from "../api";

export type Opponent = "engine" | "local" | "friend" | "engines" | "replay";
export type Side = "white" | "random" | "black";
export type From = "standard" | "chess960" | "fen";

export interface Choice {
  opponent: Opponent;
  engine: string;
  other: string;
  side: Side;
  clock: string;
  from: From;
  fen: string;
  humanPace: boolean;
}

/** A position and moves to continue from, instead of a start position. */
export interface Origin {
  fen: string;
  moves: string[];
  variant: Variant;
}

/** What the form shows first: the choice of last time, where it still exists. */
export function firstChoice({ levels, classics }: Info, kept: Partial<Choice> | null): Choice {
  const middle = levels[Math.floor((levels.length - 1) / 3)] ?? levels[0];
  const engine = `level:${middle?.id ?? ""}`;
  const other = `level:${levels.at(-1)?.id ?? ""}`;
  const choice: Choice = {
    opponent: "engine",
    engine,
    other,
    side: "white",
    clock: "none",
    from: "standard",
    humanPace: true,
    ...kept,
    fen: "",
  };
  const known = new Set([
    ...levels.map(({ id }) => `level:${id}`),
    ...classics.map(({ id }) => `classic:${id}`),
  ]);
  if (!known.has(choice.engine)) choice.engine = engine;
  if (!known.has(choice.other)) choice.other = other;
  if (choice.from === "fen") choice.from = "standard";
  return choice;
}

export function readClock(text: string): NewGame["clock"] {
  const match = /^(\d+)\+(\d+)$/.exec(text);
  return match ? { initial: Number(match[1]) * 1000, increment: Number(match[2]) * 1000 } : null;
}

/** The request for a choice. */
export function toNewGame(
  choice: Choice,
  name: string,
  origin: Origin | null,
  coin = Math.random(),
): NewGame {
  const engine = (id: string): Seat => {
    const [kind, ...rest] = id.split(":");
    return kind === "classic"
      ? { kind: "classic", classic: rest.join(":") }
      : { kind: "level", level: rest.join(":") };
  };
  const you: Seat = name ? { kind: "you", name } : { kind: "you" };
  const seats: Record<Opponent, [Seat, Seat]> = {
    engine: [you, engine(choice.engine)],
    engines: [engine(choice.engine), engine(choice.other)],
    friend: [you, { kind: "friend" }],
    local: [
      { kind: "you", name: "White" },
      { kind: "you", name: "Black" },
    ],
    replay: [you, you],
  };
  const [first, second] = seats[choice.opponent];
  const hasSide = choice.opponent === "engine" || choice.opponent === "friend";
  const swap = hasSide && (choice.side === "black" || (choice.side === "random" && coin < 0.5));
  const game: NewGame = {
    white: swap ? second : first,
    black: swap ? first : second,
    clock: readClock(choice.clock),
  };
  if (choice.opponent === "engine") game.humanPace = choice.humanPace;
  if (origin) {
    game.variant = origin.variant;
    game.fen = origin.fen;
    game.moves = origin.moves;
  } else if (choice.from === "chess960") {
    game.variant = "chess960";
  } else if (choice.from === "fen" && choice.fen.trim()) {
    game.fen = choice.fen.trim();
  }
  return game;
}
