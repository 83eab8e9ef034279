// Who else is there: the friend who is invited, comes and leaves, and those who watch.

import type { GameState, Info, Player } from "../../api";
import { button } from "../../ui/controls";
import type { Dialog } from "../../ui/dialog";
import { h, setText } from "../../ui/dom";
import { notify } from "../../ui/notice";
import { openLink } from "./links";

export class Company {
  /** Opens the link for a friend while their seat is free, after that the one for spectators. */
  readonly share = button("", () => this.#open(), { icon: "link", label: "Link for spectators" });
  readonly spectators = h("span", { class: "spectators hint" });
  readonly #info: Info;
  #game: GameState | null = null;
  #invitation: Dialog | null = null;

  constructor(info: Info) {
    this.#info = info;
    this.share.hidden = true;
  }

  /** Takes a new state. */
  receive(game: GameState): void {
    const before = this.#game;
    this.#game = game;
    const { spectators, links } = game;
    setText(this.spectators, spectators > 0 ? `${spectators} watching` : "");
    this.share.hidden = !links;
    this.share.title = links?.invite ? "Invitation" : "Link for spectators";
    this.share.setAttribute("aria-label", this.share.title);
    if (!links?.invite) this.#invitation?.close();
    else if (!before) this.#open();
    if (before && game.kind === "friend" && !game.outcome) announceGuests(before, game);
  }

  dispose(): void {
    this.#invitation?.close();
  }

  #open(): void {
    const links = this.#game?.links;
    if (links?.invite) {
      const text = "Send this link to your friend, or let them point a phone at the picture.";
      this.#invitation = openLink("Invitation", text, links.invite, this.#info);
    } else if (links)
      openLink("Link for spectators", "Who opens this link can watch.", links.watch, this.#info);
  }
}

function announceGuests(before: GameState, game: GameState): void {
  for (const color of ["white", "black"] as const) {
    const news = color !== game.you && guestNews(before[color], game[color]);
    if (news) notify(`${game[color].name} ${news}.`);
  }
}

function guestNews(then: Player, now: Player): string | null {
  if (now.seated && !then.seated) return "has joined";
  if (then.present === now.present || !now.seated) return null;
  return now.present ? "is back" : "has left";
}
