import "./styles/main.css";
import type { App, View } from "./app";
import { counted, sentence } from "./core/speech";
import { type Backend, Refusal } from "./net/backend";
import { backoff } from "./net/backoff";
import { canPlayOnDevice, startOnDevice } from "./net/device";
import { countUnsent, sendGames } from "./net/device/send";
import { connectServer } from "./net/server";
import { address, currentPath, pathOf, readRoute } from "./router";
import { shell } from "./shell";
import { h } from "./ui/dom";
import { complain, messageOf, notify } from "./ui/notice";
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

const frame = shell();
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

/** Uses a backend from now on. Throws a refusal if it cannot be reached. */
async function use(backend: Backend): Promise<void> {
  const info = await backend.session.info();
  frame.follow(backend);
  if (!info.authorised) {
    frame.show({
      element: loginPage(backend.session, () => void use(backend).catch(complain)),
      title: "Log in",
      section: null,
    });
    return;
  }
  backend.session.start();
  running = { info, backend, go, keepAddress: (path) => history.replaceState(null, "", address(path)) };
  open();
}

const device = (): Backend =>
  startOnDevice({
    engineRestarted: (reason) =>
      notify(`The engine had to be started again (${reason}). The game continues.`),
    storageFailed: (reason) =>
      notify(`Games cannot be kept in this browser: ${reason}. They last until the page is closed.`, {
        text: "All games",
        run: () => go("/games"),
      }),
  });

/** Waits for the server while the page plays on this device, and asks before it goes back to it. */
async function awaitServer(server: Backend, attempt = 0): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, backoff(attempt)));
  try {
    await server.session.info();
    notify("The server can be reached again.", {
      text: "Use it",
      // Not to the view of now: what it shows is on this device.
      run: () => location.assign(address("/")),
      stays: true,
    });
  } catch {
    void awaitServer(server, attempt + 1);
  }
}

/** Asks whether games that were played here without the server are to be sent to it. */
async function offerToSend(server: Backend): Promise<void> {
  const count = canPlayOnDevice() ? await countUnsent().catch(() => 0) : 0;
  if (count === 0) return;
  const send = async (): Promise<void> => {
    try {
      const { sent, refused } = await sendGames(server);
      notify([`${counted(sent, "game")} sent.`, ...refused.map(sentence)].join(" "), {
        text: "Show",
        run: () => go("/games"),
      });
    } catch (error) {
      notify(`${messageOf(error)} What is left stays on this device.`, {
        text: "Try again",
        run: () => void send(),
      });
    }
  };
  notify(`${counted(count, "game")} played on this device without the server. Send to the server?`, {
    text: "Send",
    run: () => void send(),
    stays: true,
  });
}

async function start(server: Backend, attempt = 0): Promise<void> {
  try {
    await use(server);
    void offerToSend(server);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "offline") complain(error);
    else if (canPlayOnDevice()) {
      await use(device());
      notify("The server cannot be reached, so the game is on this device.");
      void awaitServer(server);
      return;
    }
    setTimeout(() => void start(server, attempt + 1), backoff(attempt));
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
if (import.meta.env.MODE === "site") void use(device());
else void start(connectServer());
addEventListener("load", () => void keepOnDevice());
