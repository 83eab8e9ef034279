// The types of the Gardez API, version 1. docs/api.md tells what the messages mean and when they come.
//
// Scores and chances are always from White's view. Times are milliseconds; moments are milliseconds since 1970.
// Moves are written as UCI does ("e2e4", "e7e8q", castling "e1g1"; in Chess960 "e1h1"). Where the page sends a
// move, SAN is understood as well.

export const API = "/api/v1";
export const API_VERSION = 1;

export type Color = "white" | "black";
export type Variant = "standard" | "chess960";
/** From square to target squares, as chessground wants them. Castling has both the king's target and the rook. */
export type Dests = Record<string, string[]>;

// ---------------------------------------------------------------------------------------------- errors

/** The body of every HTTP answer that is not 2xx, and of `error` messages. */
export interface ApiError {
  code: ErrorCode;
  /** For people: a clause without capital letter and full stop. */
  message: string;
}

export type ErrorCode =
  | "bad_request" // not understood: JSON, field, FEN, PGN, move
  | "illegal" // understood, but not possible now: illegal move, not your turn, game over
  | "unauthorised" // a password is needed
  | "forbidden" // not your game, or a foreign origin
  | "not_found"
  | "too_large"
  | "too_many" // slow down, or wait for what is running
  | "timeout"
  | "busy" // the server has all it can do; try again
  | "internal";

// ---------------------------------------------------------------------------------------------- the server

export interface Info {
  name: "Gardez";
  version: string;
  api: 1;
  /** The server listens to the network, so visitors see their own games only. */
  exposed: boolean;
  /** A password is set. */
  password: boolean;
  /** This visitor may use the server; else only `info` and `login` answer. */
  authorised: boolean;
  /** From the weakest to full strength. */
  levels: Level[];
  classics: Classic[];
  /** The largest number of lines of an analysis. */
  maxLines: number;
  /** The largest PGN that can be imported, in bytes. */
  maxPgnBytes: number;
  /** Names of openings are known. */
  openings: boolean;
}

export interface Level {
  /** What `NewGame` takes. */
  id: string;
  name: string;
  /** The approximate rating; null for full strength. */
  elo: number | null;
}

export interface Classic {
  id: string;
  name: string;
  description: string;
}

// ---------------------------------------------------------------------------------------------- positions

export interface Position {
  fen: string;
  turn: Color;
  /** Legal moves; none when the game is over. */
  dests: Dests;
  /** Square of a king in check. */
  check: string | null;
  /** The last move as the two squares to mark. */
  lastMove: [string, string] | null;
  /** The end that the position itself brings, or the players. */
  outcome: Outcome | null;
  /** A draw that the side to move may claim now. */
  claimable: "threefold" | "fifty" | null;
  opening: Opening | null;
}

export interface Opening {
  eco: string;
  name: string;
}

export interface Outcome {
  /** Null for a draw, and for a game that was abandoned. */
  winner: Color | null;
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  reason:
    | "checkmate" | "stalemate" | "insufficient material" | "the fifty-move rule" | "the seventy-five-move rule"
    | "threefold repetition" | "fivefold repetition" | "agreement" | "resignation" | "time forfeit"
    | "illegal move" | "abandonment" | "adjudication";
  /** A clause: "Black is checkmated". */
  text: string;
}

/** A move with what it leads to. */
export interface Move {
  uci: string;
  san: string;
  /** The position after it. */
  fen: string;
  check: boolean;
}

/** `POST /position`: a start and moves from there. */
export interface PositionRequest {
  /** Default: the start position. */
  fen?: string;
  /** UCI or SAN. */
  moves?: string[];
  variant?: Variant;
}

export interface PositionAnswer {
  start: string;
  variant: Variant;
  moves: Move[];
  /** After the last move. */
  position: Position;
}

// ---------------------------------------------------------------------------------------------- games

