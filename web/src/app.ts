// What all views share.

import type { Info } from "./api";
import type { Backend } from "./net/backend";

export interface App {
  info: Info;
  backend: Backend;
  /** Goes to an address of the page. */
  go(path: string, replace?: boolean): void;
  /** Keeps the place within the view in the address, so that Back and a reload return to it. */
  keepAddress(path: string): void;
}

export interface View {
  element: HTMLElement;
  title: string;
  /** Which entry of the navigation it belongs to. */
  section: "play" | "analyse" | "learn" | "games";
  /** Handles a key that no field and no board used. True when it did something. */
  key?(event: KeyboardEvent): boolean;
  dispose?(): void;
}
