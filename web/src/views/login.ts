import { http } from "../net/http";
import { h } from "../ui/dom";
import { messageOf } from "../ui/notice";

/** Asks for the password of a server that has one. */
export function loginPage(done: () => void): HTMLElement {
  const password = h("input", { type: "password", autocomplete: "current-password", required: true });
  const error = h("p", { class: "form-error", role: "alert" });
  return h(
    "main",
    { class: "login", id: "main" },
    h("h1", {}, "Gardez"),
    h(
      "form",
      {
        class: "fields",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          http.login(password.value).then(done, (problem: unknown) => {
            error.textContent = messageOf(problem);
          });
        },
      },
      h("label", { class: "field" }, h("span", {}, "Password"), password),
      error,
      h("button", { type: "submit", class: "button primary wide" }, h("span", {}, "Come in")),
    ),
  );
}
