import type { GameState } from "../../api";
import type { Offer } from "../../net/backend";
import { button, h } from "../../ui/dom";

export const OFFERS: Offer[] = ["draw", "takeback", "rematch"];

/** One row for each open offer: the opponent's with its two answers, one's own as a note. */
export function offerRows(game: GameState, answer: (offer: Offer, accept: boolean) => void): HTMLElement[] {
  if (game.you === null) return [];
  return OFFERS.flatMap((offer) => {
    const from = game.offers[offer];
    if (!from) return [];
    if (from === game.you) return h("p", { class: "hint" }, `You offered a ${offer}.`);
    return h(
      "div",
      { class: "offer" },
      h("span", {}, `Your opponent offers a ${offer}.`),
      button("Accept", () => answer(offer, true), { kind: "primary" }),
      button("Decline", () => answer(offer, false)),
    );
  });
}
