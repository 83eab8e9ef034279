/** How long to wait before the next attempt, in milliseconds: doubling, never over the limit, with some spread so
 *  that many pages do not come back in the same instant. `chance` is from 0 to 1. */
export function backoff(attempt: number, chance = Math.random()): number {
  const longest = Math.min(15_000, 400 * 2 ** Math.min(attempt, 10));
  return Math.round(longest * (0.6 + 0.4 * chance));
}
