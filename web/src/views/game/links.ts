// The links of a game: the invitation while a seat is free, and the one for spectators.

import type { GameState } from "../../api";
import { button } from "../../ui/controls";
import { copy, h } from "../../ui/dom";
import { notify } from "../../ui/notice";

/** The link for a friend, while their seat is free. */
export function invitation(game: GameState): HTMLElement | null {
  const path = game.links?.invite;
  if (!path) return null;
  const address = location.origin + path;
  const copyAddress = async () => {
    notify((await copy(address)) ? "The link is copied." : "Copying failed. Select the link and copy it.");
  };
  return h(
    "div",
    { class: "invite" },
    h("input", {
      readonly: true,
      value: address,
      "aria-label": "Invitation",
      onfocus: (event: FocusEvent) => (event.target as HTMLInputElement).select(),
    }),
    button("Copy", () => void copyAddress(), { icon: "link" }),
  );
}

/** Copies the link for spectators, if the game has one. */
export async function copyWatchLink(game: GameState | null): Promise<void> {
  const path = game?.links?.watch;
  if (!path) return;
  const address = location.origin + path;
  notify(
    (await copy(address)) ? "The link for spectators is copied." : `The link for spectators: ${address}`,
  );
}