export interface NewGame {
  white: Seat;
  black: Seat;
  clock?: { initial: number; increment: number } | null;
  /** Default: standard. */
  variant?: Variant;
  /** Start position of Chess960, 0 to 959; without it one is drawn. Only with `variant: "chess960"`. */
  chess960?: number;
  /** Any legal position. Not together with `chess960`. */
  fen?: string;
  /** Moves already played from there, for "play from here". */
  moves?: string[];
  /** Whether engine opponents take about as long as a person would. Default: false. */
  humanPace?: boolean;
  /** Makes levels repeatable: the same seed and moves give the same answers. */
  seed?: number;
}

/** Who plays. `you` twice: two people at one board. `level`/`classic` twice: engine against engine. `friend`: whoever
 *  opens the invitation. */
export type Seat =
  | { kind: "you"; name?: string }
  | { kind: "friend"; name?: string }
  | { kind: "level"; level: string }
  | { kind: "classic"; classic: string };

export type GameKind = "engine" | "friend" | "local" | "engines" | "imported";

export interface Player {
  kind: "person" | "level" | "classic";
  name: string;
  /** The id of the level or classic. */
  id: string | null;
  elo: number | null;
  /** Engines are always present; a person while a page of theirs shows the game. */
  present: boolean;
  /** False while an invitation waits to be taken. */
  seated: boolean;
}

export interface PlayedMove extends Move {
  /** What its player had left after it; null without a clock. */
  clock: number | null;
}

export interface Clock {
  initial: number;
  increment: number;
  /** Left at `at`. The running one counts down from there. */
  white: number;
  black: number;
  running: Color | null;
  /** The server's time of this state. Count from when the message came, not from this. */
  at: number;
}

export interface GameState {
  id: string;
  /** Grows with every change: an older state that comes late can be dropped. */
  revision: number;
  kind: GameKind;
  variant: Variant;
  created: number;
  updated: number;
  start: string;
  white: Player;
  black: Player;
  /** Which side this visitor plays; null when only watching. */
  you: Color | "both" | null;
  moves: PlayedMove[];
  position: Position;
  clock: Clock | null;
  outcome: Outcome | null;
  /** Which engine is at work. */
  thinking: Color | null;
  /** Engine against engine, stopped by `pause`. */
  paused: boolean;
  /** Who waits for an answer; the other side sends `answer`. */
  offers: { draw: Color | null; takeback: Color | null; rematch: Color | null };
  /** Whether `takeback` can be asked for by this visitor. */
  canTakeback: boolean;
  /** The game that followed by rematch. */
  next: string | null;
  /** Paths of links, for the players: `invite` while a seat is free. Put `location.origin` in front. */
  links: { invite: string | null; watch: string } | null;
  spectators: number;
  reviewed: boolean;
  /** PGN tags of an imported game. */
  tags: Record<string, string>;
}

export interface GameSummary {
  id: string;
  kind: GameKind;
  variant: Variant;
  created: number;
  updated: number;
  white: string;
  black: string;
  you: Color | "both" | null;
  plies: number;
  result: Outcome["result"];
  /** Null while the game goes on. */
  outcome: Outcome | null;
  opening: Opening | null;
  /** The position it stands at, for a small board. */
  fen: string;
  reviewed: boolean;
}

/** `GET /games` and `GET /games.pgn`, as query. */
export interface GamesQuery {
  status?: "running" | "finished";
  kind?: GameKind;
  /** From the visitor's side. */
  result?: "won" | "lost" | "drawn";
  /** In names and openings. */
  text?: string;
  /** Of the page before: games older than this. */
  before?: string;
  /** Default 50, at most 200. */
  limit?: number;
}

export interface GamesAnswer {
  games: GameSummary[];
  /** For `before`, if there are more. */
  next: string | null;
  /** How many fit, on all pages. */
  total: number;
}

/** `POST /import`. */
export interface ImportRequest {
  pgn: string;
}

export interface ImportAnswer {
  games: GameSummary[];
  /** Games that could not be read; the others are saved. */
  errors: { game: number; line: number; column: number; message: string }[];
}

/** `POST /links/{token}`: accepts an invitation, or begins to watch. */
export interface LinkAnswer {
  game: GameState;
}

// ---------------------------------------------------------------------------------------------- PGN with variations

