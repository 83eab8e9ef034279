// Generated from crates/backend/src/wire; do not edit. To write it again:
//
//     GARDEZ_WRITE_TYPES=1 cargo test --profile checked -p backend --lib typescript
//
// docs/api.md says what the messages mean and when they come. Scores and chances are always from White's view.
// Times are milliseconds; moments are milliseconds since 1970. Moves are written as UCI does ("e2e4", "e7e8q",
// castling "e1g1"; in Chess960 "e1h1"). Where the page sends a move, SAN is understood as well.

/**
 * An error as it is sent: the body of every HTTP answer that is not 2xx, and of `error` messages.
 */
export type ApiError = {
/**
 * For programs.
 */
code: ErrorCode,
/**
 * For people: a clause without capital letter and full stop.
 */
message: string,
/**
 * After how many seconds it makes sense to try again, if it does.
 */
retryAfter?: number, };

/**
 * The kind of an error, for programs.
 */
export type ErrorCode = "bad_request" | "illegal" | "unauthorised" | "forbidden" | "not_found" | "too_large" | "too_many" | "timeout" | "busy" | "internal";

/**
 * `GET /info`
 */
export type Info = { name: "Gardez", version: string, api: 1,
/**
 * The server listens to the network, so visitors see their own games only.
 */
exposed: boolean,
/**
 * Where others in the network reach the server, as `http://192.168.1.7:8080`; none when only this machine can, and
 * before the log-in.
 */
addresses: Array<string>,
/**
 * A password is set.
 */
password: boolean,
/**
 * This visitor may use the server; else only `info` and `login` answer.
 */
authorised: boolean,
/**
 * From the weakest to full strength.
 */
levels: Array<Level>, classics: Array<Classic>,
/**
 * The largest number of lines of an analysis.
 */
maxLines: number,
/**
 * The largest PGN that can be imported, in bytes.
 */
maxPgnBytes: number,
/**
 * Names of openings are known.
 */
openings: boolean,
/**
 * Others can come to a game by its link. Without a server they cannot.
 */
links: boolean, };

/**
 * A level of the engine as an opponent.
 */
export type Level = {
/**
 * What `NewGame` takes.
 */
id: string, name: string,
/**
 * The approximate rating; null for full strength.
 */
elo: number | null, };

/**
 * A classic engine as an opponent.
 */
export type Classic = { id: string, name: string, description: string, };

/**
 * `POST /login`
 */
export type Login = { password: string, };

/**
 * `GET /games/{id}/pgn`, as query.
 */
export type ExportQuery = {
/**
 * With the review as comments and variations.
 */
review?: boolean, };

/**
 * `GET /options`: the options of the engine, as UCI has them.
 */
export type OptionsAnswer = { options: Array<EngineOption>, };

/**
 * An option of the engine.
 */
export type EngineOption = { name: string,
/**
 * What it is for, in one line.
 */
help: string, } & ({ "kind": "check", default: boolean, } | { "kind": "spin", default: number, min: number, max: number, } | { "kind": "combo", default: string, choices: Array<string>, } | { "kind": "text", default: string, } | { "kind": "button" });

/**
 * The values that an option takes, and the one that it starts with.
 */
export type OptionKind = { "kind": "check", default: boolean, } | { "kind": "spin", default: number, min: number, max: number, } | { "kind": "combo", default: string, choices: Array<string>, } | { "kind": "text", default: string, } | { "kind": "button" };

/**
 * A side.
 */
export type Color = "white" | "black";

/**
 * Which rules of castling and which start positions.
 */
export type Variant = "standard" | "chess960";

/**
 * A position and what can be done in it.
 */
export type Position = { fen: string, turn: Color,
/**
 * Legal moves, from square to target squares; none when the game is over. Castling has both the king's
 * target and the rook.
 */
dests: Record<string, string[]>,
/**
 * Square of a king in check.
 */
check: string | null,
/**
 * The last move as the two squares to mark.
 */
lastMove: [string, string] | null,
/**
 * The end that the position itself brings, or the players.
 */
outcome: Outcome | null,
/**
 * A draw that the side to move may claim now.
 */
claimable: Claim | null, opening: Opening | null, };

/**
 * The rule by which a draw may be claimed.
 */
export type Claim = "threefold" | "fifty";

/**
 * An opening that has a name.
 */
export type Opening = { eco: string, name: string, };

/**
 * How a game ended.
 */
