import { readPieces } from "../core/fen";
import { h } from "../ui/dom";

/** A small picture of a position. */
export function miniBoard(fen: string, blackBelow = false): HTMLElement {
  const element = h("div", { class: "mini cg-wrap", "aria-hidden": "true" });
  for (const [square, { color, role }] of readPieces(fen)) {
    const piece = h("piece" as "i", { class: `${role} ${color}` });
    const file = "abcdefgh".indexOf(square.charAt(0));
    const rank = 8 - Number(square[1]);
    piece.style.left = `${(blackBelow ? 7 - file : file) * 12.5}%`;
    piece.style.top = `${(blackBelow ? 7 - rank : rank) * 12.5}%`;
    element.append(piece);
  }
  return element;
}