export interface Tree {
  tags: Record<string, string>;
  start: string;
  variant: Variant;
  /** Comment before the first move. */
  comment: string | null;
  line: TreeMove[];
}

export interface TreeMove extends Move {
  comment: string | null;
  /** Numeric annotation glyphs: 1 !, 2 ?, 3 !!, 4 ??, 5 !?, 6 ?! */
  nags: number[];
  /** From the comment, if it has them. */
  score: Score | null;
  clock: number | null;
  /** Lines instead of this move. */
  variations: TreeMove[][];
}

/** `POST /pgn/read` */
export interface PgnReadRequest {
  pgn: string;
}

export interface PgnReadAnswer {
  /** At most 50 of them. */
  games: Tree[];
  errors: ImportAnswer["errors"];
}

/** `POST /pgn/write`; the answer is text. Only `uci` or `san` of the moves is looked at, besides notes. */
export interface PgnWriteRequest {
  tags?: Record<string, string>;
  start?: string;
  variant?: Variant;
  comment?: string | null;
  line: PgnWriteMove[];
}

export interface PgnWriteMove {
  uci: string;
  comment?: string | null;
  nags?: number[];
  variations?: PgnWriteMove[][];
}

// ---------------------------------------------------------------------------------------------- analysis

/** White's view. `mate: 3`: White mates in three; `mate: -2`: Black mates in two. On the board already: `mate: 0`. */
export type Score = { cp: number } | { mate: number };

/** White's chances to win, draw and lose, in thousandths. */
export type Wdl = [number, number, number];

export interface Line {
  /** 1 for the best. */
  rank: number;
  depth: number;
  score: Score;
  wdl: Wdl;
  /** "at least" or "at most" while an iteration is under way. From White's view. */
  bound: "exact" | "lower" | "upper";
  /** At least one, unless the game is over. */
  moves: { uci: string; san: string }[];
}

export interface Analysis {
  fen: string;
  lines: Line[];
  depth: number;
  nodes: number;
  nps: number;
  time: number;
  /** What the opponent would do if it were their turn; null when not asked for, or in check. */
  threat: Line | null;
  done: boolean;
}

/** `POST /analyse`, and in the message `analyse`. */
export interface AnalyseRequest extends PositionRequest {
  /** 1 to 5, default 1. */
  lines?: number;
  /** Also show the threat. */
  threat?: boolean;
  /** Ends; without any the WebSocket analysis goes on until stopped (at most ten minutes), HTTP takes a second. */
  depth?: number;
  nodes?: number;
  /** Milliseconds, at most 30000 over HTTP. */
  time?: number;
}

// ---------------------------------------------------------------------------------------------- explanation

/** `POST /explain` takes a PositionRequest. */
export interface Explanation {
  /** Centipawns, White's view. */
  total: number;
  /** 0 (end game) to 1 (all pieces there). */
  phase: number;
  /** Sums of terms by subject. */
  groups: { name: string; white: number; black: number }[];
  /** Single reasons, the weightiest first. */
  items: { color: Color; group: string; text: string; value: number; squares: string[] }[];
  /** What each piece is worth here, to its side. */
  pieces: { square: string; piece: string; value: number }[];
  /** The same in sentences. */
  sentences: string[];
}

// ---------------------------------------------------------------------------------------------- review

export type Judgement = "inaccuracy" | "mistake" | "blunder";

export interface ReviewMove {
  /** 1 for the first move of the game. */
  ply: number;
  uci: string;
  san: string;
  /** After the move. */
  score: Score;
  /** White's expected score after the move, 0 to 100. */
  win: number;
  /** What the move cost its player, in points of `win`. */
  loss: number;
  /** 0 to 100. */
  accuracy: number;
  judgement: Judgement | null;
  /** Better play than the move; first move and what follows. Null if the move was the best. */
  better: { score: Score; win: number; moves: { uci: string; san: string }[] } | null;
  /** In words, when there is something to say. */
  comment: string | null;
}

