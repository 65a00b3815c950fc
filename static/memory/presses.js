// A press that comes while another one's answer is on its way, in the same form, is not lost: it is made once that answer is in its
// place, on the same button or on the one that came for it. Where none came, there is nothing left to press for.
(() => {
  "use strict";

  const FORMS = ["#editor", ".entries"];
  const SETTLED = 40;  // ms; htmx wakes what has come after 20
  const asked = new WeakMap();  // request -> the form it is of
  const waiting = new Map();  // form of which an answer is on its way -> the press that waits for it, or null

  const formOf = (element) => FORMS.find((name) => (element?.form ?? element)?.closest(name));
  const alike = (one, other) => ["id", "name", "value", "formaction"].every((name) => one.getAttribute(name) === other.getAttribute(name));

  document.addEventListener("htmx:beforeSend", (event) => {
    const form = formOf(event.detail.elt);
    if (!form || !["click", "submit"].includes(event.detail.requestConfig.triggeringEvent?.type)) return;
    asked.set(event.detail.xhr, form);
    waiting.set(form, null);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button"), form = button?.type === "submit" && formOf(button);
    if (!form || !waiting.has(form)) return;
    event.preventDefault();
    event.stopPropagation();
    const ticked = [...button.form.querySelectorAll(".select:checked")].map((box) => box.value);
    waiting.set(form, {button, ticked});
  }, true);

  document.addEventListener("htmx:afterRequest", (event) => {
    const form = asked.get(event.detail.xhr);
    if (form) setTimeout(() => again(form), SETTLED);
  });

  function again(form) {
    const press = waiting.get(form);
    waiting.delete(form);
    if (!press) return;
    const there = press.button.isConnected ? press.button : [...document.querySelectorAll(`${form} button`)].find((one) => alike(one, press.button));
    for (const box of there?.form.querySelectorAll(".select") ?? []) box.checked ||= press.ticked.includes(box.value);
    there?.click();
  }
})();
