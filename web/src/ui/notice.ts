// Messages to the person: short notices on the screen, and announcements for screen readers.

import { sentence } from "../core/speech";
import { button } from "./controls";
import { h } from "./dom";

const notices = h("div", { class: "notices" });
const polite = h("div", { class: "visually-hidden", "aria-live": "polite", role: "status" });

export const noticeArea = (): HTMLElement => h("div", {}, notices, polite);

/** Announces a text to screen readers. */
export function announce(text: string): void {
  // The same text twice must differ, or it is not announced again.
  polite.textContent = polite.textContent === text ? `${text}\u00a0` : text;
}

interface Action {
  text: string;
  run(): void;
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
  const timer = setTimeout(close, action ? 10_000 : 5_000);
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
