import "./styles/main.css";
import type { App, View } from "./app";
import { Refusal } from "./net/backend";
import { backoff } from "./net/backoff";
import { connectServer } from "./net/server";
import { address, currentPath, pathOf, readRoute } from "./router";
import { shell } from "./shell";
import { h } from "./ui/dom";
import { complain, messageOf } from "./ui/notice";
import { unlockSound } from "./ui/sound";
import { keepOnDevice } from "./update";
import { AnalyseView } from "./views/analyse/view";
import { GameView } from "./views/game/view";
import { GamesView } from "./views/games";
import { joinView } from "./views/join";
import { LearnView } from "./views/learn/view";
import { loginPage } from "./views/login";
import { playView } from "./views/play";
import { ReviewView } from "./views/review/view";

const backend = connectServer();
const frame = shell(backend.session);
let running: App | null = null;
let view: View | null = null;

function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", address(path));
  else history.pushState(null, "", address(path));
  open();
}

function message(text: string): View {
  return {
    element: h("main", { class: "page", id: "main" }, h("h1", {}, "Gardez"), h("p", {}, text)),
    title: "Gardez",
    section: "play",
  };
}

function viewFor(app: App): View {
  const route = readRoute(currentPath());
  switch (route.page) {
    case "game":
      return new GameView(app, route.id, route.show);
    case "join":
      return joinView(app, route.token);
    case "watch":
      app.backend.games
        .follow(route.token)
        .then((game) => go(`/game/${game.id}`, true))
        .catch((error: unknown) => frame.show(message(messageOf(error))));
      return message("Opening the game…");
    case "analyse":
      return new AnalyseView(app, route);
    case "review":
      return new ReviewView(app, route.id, route.ply);
    case "learn":
      return new LearnView(app, route.game);
    case "games":
      return new GamesView(app);
    case "play":
      return playView(app);
  }
}

function open(): void {
  if (!running) return;
  view?.dispose?.();
  view = viewFor(running);
  frame.show(view);
}

async function start(attempt = 0): Promise<void> {
  try {
    const info = await backend.session.info();
    if (!info.authorised) {
      frame.show({ element: loginPage(backend.session, () => void start()), title: "Log in", section: null });
      return;
    }
    backend.session.start();
    running = { info, backend, go, keepAddress: (path) => history.replaceState(null, "", address(path)) };
    open();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "offline") complain(error);
    setTimeout(() => void start(attempt + 1), backoff(attempt));
  }
}

/** Links within the page do not load it again. */
document.addEventListener("click", (event) => {
  const link = (event.target as Element | null)?.closest("a");
  if (
    !link ||
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey
  )
    return;
  const path = pathOf(link);
  if (path === null) return;
  event.preventDefault();
  go(path);
});

document.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (target.closest("input, textarea, select, dialog, [role=tab]")) return;
  if (view?.key?.(event)) event.preventDefault();
});

addEventListener("popstate", open);
unlockSound();
void start();
addEventListener("load", () => void keepOnDevice());
