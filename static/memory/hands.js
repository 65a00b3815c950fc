// The keyboard: letters that go somewhere, move through rows, and do things to the row one stands on. Off while somebody types.
// It comes before the page, so that no key is lost that is pressed while the rest is on its way.
(() => {
  "use strict";

  const APPLE = /Mac|iP(hone|ad|od)/.test(navigator.platform);
  const ROWS = "[data-row], main .rows > li";
  const FIELDS = "textarea, select, input:not([type=hidden])";
  const LEADS = "a[href]:not(.fact a:not([data-whole]))";  // a link of the row, not one in the text that it shows
  const WAIT = 1500;  // ms between g and the letter behind it
  const find = (selector, root = document) => root.querySelector(selector);
  let waiting = 0;

  const isOff = () => document.body.dataset.keys === "off";
  const isOpen = () => Boolean(find("dialog[open]"));

  function types(target) {
    if (!(target instanceof Element)) return false;
    if (target.closest("[contenteditable=true], .cm-editor, textarea, select")) return true;
    return target.matches("input:not([type=checkbox], [type=radio], [type=button], [type=submit])");
  }

  // AltGr is how some keyboards type brackets; it arrives as Ctrl and Alt.
  const isPlain = (event) => event.getModifierState("AltGraph") || !(event.ctrlKey || event.altKey || event.metaKey);

  // ---- rows -----------------------------------------------------------------------------------------------------------------

  const rows = () => [...document.querySelectorAll(ROWS)].filter((row) => row.checkVisibility());
  const here = () => document.activeElement?.closest(ROWS) ?? find("[data-row]:target");  // or the one that the address marks

  function stand(row) {
    const links = find("input[type=checkbox]", row) ? [] : [...row.querySelectorAll(`${LEADS}:not([data-edit])`)];
    const link = row.matches("summary") ? row : links.find((one) => one.checkVisibility());
    if (!link) row.tabIndex = -1;
    (link ?? row).focus();
    row.scrollIntoView({block: "nearest"});
  }

  function move(by) {
    const all = rows();
    if (!all.length) return;
    const at = all.indexOf(here());
    stand(all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)]);
  }

  function edit() {
    const found = find("[data-edit]", here() ?? find("main"));
    if (!found) return;
    if (found.matches("textarea, input")) found.focus();
    else if (found.open) fields(found)[0]?.focus();
    else (find(":scope > summary", found) ?? found).click();
  }

  // What is done to selected facts; with none selected, to the one that the hand is on.
  function deed(name) {
    const press = find(`[data-deed="${name}"]`), box = here() && find("input.select", here());
    if (!press || (!find("input.select:checked") && !box)) return;
    if (!find("input.select:checked")) box.click();
    press.click();
  }

  // ---- what single keys do --------------------------------------------------------------------------------------------------

  function type(field) {
    field?.focus();
    field?.select?.();
  }

  const search = () => type(find("#goto"));
  const narrow = () => type([...document.querySelectorAll("main [data-search]")].find((one) => one.checkVisibility()));

  function undo() {
    const form = find("#do");
    if (form) form.requestSubmit();
  }

  async function help() {
    const dialog = find("#help"), place = find("[data-fill]", dialog);
    if (dialog.open) return dialog.close();
    dialog.showModal();
    if (place.childElementCount) return;
    await window.htmx.ajax("GET", place.dataset.fill, {target: place, swap: "innerHTML"});
    tell(place);
  }

  const KEYS = {
    "j": () => move(1),
    "k": () => move(-1),
    "x": () => here() && find("input[type=checkbox]", here())?.click(),
    "e": edit,
    "m": () => deed("move"),
    "+": () => deed("merge"),
    "p": () => deed("pin"),
    "u": undo,
    "/": search,
    "f": narrow,
    "?": help,
    "[": () => find('[data-key="["]')?.click(),
    "]": () => find('[data-key="]"]')?.click(),
  };
  for (const key of "ar123456789") KEYS[key] = () => here() && find(`[data-press="${key}"]`, here())?.click();

  function go(letter) {
    const link = find(`[data-go="${CSS.escape(letter)}"]`);
    link?.click();
    return Boolean(link);
  }

  let early = [];  // pressed before there is a page to do it on
  document.addEventListener("keydown", (event) => (early ? early.push(event) : press(event)));
  document.addEventListener("DOMContentLoaded", () => {
    const pressed = early;
    early = null;
    pressed.filter(({key}) => key.length === 1).forEach(press);
  });

  function press(event) {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === "Escape") return close();
    if (event.key === "?" && find("#help[open]")) return help();
    if (isOff() || isOpen() || !isPlain(event) || types(event.target)) return;
    const went = waiting > event.timeStamp && go(event.key);
    waiting = !went && event.key === "g" ? event.timeStamp + WAIT : 0;
    if (went || waiting) return event.preventDefault();
    if (event.key === "Enter" && document.activeElement === here()) return find(`summary, ${LEADS}`, here())?.click();
    if (!Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  }

  function close() {
    if (document.activeElement?.closest("[data-editing]")) return;  // the edit ends, and what it is in stays open
    const open = document.activeElement?.closest("details[open]") ?? find(".side details[open]");
    if (!open || isOpen()) return;
    open.open = false;
    find("summary", open)?.focus();
  }

  // ---- a form that opens is typed into at once; Enter sends what is one fact, Escape closes it and keeps what was typed ----------

  const fields = (opened) => [...opened.querySelectorAll(FIELDS)].filter((one) => one.closest("details, [data-row]") === opened);

  document.addEventListener("click", ({target}) => {
    const opened = target.closest("summary")?.parentElement;
    if (opened && !opened.open) opened.addEventListener("toggle", () => fields(opened)[0]?.focus(), {once: true});
  });

  document.addEventListener("keydown", (event) => {
    const text = event.target.closest?.("textarea[data-entry]");
    if (!text || event.key !== "Enter" || event.shiftKey || event.isComposing || event.altKey) return;
    event.preventDefault();
    if (!event.repeat) find("[data-save]", text.closest("[data-editing], details") ?? text.form).click();
  });

  // What hangs open over the page goes when one turns elsewhere.
  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll(".side details[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
    const link = event.target.closest("[data-help]");
    if (link && isPlain(event) && !event.shiftKey) {
      event.preventDefault();
      help();
    }
  });
  document.addEventListener("click", (event) => { if (event.target.matches("dialog[open]")) event.target.close(); });

  // ---- squares and other things that are one stop of the tab key ------------------------------------------------------------

  const STEPS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

  // The nearest in that direction, by where they are on the screen.
  function nearest(all, from, [right, down]) {
    const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const one of all) {
      const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y];
      const ahead = dx * right + dy * down, aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (ahead < 1) continue;
      if (ahead + 4 * aside < least) [best, least] = [one, ahead + 4 * aside];
    }
    return best;
  }

  document.addEventListener("keydown", (event) => {
    const group = event.target.closest?.("[data-roving]");
    if (!group || !STEPS[event.key] || !isPlain(event)) return;
    event.preventDefault();
    const all = [...group.querySelectorAll("a")], from = event.target.closest("a");
    const next = nearest(all, from, STEPS[event.key]);
    if (!next) return;
    from.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });

  // ---- the hints say what this machine's keys are called, and nothing where they are off -------------------------------------

  function tell(root) {
    if (APPLE) for (const key of root.querySelectorAll("kbd[data-mod]")) key.textContent = "⌘";
  }

  document.addEventListener("DOMContentLoaded", () => {
    tell(document);
    for (const here of document.querySelectorAll(":is(.tree, .tabs) [aria-current]")) here.scrollIntoView({block: "nearest", inline: "nearest"});
    if (isOff()) for (const link of document.querySelectorAll(":is(.places, .tree) a[title]")) link.removeAttribute("title");
  });
  window.kenoweb = {apple: APPLE};
})();
