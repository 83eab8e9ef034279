// Games that were played on this device while the server could not be reached, and the way to it.

import { type Backend, Refusal } from "../backend";
import { Database } from "./database";

/** The games that the server does not have, or not as they stand here. None where the browser stores nothing. */
export async function countUnsent(): Promise<number> {
  const database = await openIfThere();
  return database ? (await database.unsent()).length : 0;
}

export interface Sending {
  sent: number;
  /** Why the server does not want the others. They stay on the device. */
  refused: string[];
}

/**
 * Sends them one by one. A game counts as sent when the server has answered, and the server knows one that it has already: so
 * wherever this breaks off, the next time neither loses nor doubles any. Throws when the server cannot be reached.
 */
export async function sendGames(server: Backend): Promise<Sending> {
  const database = await openIfThere();
  const refused: string[] = [];
  let sent = 0;
  for (const game of (await database?.unsent()) ?? []) {
    try {
      await server.games.upload(game);
      sent += 1;
    } catch (error) {
      // What the server understood and does not want it will not want the next time either.
      if (!(error instanceof Refusal) || !FINAL.has(error.code)) throw error;
      refused.push(error.message);
    }
    await database?.markSent(game);
  }
  return { sent, refused };
}

const FINAL = new Set<Refusal["code"]>(["illegal", "bad_request", "forbidden", "too_large"]);

/** Opening would create it for everyone who has never needed it. */
async function openIfThere(): Promise<Database | null> {
  const known = await indexedDB.databases();
  return known.some(({ name }) => name === Database.NAME) ? Database.open() : null;
}
