import type { Session } from "../net/backend";
import { h } from "../ui/dom";
import { messageOf } from "../ui/notice";

/** Asks for the password of a server that has one. */
export function loginPage(session: Session, done: () => void): HTMLElement {
  const password = h("input", { type: "password", autocomplete: "current-password", required: true });
  const error = h("p", { class: "form-error", role: "alert" });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    session.login(password.value).then(done, (problem: unknown) => {
      error.textContent = messageOf(problem);
    });
  };
  return h(
    "main",
    { class: "login", id: "main" },
    h("h1", {}, "Gardez"),
    h(
      "form",
      { class: "fields", onsubmit: submit },
      h("label", { class: "field" }, h("span", {}, "Password"), password),
      error,
      h("button", { type: "submit", class: "button primary wide" }, h("span", {}, "Log in")),
    ),
  );
}
