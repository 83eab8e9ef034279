// Everything the page asks of the program that knows the rules and runs the engine. Views use only this interface; the server
// is behind it (`server.ts`) or the same program in a worker on this device (`device.ts`).

import type {
  AnalyseRequest,
  Analysis,
  ApiError,
  Effort,
  EngineOption,
  ExerciseAttempt,
  ExercisesAnswer,
  ExerciseVerdict,
  Explanation,
  GameState,
  GamesAnswer,
  GamesQuery,
  ImportAnswer,
  Info,
  Message,
  NewGame,
  PgnReadAnswer,
  PgnWriteRequest,
  PositionAnswer,
  PositionRequest,
  Review,
} from "../api";

export interface Backend {
  readonly place: "server" | "device";
  readonly session: Session;
  readonly games: Games;
  readonly positions: Positions;
  readonly analysis: AnalysisEngine;
  readonly reviews: Reviews;
  readonly exercises: Exercises;
}

/** A request that was refused, with the reason in plain words. */
export class Refusal extends Error {
  constructor(
    readonly code: ApiError["code"] | "offline",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export type Status = "connecting" | "open" | "lost";
/** Ends a subscription. */
export type Unsubscribe = () => void;

export interface Session {
  /** Levels, classic engines and limits. */
  info(): Promise<Info>;
  /** The options of the engine, with what they are for. */
  options(): Promise<EngineOption[]>;
  login(password: string): Promise<void>;
  /** Connects. A server with a password answers nothing else before the log-in. */
  start(): void;
  /** Calls now and after every change. */
  onStatus(listener: (status: Status) => void): Unsubscribe;
}

export type Offer = "draw" | "takeback" | "rematch";
export type Hint = Extract<Message, { type: "hint" }>;

export interface GameListener {
  /** The first state and every later one. */
  changed(game: GameState): void;
  declined(offer: Offer): void;
  deleted(): void;
  failed(error: Refusal): void;
}

export interface Games {
  list(query: GamesQuery): Promise<GamesAnswer>;
  create(game: NewGame): Promise<GameState>;
  get(id: string): Promise<GameState>;
  remove(id: string): Promise<void>;
  restore(id: string): Promise<GameState>;
  importPgn(pgn: string): Promise<ImportAnswer>;
  pgn(id: string, options?: { annotated: boolean }): Promise<Blob>;
  exportPgn(query: GamesQuery): Promise<Blob>;
  /** Gives a server a game that was played on this device, as it is stored there. */
  upload(game: { id: string }): Promise<void>;
  /** Accepts an invitation, under a name, or starts to watch. */
  follow(token: string, name?: string): Promise<GameState>;
  watch(id: string, listener: GameListener): Unsubscribe;

  /** `ply`: the number of moves played before this one. */
  move(id: string, ply: number, move: string): Promise<void>;
  takeback(id: string): Promise<void>;
  offerDraw(id: string): Promise<void>;
  claimDraw(id: string): Promise<void>;
  resign(id: string): Promise<void>;
  /** The new game; null while the opponent has to agree. */
  rematch(id: string): Promise<GameState | null>;
  answer(id: string, offer: Offer, accept: boolean): Promise<void>;
  /** The move, with three steps that lead to it. */
  hint(id: string): Promise<Hint>;
  pause(id: string, paused: boolean): Promise<void>;
}

export interface Positions {
  /** Plays moves, in UCI or SAN, and describes the position after them. */
  play(request: PositionRequest): Promise<PositionAnswer>;
  /** What the coach says of the position and of the last move. */
  explain(request: PositionRequest): Promise<Explanation>;
  readPgn(pgn: string): Promise<PgnReadAnswer>;
  writePgn(request: PgnWriteRequest): Promise<string>;
}

export interface AnalysisEngine {
  /** Starts an analysis; it ends the one before. */
  start(
    request: AnalyseRequest,
    updated: (analysis: Analysis) => void,
    failed: (error: Refusal) => void,
  ): void;
  stop(): void;
}

export interface ReviewListener {
  progressed(done: number, total: number): void;
  finished(review: Review): void;
  failed(error: Refusal): void;
}

export interface Reviews {
  /** The review of a game that has one. */
  get(game: string): Promise<Review>;
  /** Starts a review, or joins the one under way. */
  start(game: string, effort: Effort, listener: ReviewListener): Unsubscribe;
  cancel(game: string): void;
}

export interface Exercises {
  /** Of one game, or of all reviewed games. */
  list(game?: string): Promise<ExercisesAnswer>;
  attempt(attempt: ExerciseAttempt): Promise<ExerciseVerdict>;
}