export interface SideReport {
  accuracy: number | null;
  /** In centipawns. */
  averageLoss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

export interface Review {
  game: string;
  /** What made it, for example "Gardez 0.1.0, 200,000 nodes a move". */
  by: string;
  /** Of the start position. */
  startScore: Score;
  startWin: number;
  /** The ply that tipped the game for good, counted from 1. */
  turningPoint: number | null;
  moves: ReviewMove[];
  white: SideReport;
  black: SideReport;
}

/** How thorough a review is. */
export type Effort = "quick" | "normal" | "deep";

/** `GET /exercises?game=ID` (one game) or without (all the visitor's reviewed games). */
export interface ExercisesAnswer {
  exercises: Exercise[];
}

export interface Exercise {
  game: string;
  /** The mistake was this move of the game, counted from 1. */
  ply: number;
  white: string;
  black: string;
  judgement: Judgement;
  /** What was played. */
  played: { uci: string; san: string };
  /** Before the mistake: to be solved from here. */
  position: Position;
  variant: Variant;
  solved: boolean;
}

/** `POST /exercises/check` */
export interface ExerciseAttempt {
  game: string;
  ply: number;
  move: string;
}

export interface ExerciseVerdict {
  /** `best`: the move of the review; `good`: loses next to nothing; `wrong`. */
  verdict: "best" | "good" | "wrong";
  /** After the attempt. */
  score: Score;
  /** The solution; null while the attempts are wrong, unless asked for with `move: ""`. */
  solution: { uci: string; san: string }[] | null;
}

// ---------------------------------------------------------------------------------------------- WebSocket

/** What the page sends. Every message has an `id` of its choice; the answer carries it as `re`. */
export type Request = { id: number } & (
  // Games. `watch` answers with the state and then sends `game` after every change; so again after a reconnect.
  | { type: "watch"; game: string }
  | { type: "unwatch"; game: string }
  /** `ply`: how many moves were played before this one. Sending the same move twice is harmless. */
  | { type: "move"; game: string; ply: number; move: string }
  /** Against engines and at one board done at once, else offered. */
  | { type: "takeback"; game: string }
  /** Offers a draw; an engine answers at once. */
  | { type: "draw"; game: string }
  /** Claims a draw by repetition or the fifty-move rule. */
  | { type: "claim"; game: string }
  /** At one board: the side to move resigns, unless `color` is given. */
  | { type: "resign"; game: string; color?: Color }
  /** Same opponents, colours changed. Answered with the new game, unless a friend must agree. */
  | { type: "rematch"; game: string }
  | { type: "answer"; game: string; to: "draw" | "takeback" | "rematch"; accept: boolean }
  /** At full strength, whatever the opponent. */
  | { type: "hint"; game: string }
  /** Engine against engine. */
  | { type: "pause"; game: string; paused: boolean }
  // Analysis: one at a time; a new one ends the one before.
  | ({ type: "analyse" } & AnalyseRequest)
  | { type: "stop" }
  // Review: of a saved game (import a PGN first). Goes on for ten seconds when the page leaves; asking again joins it.
  | { type: "review"; game: string; effort?: Effort }
  | { type: "cancel"; game: string }
  | { type: "ping" }
);

/** What the server sends: answers with `re`, and news without. */
export type Message =
  | { type: "hello"; version: string; api: 1 }
  | { re: number; type: "ok" }
  | { re: number; type: "error"; error: ApiError }
  /** Answer to `watch`, `rematch`, and news. */
  | { re?: number; type: "game"; game: GameState }
  | { re: number; type: "hint"; uci: string; san: string; score: Score; line: { uci: string; san: string }[] }
  /** `re` is the id of the request `analyse`, in every one. Intermediate ones may be left out when the line is slow. */
  | { re: number; type: "analysis"; analysis: Analysis }
  /** `re` as above; `done` of `total` positions. */
  | { re: number; type: "reviewing"; game: string; done: number; total: number }
  | { re: number; type: "review"; review: Review }
  | { re: number; type: "pong" }
  /** The opponent declined an offer. */
  | { type: "declined"; game: string; offer: "draw" | "takeback" | "rematch" }
  /** The game was deleted. */
  | { type: "gone"; game: string }
  /** The server is about to stop; reconnect in a while. */
  | { type: "bye" };
