import { button } from "./controls";
import { h, uniqueId } from "./dom";

export interface Dialog {
  element: HTMLDialogElement;
  close(): void;
}

/** Opens a modal dialog; it is removed when it closes, and the focus goes back to where it was. */
export function openDialog(
  title: string,
  content: HTMLElement,
  onclose: () => void = () => undefined,
): Dialog {
  const id = uniqueId("dialog");
  const close = () => element.close();
  const element = h(
    "dialog",
    { "aria-labelledby": id, class: "dialog" },
    h("header", {}, h("h2", { id }, title), button("", close, { icon: "close", label: "Close" })),
    content,
  );
  element.addEventListener("click", (event) => {
    if (event.target === element) close();
  });
  element.addEventListener("close", () => {
    element.remove();
    onclose();
  });
  document.body.append(element);
  element.showModal();
  return { element, close };
}
