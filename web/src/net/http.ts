// Questions with one answer.

import {
  API,
  type ApiError,
  type ExerciseAttempt,
  type ExercisesAnswer,
  type ExerciseVerdict,
  type Explanation,
  type GameState,
  type GamesAnswer,
  type GamesQuery,
  type ImportAnswer,
  type Info,
  type LinkAnswer,
  type NewGame,
  type PgnReadAnswer,
  type PgnWriteRequest,
  type PositionAnswer,
  type PositionRequest,
  type Review,
} from "../api";

/** Something the server refused, in its words. */
export class Refusal extends Error {
  constructor(
    readonly code: ApiError["code"] | "offline",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(API + path, init);
  } catch (cause) {
    throw new Refusal("offline", "the server cannot be reached", { cause });
  }
  if (response.ok) return response;
  let error: ApiError = { code: "internal", message: `the server answered ${response.status}` };
  try {
    error = (await response.json()) as ApiError;
  } catch {
    // Something before the server answered; the status says enough.
  }
  throw new Refusal(error.code, error.message);
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  return (await response.json()) as T;
}

function query(values: object): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text ? `?${text}` : "";
}

const at = encodeURIComponent;

export const http = {
  info: () => ask<Info>("GET", "/info"),
  login: (password: string) => send("POST", "/login", { password }).then(() => undefined),
  games: (filter: GamesQuery) => ask<GamesAnswer>("GET", `/games${query(filter)}`),
  create: (game: NewGame) => ask<GameState>("POST", "/games", game),
  game: (id: string) => ask<GameState>("GET", `/games/${at(id)}`),
  remove: (id: string) => send("DELETE", `/games/${at(id)}`).then(() => undefined),
  restore: (id: string) => ask<GameState>("POST", `/games/${at(id)}/restore`, {}),
  review: (id: string) => ask<Review>("GET", `/games/${at(id)}/review`),
  follow: (token: string) => ask<LinkAnswer>("POST", `/links/${at(token)}`, {}),
  import: (pgn: string) => ask<ImportAnswer>("POST", "/import", { pgn }),
  position: (request: PositionRequest) => ask<PositionAnswer>("POST", "/position", request),
  explain: (request: PositionRequest) => ask<Explanation>("POST", "/explain", request),
  readPgn: (pgn: string) => ask<PgnReadAnswer>("POST", "/pgn/read", { pgn }),
  writePgn: (request: PgnWriteRequest) => send("POST", "/pgn/write", request).then((answer) => answer.text()),
  exercises: (game?: string) => ask<ExercisesAnswer>("GET", `/exercises${query({ game })}`),
  attempt: (attempt: ExerciseAttempt) => ask<ExerciseVerdict>("POST", "/exercises/check", attempt),
  pgnAddress: (id: string, review = false) => `${API}/games/${at(id)}/pgn${review ? "?review=true" : ""}`,
  allPgnAddress: (filter: GamesQuery) =>
    `${API}/games.pgn${query({ ...filter, before: undefined, limit: undefined })}`,
};
