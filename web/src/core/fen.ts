// The little that the page knows of FEN. The rules are the backend's business.

import type { Color } from "../api";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";

export type Role = "king" | "queen" | "rook" | "bishop" | "knight" | "pawn";

export interface Piece {
  color: Color;
  role: Role;
}

const ROLES: Record<string, Role> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const FILES = "abcdefgh";

/** The pieces by square. Ranks that are too long or unknown letters are left out. */
export function readPieces(fen: string): Map<string, Piece> {
  const pieces = new Map<string, Piece>();
  const ranks = (fen.split(" ")[0] ?? "").split("/");
  ranks.slice(0, 8).forEach((rank, index) => {
    let file = 0;
    for (const letter of rank) {
      if (/[1-8]/.test(letter)) {
        file += Number(letter);
        continue;
      }
      const role = ROLES[letter.toLowerCase()];
      const name = FILES[file];
      if (role && name) {
        pieces.set(name + (8 - index), { role, color: letter === letter.toUpperCase() ? "white" : "black" });
      }
      file += 1;
    }
  });
  return pieces;
}

export function turnOf(fen: string): Color {
  return fen.split(" ")[1] === "b" ? "black" : "white";
}

/** The number of plies played before this position, as its move number says. */
export function plyOf(fen: string): number {
  const number = Number(fen.split(" ")[5] ?? "1");
  return (Number.isFinite(number) && number > 0 ? number - 1 : 0) * 2 + (turnOf(fen) === "black" ? 1 : 0);
}

export const opposite = (color: Color): Color => (color === "white" ? "black" : "white");

export interface EditorFields {
  /** The first field of the FEN. */
  placement: string;
  turn: Color;
  /** Letters of KQkq. */
  castling: string;
  enPassant?: string;
}

export function writeFen({ placement, turn, castling, enPassant }: EditorFields): string {
  return `${placement} ${turn[0]} ${castling || "-"} ${enPassant || "-"} 0 1`;
}

/** Castling rights that kings and rooks on their first squares allow. */
export function possibleCastling(fen: string): string {
  const pieces = readPieces(fen);
  const has = (square: string, color: Color, role: Role) => {
    const piece = pieces.get(square);
    return piece?.color === color && piece.role === role;
  };
  let rights = "";
  if (has("e1", "white", "king")) {
    if (has("h1", "white", "rook")) rights += "K";
    if (has("a1", "white", "rook")) rights += "Q";
  }
  if (has("e8", "black", "king")) {
    if (has("h8", "black", "rook")) rights += "k";
    if (has("a8", "black", "rook")) rights += "q";
  }
  return rights;
}

/** The squares a move in UCI goes between. */
export function squaresOf(uci: string): [string, string] {
  return [uci.slice(0, 2), uci.slice(2, 4)];
}

/** Whether a pawn reaches the last rank by this move, so that the new piece must be asked for. */
export function isPromotion(fen: string, from: string, to: string): boolean {
  return readPieces(fen).get(from)?.role === "pawn" && (to[1] === "8" || to[1] === "1");
}
