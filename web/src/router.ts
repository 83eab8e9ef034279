export type Route =
  | { page: "play" }
  | { page: "game"; id: string; show: boolean }
  | { page: "link"; token: string }
  | { page: "analyse"; fen: string | null; game: string | null; ply: number | null }
  | { page: "review"; id: string; ply: number | null }
  | { page: "learn"; game: string | null }
  | { page: "games" };

const number = (text: string | null): number | null =>
  text !== null && /^\d+$/.test(text) ? Number(text) : null;

/** The view of an address; unknown ones show the first view. */
export function readRoute(address: string): Route {
  const { pathname, searchParams } = new URL(address, "http://page");
  const [first = "", second = ""] = pathname.split("/").filter(Boolean).map(decodeURIComponent);
  switch (first) {
    case "game":
      return second ? { page: "game", id: second, show: searchParams.has("show") } : { page: "games" };
    case "join":
    case "watch":
      return second ? { page: "link", token: second } : { page: "play" };
    case "analyse":
      return {
        page: "analyse",
        fen: searchParams.get("fen"),
        game: searchParams.get("game"),
        ply: number(searchParams.get("ply")),
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
