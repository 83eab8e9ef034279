// A friend opens the invitation to a game, and says who they are.

import type { App, View } from "../app";
import { change, settings } from "../core/settings";
import { h } from "../ui/dom";
import { messageOf } from "../ui/notice";

export function joinView(app: App, token: string): View {
  const name = h("input", {
    value: settings().name,
    maxlength: 40,
    autocomplete: "nickname",
    required: true,
  });
  const error = h("p", { class: "form-error", role: "alert" });
  const join = async (): Promise<void> => {
    change({ name: name.value.trim() });
    try {
      const game = await app.backend.games.follow(token, settings().name);
      app.go(`/game/${game.id}`, true);
    } catch (problem) {
      error.textContent = messageOf(problem);
    }
  };
  const element = h(
    "main",
    { class: "login", id: "main" },
    h("h1", {}, "You are invited to a game"),
    h(
      "form",
      {
        class: "fields",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          void join();
        },
      },
      h("label", { class: "field" }, h("span", {}, "Your name"), name),
      error,
      h("button", { type: "submit", class: "button primary wide" }, h("span", {}, "Join the game")),
    ),
  );
  return { element, title: "Invitation", section: "play" };
}
