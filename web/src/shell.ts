// The frame around every view: navigation, theme, sound, notices, state of the connection.

import type { View } from "./app";
import { change, onSettings, settings } from "./core/settings";
import type { Backend, Session, Unsubscribe } from "./net/backend";
import { address } from "./router";
import { button } from "./ui/controls";
import { fill, h } from "./ui/dom";
import { type IconName, icon } from "./ui/icons";
import { noticeArea, placeNotices } from "./ui/notice";
import { openSettings } from "./views/settings";

const SECTIONS: [View["section"], string, string, IconName][] = [
  ["play", "Play", "/", "board"],
  ["analyse", "Analyse", "/analyse", "analyse"],
  ["learn", "Learn", "/learn", "learn"],
  ["games", "Games", "/games", "games"],
];

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

const isDark = (): boolean =>
  settings().theme === "dark" || (settings().theme === "auto" && darkSystem.matches);

export interface Shell {
  /** Shows the state of this backend from now on. */
  follow(backend: Backend): void;
  show(view: Pick<View, "element" | "title"> & { section: View["section"] | null }): void;
}

export function shell(): Shell {
  let session: Session | null = null;
  let unfollow: Unsubscribe = () => undefined;
  const links = SECTIONS.map(([section, text, href, name]) =>
    h(
      "a",
      { href: address(href), class: "nav-link", "data-section": section },
      icon(name),
      h("span", {}, text),
    ),
  );
  const theme = button("", () => change({ theme: isDark() ? "light" : "dark" }), {
    icon: "moon",
    label: "Dark colours",
  });
  const sound = button("", () => change({ sound: !settings().sound }), { icon: "sound", label: "Sounds" });
  const lost = h("div", { class: "connection", role: "status" });
  const place = h("div", { class: "place" });
  document.body.append(
    h("a", { class: "skip", href: "#main", onclick: skip }, "Skip to the content"),
    h(
      "header",
      { class: "top" },
      h(
        "a",
        { class: "brand", href: address("/") },
        h("img", { src: `${import.meta.env.BASE_URL}icon.svg`, alt: "", width: 28, height: 28 }),
        h("span", {}, "Gardez"),
      ),
      h("nav", { "aria-label": "Main" }, ...links),
      h(
        "div",
        { class: "top-tools" },
        h("span", { class: "quick" }, sound, theme),
        h(
          "button",
          {
            type: "button",
            class: "nav-link settings",
            "aria-label": "Settings",
            onclick: () => session && openSettings(session),
          },
          icon("gear"),
          h("span", {}, "Settings"),
        ),
      ),
    ),
    place,
    noticeArea(lost),
  );

  const dress = () => {
    const { board, pieces, coordinates, sound: on } = settings();
    Object.assign(document.documentElement.dataset, {
      theme: isDark() ? "dark" : "light",
      board,
      pieces,
      coordinates: String(coordinates),
    });
    fill(theme, icon(isDark() ? "sun" : "moon"));
    theme.setAttribute("aria-pressed", String(isDark()));
    fill(sound, icon(on ? "sound" : "mute"));
    sound.setAttribute("aria-pressed", String(on));
  };
  onSettings(dress);
  darkSystem.addEventListener("change", dress);

  return {
    follow(backend) {
      session = backend.session;
      const text =
        backend.place === "server" ? "Connection lost. Trying again…" : "Starting the engine again…";
      unfollow();
      unfollow = session.onStatus((status) => {
        lost.classList.toggle("visible", status === "lost");
        lost.textContent = status === "lost" ? text : "";
      });
    },
    show({ element, title, section }) {
      fill(place, element);
      place.scrollTop = 0;
      placeNotices(element);
      document.title = `${title} · Gardez`;
      for (const link of links) {
        if (link.dataset.section === section) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
    },
  };
}

/** Without the browser's own jump, which would change the address. */
function skip(event: MouseEvent): void {
  event.preventDefault();
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}
