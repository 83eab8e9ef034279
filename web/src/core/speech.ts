// Moves as a screen reader should say them.

const PIECES: Record<string, string> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** "Nbxd7+" becomes "knight b takes d7, check". */
export function speakSan(san: string): string {
  const ending = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const bare = san.replace(/[+#?!]+$/, "");
  if (bare === "O-O") return "castles king side" + ending;
  if (bare === "O-O-O") return "castles queen side" + ending;
  const match = /^([KQRBN]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=?([QRBN]))?$/.exec(bare);
  if (!match) return san;
  const [, letter = "", from = "", takes, to = "", promoted] = match;
  const words = [letter ? (PIECES[letter] ?? letter) : "pawn", from, takes ? "takes" : "", to];
  if (!letter && !takes && !from) words.shift();
  const promotion = promoted ? ` becomes a ${PIECES[promoted] ?? promoted}` : "";
  return words.filter(Boolean).join(" ") + promotion + ending;
}
