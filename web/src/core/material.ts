import type { Color } from "../api";
import { type Role, readPieces } from "./fen";

const VALUES: Record<Role, number> = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };
const ORDER: Role[] = ["queen", "rook", "bishop", "knight", "pawn"];

export interface Lead {
  /** What this side has more of than the other, the heaviest first. */
  pieces: Role[];
  /** By how many points it leads; 0 when it does not. */
  points: number;
}

/** Counts what each side is ahead in. Right after promotions too, unlike a list of captures. */
export function materialLead(fen: string): Record<Color, Lead> {
  const difference = new Map<Role, number>();
  let points = 0;
  for (const { color, role } of readPieces(fen).values()) {
    const sign = color === "white" ? 1 : -1;
    difference.set(role, (difference.get(role) ?? 0) + sign);
    points += sign * VALUES[role];
  }
  const surplus = (sign: 1 | -1) =>
    ORDER.flatMap((role) => new Array<Role>(Math.max(0, sign * (difference.get(role) ?? 0))).fill(role));
  return {
    white: { pieces: surplus(1), points: Math.max(0, points) },
    black: { pieces: surplus(-1), points: Math.max(0, -points) },
  };
}
