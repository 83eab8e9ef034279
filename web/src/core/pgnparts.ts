// A file of games in parts, each small enough to be sent at once.

export interface PgnPart {
  readonly text: string;
  /** Lines of the file before it. */
  readonly linesBefore: number;
}

/** What a part has at most, unless a game alone is larger: well within what the server takes. */
const MOST_GAMES = 500;
const MOST_CHARACTERS = 2 << 20;

/** Where a game ends and another begins: a result at the end of a line, and a tag after it. */
const BETWEEN_GAMES = /(?:1-0|0-1|1\/2-1\/2|\*)[ \t]*\r?\n\s*(?=\[)/g;

/** Cuts a text between games. What has no such places, such as one endless game, stays whole. */
export function* pgnParts(
  text: string,
  mostGames = MOST_GAMES,
  mostCharacters = MOST_CHARACTERS,
): Generator<PgnPart> {
  let begin = 0;
  let linesBefore = 0;
  let last = 0;
  let games = 0;
  const cut = (end: number): PgnPart => {
    const part = { text: text.slice(begin, end), linesBefore };
    linesBefore += part.text.split("\n").length - 1;
    begin = end;
    games = 0;
    return part;
  };
  for (const match of text.matchAll(BETWEEN_GAMES)) {
    const end = match.index + match[0].length;
    if (end - begin > mostCharacters && last > begin) yield cut(last);
    games += 1;
    if (games === mostGames) yield cut(end);
    last = end;
  }
  if (text.length - begin > mostCharacters && last > begin) yield cut(last);
  if (begin < text.length) yield cut(text.length);
}
