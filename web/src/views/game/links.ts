// The links of a game, for a friend or for spectators: a dialog with the addresses at which others reach it, and a QR code.

import type { Info } from "../../api";
import { reachableAddresses } from "../../core/addresses";
import { button } from "../../ui/controls";
import { type Dialog, openDialog } from "../../ui/dialog";
import { copy, fill, h } from "../../ui/dom";
import { complain, notify } from "../../ui/notice";
import { qrCode } from "../../ui/qr";

/** Shows a link of the game: `path` is where it leads to on this server. */
export function openLink(title: string, text: string, path: string, info: Info): Dialog {
  const addresses = reachableAddresses(location.origin, info.addresses).map((address) => address + path);
  const content = addresses.length > 0 ? links(text, addresses) : unreachable(info);
  return openDialog(title, h("div", { class: "fields link-dialog" }, ...content));
}

function links(text: string, addresses: string[]): HTMLElement[] {
  const picture = h("div", { class: "qr-box" });
  // A phone reads the first; the others are for who cannot reach that one.
  const show = (address: string) =>
    void qrCode(address)
      .then((code) => fill(picture, code))
      .catch(complain);
  show(addresses[0] ?? "");
  const rows = addresses.map((address, index) =>
    h(
      "div",
      { class: "invite" },
      h("input", {
        readonly: true,
        value: address,
        "aria-label": index === 0 ? "Link" : `Link, address ${index + 1}`,
        onfocus: (event: FocusEvent) => {
          (event.target as HTMLInputElement).select();
          show(address);
        },
      }),
      button("Copy", () => void copyLink(address), { icon: "link" }),
    ),
  );
  return [h("p", {}, text), ...rows, picture];
}

async function copyLink(address: string): Promise<void> {
  notify((await copy(address)) ? "The link is copied." : "Copying failed. Select the link and copy it.");
}

/** Why there is no link, and what to do about it. */
function unreachable({ exposed }: Info): HTMLElement[] {
  if (exposed) return [h("p", {}, "This machine is not connected to a network, so no one can reach it.")];
  return [
    h("p", {}, "The server listens on this machine alone, so no one else can reach it yet."),
    h("p", {}, "To let others in your network join, stop it and start it again with"),
    h("code", { class: "command" }, "make play HOST=0.0.0.0"),
    h("p", {}, "or, with the program alone,"),
    h("code", { class: "command" }, "gardez serve --host 0.0.0.0"),
    h("p", { class: "hint" }, "This game is kept; its link is here again when the server is back."),
  ];
}
