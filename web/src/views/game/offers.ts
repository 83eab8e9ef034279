import type { GameState } from "../../api";
import type { Offer } from "../../net/backend";
import { button } from "../../ui/controls";
import { h } from "../../ui/dom";

export const OFFERS: Offer[] = ["draw", "takeback", "rematch"];

const TEXT: Record<Offer, [theirs: string, yours: string]> = {
  draw: ["offers a draw", "offered a draw"],
  takeback: ["asks to take a move back", "asked to take a move back"],
  rematch: ["offers a rematch", "offered a rematch"],
};

export const offerText = (offer: Offer): string => `Your opponent ${TEXT[offer][0]}.`;

/** One row for each open offer: the opponent's with its two answers, one's own as a note. */
export function offerRows(game: GameState, answer: (offer: Offer, accept: boolean) => void): HTMLElement[] {
  if (game.you === null) return [];
  return OFFERS.flatMap((offer) => {
    const from = game.offers[offer];
    if (!from) return [];
    if (from === game.you) return h("p", { class: "hint" }, `You ${TEXT[offer][1]}.`);
    return h(
      "div",
      { class: "offer" },
      h("span", {}, offerText(offer)),
      button("Accept", () => answer(offer, true), { kind: "primary" }),
      button("Decline", () => answer(offer, false)),
    );
  });
}
