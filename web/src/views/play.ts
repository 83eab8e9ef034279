// The first view: a board, and what to play.

import type { App, View } from "../app";
import { Board } from "../board/board";
import { START } from "../core/fen";
import { address } from "../router";
import { h } from "../ui/dom";
import { stage } from "../ui/stage";
import { kindText } from "./games";
import { NewGameForm } from "./newgame";

export function playView(app: App): View {
  const board = new Board(() => undefined, "Start position");
  board.place({ fen: START, movable: null, dests: {}, lastMove: null, check: false });
  const where = app.backend.place === "device" ? "this device" : "your own computer";
  const going = h("div", { class: "going" });
  const element = stage(
    "Play chess",
    { board: board.element },
    h(
      "header",
      { class: "welcome" },
      h("h2", {}, "Shall we play?"),
      h("p", {}, `An opponent of every strength, on ${where}.`),
    ),
    new NewGameForm(app, null, app.go).element,
    going,
  );
  element.classList.add("home");
  app.backend.games
    .list({ status: "running", limit: 3 })
    .then((answer) => {
      const games = answer.games.filter(({ kind }) => kind !== "imported");
      if (games.length === 0) return;
      going.append(h("h3", {}, "Continue a game"));
      for (const game of games) {
        const link = h(
          "a",
          { href: address(`/game/${game.id}`), class: "going-game" },
          h("span", {}, `${game.white} – ${game.black}`),
          h("small", {}, `${kindText(game.kind)}, move ${Math.floor(game.plies / 2) + 1}`),
        );
        going.append(link);
      }
    })
    .catch(() => undefined);
  return { element, title: "Play", section: "play", dispose: () => board.destroy() };
}
