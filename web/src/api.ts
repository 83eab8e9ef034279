// The API of the server, version 1. docs/api.md says what the messages mean and when they come; the types are
// generated from those of the server.

import type { Line, Position } from "./generated/wire";

export type * from "./generated/wire";

export const API = "/api/v1";
export const API_VERSION = 1;

/** From square to target squares, as chessground wants them. */
export type Dests = Position["dests"];
/** White's chances to win, draw and lose, in thousandths. */
export type Wdl = Line["wdl"];
