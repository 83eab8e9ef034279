// What the page tells a person: short notices on the screen, and moves for those who listen to it.

import { button, h } from "./dom";

const notices = h("div", { class: "notices" });
const polite = h("div", { class: "visually-hidden", "aria-live": "polite", role: "status" });

export const noticeArea = (): HTMLElement => h("div", {}, notices, polite);

/** Says something to a screen reader. */
export function announce(text: string): void {
  // A text that is said twice must change in between.
  polite.textContent = polite.textContent === text ? text + "\u00a0" : text;
}

interface Action {
  text: string;
  run(): void;
}

/** Shows a notice for some seconds, perhaps with something to do about it. */
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

export const sentence = (clause: string): string =>
  clause ? clause[0]!.toUpperCase() + clause.slice(1) + (/[.!?]$/.test(clause) ? "" : ".") : "";

/** Shows what went wrong. */
export function complain(error: unknown): void {
  notify(sentence(error instanceof Error ? error.message : String(error)));
}
