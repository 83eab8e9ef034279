// Messages to the person: short notices on the screen, and announcements for screen readers.

import { sentence } from "../core/speech";
import { button } from "./controls";
import { h } from "./dom";

const notices = h("div", { class: "notices" });
const polite = h("div", { class: "visually-hidden", "aria-live": "polite", role: "status" });

/** What lies over the views: it is shown within the panel of those that have one, never over a board or a clock. */
const area = h("div", { class: "notice-area" });

export function noticeArea(connection: HTMLElement): HTMLElement {
  area.append(connection, notices);
  return h("div", {}, area, polite);
}

/** Moves the notices to the view that is shown now. */
export function placeNotices(view: HTMLElement): void {
  (view.querySelector(".panel-box") ?? document.body).append(area);
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  // The same text twice must differ, or it is not announced again.
  polite.textContent = polite.textContent === text ? `${text}\u00a0` : text;
}

interface Action {
  text: string;
  run(): void;
  /** The notice waits for an answer. */
  stays?: boolean;
}

/** Shows a notice for a few seconds, with an optional button. */
export function notify(text: string, action?: Action): void {
  const notice = h("div", { class: "notice" }, h("span", {}, text));
  const close = () => {
    clearTimeout(timer);
    notice.remove();
  };
  if (action) {
    notice.append(
      button(action.text, () => {
        close();
        action.run();
      }),
    );
  }
  notice.append(button("", close, { icon: "close", label: "Dismiss" }));
  const timer = action?.stays ? undefined : setTimeout(close, action ? 10_000 : 5_000);
  notices.append(notice);
  while (notices.children.length > 3) notices.firstElementChild?.remove();
  announce(text);
}

/** What an error says, as a sentence. */
export const messageOf = (error: unknown): string =>
  sentence(error instanceof Error ? error.message : String(error));

/** Shows what went wrong. */
export function complain(error: unknown): void {
  notify(messageOf(error));
}
