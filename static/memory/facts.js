// Rows of facts: edit in place, tick many. Without it Edit is a page of its own, and each form posts by itself.
(() => {
  "use strict";

  let was = null;  // the row that is being edited, and what stood in it

  const field = () => document.querySelector(".facts [data-editing]");
  const isDirty = () => [...(field()?.querySelectorAll("textarea") ?? [])].some((one) => one.value !== one.defaultValue);

  async function part(link, more = "") {
    const answer = await fetch(link.href + more, {headers: {"HX-Request": "true", "HX-Current-URL": location.href}});
    if (!answer.ok || answer.redirected) {
      location.assign(link.href);
      return null;
    }
    return new DOMParser().parseFromString(await answer.text(), "text/html").body;
  }

  async function open(link) {
    if (isDirty()) return field().querySelector("textarea").focus();
    close();
    const fresh = await part(link);
    if (!fresh || field() || !put(document.importNode(fresh.firstElementChild, true), link)) return;
    const text = field()?.querySelector("textarea");
    text?.focus();
    text?.setSelectionRange(text.value.length, text.value.length);
  }

  // Into the row of this link, or of the one that has come in its place. Whether it is still there.
  function put(editing, link) {
    const now = link.isConnected ? link : document.querySelector(`.facts [data-edit][href="${CSS.escape(link.getAttribute("href"))}"]`);
    const place = now?.closest("li").querySelector(".said");
    if (!place) return false;
    was = {place, children: [...place.childNodes], link: now};
    place.replaceChildren(editing);
    return true;
  }

  function close() {
    if (was?.place.isConnected && was.place.querySelector("[data-editing]")) {
      was.place.replaceChildren(...was.children);
      handle(was.place.closest("li")).focus();
    }
    was = null;
  }

  // What of a row the hand is put on: its Edit, or what unfolds it, below which Edit is.
  const handle = (row) => row?.querySelector(".fold:not([open]) > summary") ?? row?.querySelector("[data-edit]") ?? row?.querySelector("a, input");

  // What somebody unfolded stays so while the list around it is brought in step.
  const unfolded = new Map();

  async function unfold(link) {
    const whole = await part(link, "&whole=1");
    if (!whole) return;
    unfolded.set(link.href, whole);
    show(link, whole);
  }

  function show(link, whole) {
    const fold = link.closest(".fold"), [text, deeds] = document.importNode(whole, true).children;
    text.dataset.href = link.href;
    if (deeds) link.closest("li").querySelector(".deeds[data-later]")?.replaceWith(deeds);
    link.closest(".fact")?.replaceWith(text);
    if (fold) fold.open = true;
  }

  // An entry that was folded is read laid out as soon as it is in sight, for a page may come with all of them open; folded again,
  // it is forgotten.
  const seen = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      const link = target.open && target.querySelector("[data-whole]");
      if (link) unfold(link);
    }
  });
  for (const fold of document.querySelectorAll(".fold[open]")) seen.observe(fold);
  document.addEventListener("toggle", (event) => {
    if (!event.target.matches?.(".fold")) return;
    const link = event.target.querySelector("[data-whole]");
    if (event.target.open && link) seen.observe(event.target);
    else if (!event.target.open) unfolded.delete(event.target.querySelector("[data-href]")?.dataset.href);
  }, true);

  // What a row offers is seen when the dots are pressed, also at the foot of a phone.
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.(".dots[open]")) event.target.nextElementSibling?.scrollIntoView({block: "nearest"});
  }, true);

  // An address that names an entry opens it.
  function named() {
    const row = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!row) return;
    for (const fold of [row.closest(".hour"), row.querySelector(".fold")]) if (fold) fold.open = true;
  }
  window.addEventListener("hashchange", named);
  named();

  const main = document.getElementById("main");
  new MutationObserver(() => {
    if (!unfolded.size) return;
    for (const link of main.querySelectorAll(".facts [data-whole]")) {
      const whole = unfolded.get(link.href);
      if (whole) show(link, whole);
    }
  }).observe(main, {childList: true, subtree: true});

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest(".facts :is([data-edit], [data-whole], [data-cancel])");
    if (!link) return;
    event.preventDefault();
    if (link.matches("[data-edit]")) open(link);
    else if (link.matches("[data-whole]")) unfold(link);
    else close();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.target.closest?.(".facts [data-editing]")) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  });

  // What somebody has typed is not swept away by something done to another row.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!event.target.matches?.(".entries") || !isDirty()) return;
    const pressed = event.detail.requestConfig.triggeringEvent?.submitter;
    if (field().contains(pressed)) return;
    event.preventDefault();
    field().querySelector("textarea").focus();
  });

  window.addEventListener("beforeunload", (event) => { if (isDirty()) event.preventDefault(); });

  // The list is another one after something was done: the hand stays where it was.
  let at = null;  // the row that the hand was on; -1 for none
  let opened = [];  // the folds that were open
  let kept = null;  // what somebody began to edit while the answer was on its way
  const shown = () => [...document.querySelectorAll(".facts > [data-row]")].filter((row) => row.checkVisibility());
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.target.matches?.("#live")) return;
    const editing = field(), pressed = event.detail.requestConfig.triggeringEvent?.submitter;
    const hand = editing?.contains(document.activeElement) ? document.activeElement : null;
    kept = editing && was && event.detail.shouldSwap && !editing.contains(pressed) ? {editing, hand, link: was.link} : null;
    at = shown().indexOf(document.activeElement?.closest?.(".facts > [data-row]"));
    opened = [...document.querySelectorAll(":is(.hour, .kind > details)[open]")].map((one) => one.id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const fold of opened.splice(0).map((id) => document.getElementById(id))) if (fold) fold.open = true;
    if (kept && put(kept.editing, kept.link)) kept.hand?.focus({preventScroll: true});
    kept = null;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const rows = shown();
    const asked = document.querySelector("#live [data-focus]");
    if (asked) asked.focus();
    else if (at !== null && document.activeElement === document.body) {
      const row = rows[Math.min(Math.max(at, 0), rows.length - 1)];
      (handle(row) ?? document.getElementById("main")).focus({preventScroll: at >= 0});
      if (at >= 0) row?.scrollIntoView({block: "nearest"});  // from under what is told of it
    }
    at = null;
  });

  // What the head of a list brings up on a phone is typed into, and goes by Escape.
  document.addEventListener("change", ({target}) => {
    if (target.dataset.leads && target.checked) document.querySelector(`.list-head [name="${target.dataset.leads}"]`)?.focus();
  });
  document.addEventListener("keydown", ({key, target}) => {
    const box = key === "Escape" && target.matches?.(".list-head form *") && document.querySelector(`.list-head :checked[data-leads="${target.name}"]`);
    if (!box || !box.checkVisibility() || (target.type === "search" && target.value)) return;
    box.checked = false;
    box.focus();
  });

  // Tick or untick all that are shown, and say how many are.
  document.addEventListener("change", (event) => {
    const all = event.target.closest?.("[data-all]"), form = event.target.closest?.(".entries");
    if (all) for (const box of form.querySelectorAll("[data-row] .select")) box.checked = all.checked;
    if (form) count(form);
  });
  document.addEventListener("click", (event) => {
    const form = event.target.closest("[data-clear]")?.closest(".entries");
    if (!form) return;
    for (const box of form.querySelectorAll("[type=checkbox]")) box.checked = false;
    count(form);
  });

  function count(form) {
    const place = form.querySelector("[data-selected]"), number = form.querySelectorAll("[data-row] .select:checked").length;
    const everything = form.querySelector("#all-found:checked")?.labels[0].textContent;
    if (place) place.textContent = everything ?? (number === 1 ? place.dataset.one : place.dataset.other.replace("#", number.toLocaleString(document.documentElement.lang)));
  }
})();