export type Outcome = {
/**
 * Null for a draw, and for a game that was abandoned.
 */
winner: Color | null, result: GameResult, reason: Reason,
/**
 * A clause: "Black is checkmated".
 */
text: string, };

/**
 * A result as PGN writes it.
 */
export type GameResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/**
 * Why a game ended.
 */
export type Reason = "checkmate" | "stalemate" | "insufficient material" | "the fifty-move rule" | "the seventy-five-move rule" | "threefold repetition" | "fivefold repetition" | "agreement" | "resignation" | "time forfeit" | "illegal move" | "abandonment" | "adjudication";

/**
 * A move with what it leads to.
 */
export type Move = { uci: string, san: string,
/**
 * The position after it.
 */
fen: string, check: boolean, };

/**
 * A move without the position it leads to.
 */
export type MoveName = { uci: string, san: string, };

/**
 * `POST /position` and `POST /explain`: a start and moves from there.
 */
export type PositionRequest = {
/**
 * Default: the start position.
 */
fen?: string,
/**
 * UCI or SAN.
 */
moves?: Array<string>, variant?: Variant, };

/**
 * What is to be said of a position and the moves that led to it.
 */
export type PositionAnswer = { start: string,
/**
 * What had to be repaired of the start.
 */
warnings: Array<string>, variant: Variant, moves: Array<Move>,
/**
 * After the last move.
 */
position: Position, };

/**
 * `POST /games`
 */
export type NewGame = { white: Seat, black: Seat, clock?: TimeControl | null,
/**
 * Default: standard.
 */
variant?: Variant,
/**
 * Start position of Chess960, 0 to 959; without it one is drawn. Only with `variant: "chess960"`.
 */
chess960?: number,
/**
 * Any legal position. Not together with `chess960`.
 */
fen?: string,
/**
 * Moves already played from there, for "play from here".
 */
moves?: Array<string>,
/**
 * Whether engine opponents take about as long as a person would. Default: false.
 */
humanPace?: boolean,
/**
 * Makes levels repeatable: the same seed and moves give the same answers.
 */
seed?: number, };

/**
 * Who plays. `you` twice: two people at one board. `level`/`classic` twice: engine against engine. `friend`:
 * whoever opens the invitation.
 */
export type Seat = { "kind": "you", name?: string, } | { "kind": "friend", name?: string, } | { "kind": "level", level: string, } | { "kind": "classic", classic: string, };

/**
 * The time for all moves and what each move adds, in milliseconds.
 */
export type TimeControl = { initial: number, increment: number, };

/**
 * What kind of game it is, by who plays.
 */
export type GameKind = "engine" | "friend" | "local" | "engines" | "imported";

/**
 * Which sides the visitor plays.
 */
export type You = "white" | "black" | "both";

/**
 * A player of a game.
 */
export type Player = { kind: PlayerKind, name: string,
/**
 * The id of the level or classic.
 */
id: string | null, elo: number | null,
/**
 * Engines are always present; a person while a page of theirs shows the game.
 */
present: boolean,
/**
 * False while an invitation waits to be taken.
 */
seated: boolean, };

/**
 * What kind of player it is.
 */
export type PlayerKind = "person" | "level" | "classic";

/**
 * A move of a game.
 */
export type PlayedMove = {
/**
 * What its player had left after it; null without a clock.
 */
clock: number | null, uci: string, san: string,
/**
 * The position after it.
 */
fen: string, check: boolean, };

/**
 * The clocks of a game.
 */
export type Clock = { initial: number, increment: number,
/**
 * Left at `at`. The running one counts down from there.
 */
white: number, black: number, running: Color | null,
/**
 * The server's time of this state. Count from when the message came, not from this.
 */
at: number, };

/**
 * How a game stands, as one visitor sees it.
 */
export type GameState = { id: string,
/**
 * Grows with every change: an older state that comes late can be dropped.
 */
revision: number, kind: GameKind, variant: Variant, created: number, updated: number, start: string, white: Player, black: Player,
/**
 * Which side this visitor plays; null when only watching.
 */
you: You | null, moves: Array<PlayedMove>, position: Position, clock: Clock | null, outcome: Outcome | null,
/**
 * Which engine is at work.
 */
thinking: Color | null,
/**
 * What the last search of a classic did, as a table to print in letters of one width.
 */
search: string | null,
/**
 * Engine against engine, stopped by `pause`.
 */
paused: boolean, offers: Offers,
/**
 * Whether `takeback` can be asked for by this visitor.
 */
canTakeback: boolean,
/**
 * The game that followed by rematch.
 */
next: string | null,
/**
 * For the players.
 */
links: Links | null, spectators: number, reviewed: boolean,
/**
 * PGN tags of an imported game.
 */
tags: Record<string, string>, };

