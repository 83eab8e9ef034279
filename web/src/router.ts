// The addresses of the views.

import { API } from "./api";

export type Route =
  | { page: "play" }
  | { page: "game"; id: string; show: boolean }
  | { page: "join"; token: string }
  | { page: "watch"; token: string }
  | { page: "analyse"; fen: string | null; game: string | null; ply: number | null; line: string[] }
  | { page: "review"; id: string; ply: number | null }
  | { page: "learn"; game: string | null }
  | { page: "games" };

/** The path of a line in the analysis: from a position of a game, the number of moves before it, and moves in UCI. */
export const lineAddress = (game: string, ply: number, line: { uci: string }[]): string =>
  `/analyse?game=${encodeURIComponent(game)}&ply=${ply}&line=${line.map(({ uci }) => uci).join(".")}`;

const number = (text: string | null): number | null =>
  text !== null && /^\d+$/.test(text) ? Number(text) : null;

/** The view of a path; unknown ones show the first view. */
export function readRoute(path: string): Route {
  const { pathname, searchParams } = new URL(path, "http://page");
  const [first = "", second = ""] = pathname.split("/").filter(Boolean).map(decodeURIComponent);
  switch (first) {
    case "game":
      return second ? { page: "game", id: second, show: searchParams.has("show") } : { page: "games" };
    case "join":
    case "watch":
      return second ? { page: first, token: second } : { page: "play" };
    case "analyse":
      return {
        page: "analyse",
        fen: searchParams.get("fen"),
        game: searchParams.get("game"),
        ply: number(searchParams.get("ply")),
        line: searchParams.get("line")?.split(".").filter(Boolean) ?? [],
      };
    case "review":
      return second
        ? { page: "review", id: second, ply: number(searchParams.get("ply")) }
        : { page: "games" };
    case "learn":
      return { page: "learn", game: second || null };
    case "games":
      return { page: "games" };
    default:
      return { page: "play" };
  }
}

/** A static site has nothing that answers for every path, so there the addresses of views stand behind a #. */
const IN_HASH = import.meta.env.MODE === "site";

/** A path of the page, as links and the browser's address have it. */
export const address = (path: string): string => (IN_HASH ? `#${path}` : path);

/** The path of the view that the browser's address names. */
export const currentPath = (): string =>
  IN_HASH ? location.hash.slice(1) || "/" : location.pathname + location.search;

/** The path of the view that a link leads to; null for links to anything else. */
export function pathOf(link: HTMLAnchorElement): string | null {
  if (link.origin !== location.origin || link.hasAttribute("download") || link.pathname.startsWith(API))
    return null;
  if (link.hash.startsWith("#/")) return link.hash.slice(1);
  return link.hash ? null : link.pathname + link.search;
}
