// Words: moves as a screen reader should say them, and clauses as sentences.

const PIECES: Record<string, string> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** "Nbxd7+" becomes "knight b takes d7, check". */
export function speakSan(san: string): string {
  const ending = { "#": ", checkmate", "+": ", check" }[san.at(-1) ?? ""] ?? "";
  const bare = san.replace(/[+#?!]+$/, "");
  if (bare === "O-O") return `castles king side${ending}`;
  if (bare === "O-O-O") return `castles queen side${ending}`;
  const match = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=?([QRBN]))?$/.exec(bare);
  if (!match) return san;
  const [, letter = "", from = "", takes, to = "", promoted] = match;
  const words = [letter ? (PIECES[letter] ?? letter) : "pawn", from, takes ? "takes" : "", to];
  if (!letter && !takes && !from) words.shift();
  const promotion = promoted ? ` becomes a ${PIECES[promoted] ?? promoted}` : "";
  return words.filter(Boolean).join(" ") + promotion + ending;
}

/** "1 game", "2 games". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A clause as a sentence of its own. */
export const sentence = (clause: string): string =>
  clause && capital(clause) + (/[.!?]$/.test(clause) ? "" : ".");