/**
 * Who waits for an answer; the other side sends `answer`.
 */
export type Offers = { draw: Color | null, takeback: Color | null, rematch: Color | null, };

/**
 * What can be offered.
 */
export type Offer = "draw" | "takeback" | "rematch";

/**
 * Paths of links: `invite` while a seat is free. Put `location.origin` in front.
 */
export type Links = { invite: string | null, watch: string, };

/**
 * `POST /links/{token}`: who comes.
 */
export type Guest = {
/**
 * For the free seat; without it the name that the host gave stays.
 */
name?: string, };

/**
 * The answer: the free seat is taken, or the game watched.
 */
export type LinkAnswer = { game: GameState, };

/**
 * A game of the list.
 */
export type GameSummary = { id: string, kind: GameKind, variant: Variant, created: number, updated: number, white: string, black: string, you: You | null, plies: number, result: GameResult,
/**
 * Null while the game is being played.
 */
outcome: Outcome | null, opening: Opening | null,
/**
 * The position it stands at, for a small board.
 */
fen: string, reviewed: boolean, };

/**
 * `GET /games` and `GET /games.pgn`, as query.
 */
export type GamesQuery = { status?: Status, kind?: GameKind,
/**
 * From the visitor's side.
 */
result?: ResultFilter,
/**
 * In names and openings.
 */
text?: string,
/**
 * `next` of the page before: games older than this.
 */
before?: string,
/**
 * Default 50, at most 200.
 */
limit?: number, };

/**
 * Whether a game is over.
 */
export type Status = "running" | "finished";

/**
 * The result for the visitor.
 */
export type ResultFilter = "won" | "lost" | "drawn";

/**
 * A page of the list of games.
 */
export type GamesAnswer = { games: Array<GameSummary>,
/**
 * `before` of the next page; null on the last.
 */
next: string | null,
/**
 * On all pages.
 */
total: number, };

/**
 * `POST /import` and `POST /pgn/read`
 */
export type PgnText = { pgn: string, };

/**
 * What came of an import.
 */
export type ImportAnswer = { games: Array<GameSummary>,
/**
 * Games that could not be read; the others are saved.
 */
errors: Array<ImportError>, };

/**
 * Why a game could not be read, and where. Games, lines and columns count from 1; 0 where there is no place.
 */
export type ImportError = { game: number, line: number, column: number, message: string, };

/**
 * A game with its variations.
 */
export type Tree = { tags: Record<string, string>, start: string, variant: Variant,
/**
 * Comment before the first move.
 */
comment: string | null, line: Array<TreeMove>, };

/**
 * A move of a tree.
 */
export type TreeMove = { comment: string | null,
/**
 * Numeric annotation glyphs: 1 !, 2 ?, 3 !!, 4 ??, 5 !?, 6 ?!
 */
nags: Array<number>,
/**
 * From the comment, if it has one.
 */
score: Score | null,
/**
 * From the comment, if it has one.
 */
clock: number | null,
/**
 * Lines instead of this move.
 */
variations: Array<Array<TreeMove>>, uci: string, san: string,
/**
 * The position after it.
 */
fen: string, check: boolean, };

/**
 * The games of a text as trees.
 */
export type PgnReadAnswer = {
/**
 * At most 50 of them.
 */
games: Array<Tree>, errors: Array<ImportError>, };

/**
 * `POST /pgn/write`; the answer is text.
 */
export type PgnWriteRequest = { tags?: Record<string, string>, start?: string, variant?: Variant, comment?: string | null, line: Array<PgnWriteMove>, };

/**
 * A move to be written.
 */
export type PgnWriteMove = {
/**
 * UCI or SAN.
 */
uci: string, comment?: string | null, nags?: Array<number>, variations?: Array<Array<PgnWriteMove>>, };

/**
 * White's view. `mate: 3`: White mates in three; `mate: -2`: Black mates in two. On the board already:
 * `mate: 0`.
 */
export type Score = { "cp": number } | { "mate": number };

/**
 * A line of play.
 */
export type Line = {
/**
 * 1 for the best.
 */
rank: number, depth: number, score: Score,
/**
 * White's chances to win, draw and lose, in thousandths.
 */
wdl: [number, number, number],
/**
 * "at least" or "at most" while an iteration is under way. From White's view.
 */
bound: Bound,
/**
 * At least one, unless the game is over.
 */
moves: Array<MoveName>, };

