// The palette: a field and a list under it that the server fills; arrow keys choose while the field keeps the focus.
(() => {
  "use strict";

  const dialog = document.getElementById("palette");
  if (!dialog) return;
  const field = dialog.querySelector("#ask"), list = dialog.querySelector("#options"), said = document.getElementById("said");
  const KEPT = `kenoweb:lately:${dialog.dataset.bot}`, MOST = 6;

  const options = () => [...list.querySelectorAll("[role=option]:not([aria-disabled])")];
  const chosen = () => list.querySelector("[aria-selected=true]");

  function open() {
    if (dialog.open) return dialog.close();
    if (document.querySelector("dialog[open]")) return;
    field.value = "";
    list.replaceChildren();
    dialog.showModal();
    field.dispatchEvent(new Event("kenoweb:open"));
  }

  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    if (option) {
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({block: "nearest"});
      field.setAttribute("aria-activedescendant", option.id);
    } else field.removeAttribute("aria-activedescendant");
  }

  function step(by) {
    const all = options();
    if (all.length) choose(all[(all.indexOf(chosen()) + by + all.length) % all.length]);
  }

  // ---- what was gone to lately, kept by this browser until somebody logs out ------------------------------------------------

  function lately() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT)) ?? [];
      return kept.filter((one) => typeof one.label === "string" && String(one.href).startsWith(`/${dialog.dataset.bot}/`));
    } catch {
      return [];
    }
  }

  function keep(option) {
    const href = option.getAttribute("href"), label = option.firstElementChild.textContent;
    if (!href) return;
    const kept = [{href, label}, ...lately().filter((one) => one.href !== href)].slice(0, MOST);
    try { localStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* a browser that keeps nothing */ }
  }

  function recall() {
    for (const [index, {href, label}] of lately().reverse().entries()) {
      list.querySelector(`[href="${CSS.escape(href)}"]`)?.remove();
      const option = document.createElement("a");
      for (const [name, value] of Object.entries({role: "option", id: `lately-${index}`, tabindex: "-1", "aria-selected": "false", href})) option.setAttribute(name, value);
      const what = document.createElement("span"), note = document.createElement("span");
      what.textContent = label;
      note.textContent = dialog.dataset.recent;
      note.className = "soft";
      option.append(what, " ", note);
      list.prepend(option);
    }
  }

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-forget]")) return;
    for (const name of Object.keys(localStorage)) if (name.startsWith("kenoweb:lately:")) localStorage.removeItem(name);
  });

  // ---- events ---------------------------------------------------------------------------------------------------------------

  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    open();
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-palette]")) open(); });

  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const option = chosen();
      option?.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, ctrlKey: event.ctrlKey, metaKey: event.metaKey}));
    }
  });
  list.addEventListener("pointermove", (event) => {
    const option = event.target.closest("[role=option]:not([aria-disabled])");
    if (option && option !== chosen()) choose(option);
  });
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (!option) return;
    keep(option);
    if (!event.ctrlKey && !event.metaKey && option.matches("a")) dialog.close();
  });

  list.addEventListener("htmx:afterSwap", () => {
    if (!field.value) recall();
    choose(options()[0]);
    said.textContent = list.querySelector("[data-said]")?.dataset.said ?? "";
  });
})();