/**
 * Whether a score is exact.
 */
export type Bound = "exact" | "lower" | "upper";

/**
 * What a search has found so far.
 */
export type Analysis = { fen: string, lines: Array<Line>, depth: number, nodes: number, nps: number, time: number,
/**
 * What the opponent would do if it were their turn; null when not asked for, or in check.
 */
threat: Line | null, done: boolean, };

/**
 * `POST /analyse`, and in the message `analyse`. Without an end the analysis over the WebSocket runs until it
 * is stopped (at most ten minutes), and over HTTP for a second.
 */
export type AnalyseRequest = {
/**
 * 1 to 5, default 1.
 */
lines?: number,
/**
 * Also show the threat.
 */
threat?: boolean,
/**
 * An end: this depth.
 */
depth?: number,
/**
 * An end: this many nodes.
 */
nodes?: number,
/**
 * An end: milliseconds, at most 30000 over HTTP.
 */
time?: number,
/**
 * Default: the start position.
 */
fen?: string,
/**
 * UCI or SAN.
 */
moves?: Array<string>, variant?: Variant, };

/**
 * A sentence of the coach, and what is behind it.
 */
export type Remark = { text: string,
/**
 * Squares of the position that it is about.
 */
squares: Array<string>,
/**
 * The line that shows it, to be played through.
 */
line: RemarkLine | null,
/**
 * The claim that the sentence was made from: its `occasion`, its `kind`, and what that kind has.
 */
claim: Record<string, unknown>, };

/**
 * A line that shows what a remark says.
 */
export type RemarkLine = {
/**
 * Where it begins. A threat begins in a position in which the side to move has passed.
 */
fen: string, moves: Array<MoveName>, };

/**
 * `POST /explain`: why a position is as it is.
 */
export type Explanation = {
/**
 * The move that led to the position; null if the request has none.
 */
lastMove: ExplainedMove | null,
/**
 * The position itself, the most important first.
 */
position: Array<Remark>,
/**
 * What the side that has moved threatens.
 */
threat: Remark | null,
/**
 * The static evaluation in parts, for those who want to know how the engine counts.
 */
terms: Terms, };

/**
 * Why a move was good or bad.
 */
export type ExplainedMove = { uci: string, san: string, judgement: Judgement | null,
/**
 * In a sentence, for example "Nf6 is a blunder."
 */
verdict: string,
/**
 * Why, the most important first.
 */
remarks: Array<Remark>, };

/**
 * The static evaluation in parts.
 */
export type Terms = {
/**
 * Centipawns, White's view.
 */
total: number,
/**
 * 0 (end game) to 1 (all pieces there).
 */
phase: number,
/**
 * Sums of terms by subject.
 */
groups: Array<TermGroup>,
/**
 * Single terms, the weightiest first.
 */
items: Array<TermItem>,
/**
 * The value of each piece here, to its side.
 */
pieces: Array<PieceValue>, };

/**
 * What a group of terms gives each side.
 */
export type TermGroup = { name: string, white: number, black: number, };

/**
 * One term.
 */
export type TermItem = { color: Color, group: string, text: string, value: number, squares: Array<string>, };

/**
 * The value of a piece where it stands.
 */
export type PieceValue = { square: string, piece: string, value: number, };

/**
 * How bad a move was.
 */
export type Judgement = "inaccuracy" | "mistake" | "blunder";

/**
 * A move of the game and what is to be said of it.
 */
export type ReviewMove = {
/**
 * 1 for the first move of the game.
 */
ply: number, uci: string, san: string,
/**
 * After the move.
 */
score: Score,
/**
 * White's expected score after the move, 0 to 100.
 */
win: number,
/**
 * What the move cost its player, in points of `win`.
 */
loss: number,
/**
 * 0 to 100.
 */
accuracy: number, judgement: Judgement | null,
/**
 * Better play than the move; first move and what follows. Null if the move was the best.
 */
better: Better | null,
/**
 * Why it was an error; none if it was not.
 */
remarks: Array<Remark>, };

/**
 * Better play than a move of the game.
 */
export type Better = { score: Score, win: number, moves: Array<MoveName>, };

/**
 * How a side has played.
 */
export type SideReport = {
/**
 * Null without moves.
 */
accuracy: number | null,
/**
 * In centipawns; null without moves.
 */
averageLoss: number | null, inaccuracies: number, mistakes: number, blunders: number,
/**
 * What the game taught this side: where it turned, what was missed, what to train.
 */
lesson: Array<Remark>, };

/**
 * The review of a game.
 */
export type Review = { game: string,
/**
 * A higher one can be asked for again.
 */
effort: Effort,
/**
 * What made it, for example "Gardez 0.1.0, 50000 nodes a move".
 */
by: string,
/**
 * Of the start position.
 */
startScore: Score, startWin: number,
/**
 * The ply that tipped the game for good, counted from 1.
 */
turningPoint: number | null, moves: Array<ReviewMove>, white: SideReport, black: SideReport, };

/**
 * How thorough a review is.
 */
export type Effort = "quick" | "normal" | "deep";

/**
 * `GET /exercises`, as query.
 */
export type ExercisesQuery = {
/**
 * Of one game; without it, of all the visitor's reviewed games.
 */
game?: string,
/**
 * Without those that the visitor has solved.
 */
unsolved?: boolean, };

/**
 * Mistakes to solve again.
 */
export type ExercisesAnswer = { exercises: Array<Exercise>, };

/**
 * A mistake as a question: what should have been played?
 */
export type Exercise = { game: string,
/**
 * The mistake was this move of the game, counted from 1.
 */
ply: number, white: string, black: string, judgement: Judgement,
/**
 * What was played.
 */
played: MoveName,
/**
 * Before the mistake: to be solved from here.
 */
position: Position, variant: Variant, solved: boolean, };

/**
 * `POST /exercises/check`
 */
export type ExerciseAttempt = { game: string, ply: number,
/**
 * Empty: gives up and asks for the solution.
 */
move: string, };

/**
 * How good an attempt was.
 */
export type ExerciseVerdict = { verdict: Verdict,
/**
 * After the attempt.
 */
score: Score,
/**
 * The solution; null while the attempts are wrong, unless asked for with `move: ""`.
 */
solution: Array<MoveName> | null,
/**
 * What the opponent answers to a wrong attempt, from the position after it; empty otherwise.
 */
refutation: Array<MoveName>,
/**
 * Why the attempt is wrong, or the solution right.
 */
remarks: Array<Remark>, };

/**
 * `best`: the move of the review; `good`: loses next to nothing; `wrong`.
 */
export type Verdict = "best" | "good" | "wrong";

/**
 * What the page sends. Every message has an `id` of its choice; the answer carries it as `re`.
 */
export type Request = { id: number, } & ({ "type": "watch", game: string, } | { "type": "unwatch", game: string, } | { "type": "move", game: string, ply: number, move: string, } | { "type": "takeback", game: string, } | { "type": "draw", game: string, } | { "type": "claim", game: string, } | { "type": "resign", game: string, color?: Color, } | { "type": "rematch", game: string, } | { "type": "answer", game: string, to: Offer, accept: boolean, } | { "type": "hint", game: string, } | { "type": "pause", game: string, paused: boolean, } | { "type": "analyse" } & AnalyseRequest | { "type": "stop" } | { "type": "review", game: string, effort?: Effort, } | { "type": "cancel", game: string, } | { "type": "ping" });

/**
 * What the page wants.
 */
export type Command = { "type": "watch", game: string, } | { "type": "unwatch", game: string, } | { "type": "move", game: string, ply: number, move: string, } | { "type": "takeback", game: string, } | { "type": "draw", game: string, } | { "type": "claim", game: string, } | { "type": "resign", game: string, color?: Color, } | { "type": "rematch", game: string, } | { "type": "answer", game: string, to: Offer, accept: boolean, } | { "type": "hint", game: string, } | { "type": "pause", game: string, paused: boolean, } | { "type": "analyse" } & AnalyseRequest | { "type": "stop" } | { "type": "review", game: string, effort?: Effort, } | { "type": "cancel", game: string, } | { "type": "ping" };

/**
 * A message of the server: answers with `re`, the id of the request, and news without.
 */
export type Message = { re?: number, } & ({ "type": "hello", version: string, api: 1, } | { "type": "ok" } | { "type": "error", error: ApiError, } | { "type": "game", game: GameState, } | { "type": "hint", uci: string, san: string, steps: Array<Remark>, } | { "type": "analysis", analysis: Analysis, } | { "type": "reviewing", game: string, done: number, total: number, } | { "type": "review", review: Review, } | { "type": "pong" } | { "type": "declined", game: string, offer: Offer, } | { "type": "gone", game: string, } | { "type": "bye" });
