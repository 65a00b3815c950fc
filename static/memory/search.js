// The box on top: under it, while somebody types, what may be meant; on the page of the search itself, what was found. The arrow
// keys lead into it and Escape back to the box.
(() => {
  "use strict";

  const field = document.getElementById("goto"), said = document.getElementById("said");
  if (!field) return;
  const isPage = field.hasAttribute("data-search-now");
  const MOST = 8, QUIET = 700;  // ms without typing before what was found is said aloud
  const isPlain = (event) => !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing);

  // The newest answer wins, and only the one to what stands in the box.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const asked = event.detail.requestConfig;
    if (asked?.elt === field && asked.parameters.q !== field.value) event.detail.shouldSwap = false;
  });

  // ---- what somebody looked for lately, kept by this browser until they log out ---------------------------------------------

  const slug = field.form.getAttribute("action").split("/")[1], KEPT = `kenoweb:lately:search:${slug}`;

  function lately() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT)) ?? [];
      return kept.filter((one) => typeof one === "string");
    } catch {
      return [];
    }
  }

  function keep() {
    const typed = field.value.trim();
    if (!typed) return;
    const kept = [typed, ...lately().filter((one) => one !== typed)].slice(0, MOST);
    try { localStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* a browser that keeps nothing */ }
  }

  function recall() {
    const place = document.getElementById("lately"), kept = lately();
    if (!place || !kept.length) return;
    place.querySelector("ul").replaceChildren(...kept.map((typed) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = `${place.dataset.address}?${new URLSearchParams({q: typed})}`;
      link.textContent = typed;
      item.append(link);
      return item;
    }));
    place.hidden = false;
  }

  field.form.addEventListener("submit", keep);

  // ---- the page of the search -----------------------------------------------------------------------------------------------

  const hits = () => [...document.querySelectorAll("#live .hits > [data-row]")];
  let quiet = 0;

  function tell() {
    clearTimeout(quiet);
    quiet = setTimeout(() => { said.textContent = document.querySelector("#live[data-said]")?.dataset.said ?? ""; }, QUIET);
  }

  function stand(row) {
    row.tabIndex = -1;
    row.focus();
    row.scrollIntoView({block: "nearest"});
  }

  function onPage() {
    recall();
    if (field.value) {
      field.setSelectionRange(field.value.length, field.value.length);
      tell();
    }
    document.addEventListener("htmx:afterSwap", (event) => {
      if (event.detail.requestConfig?.elt !== field) return;
      recall();
      tell();
    });
    document.addEventListener("click", (event) => { if (event.target.closest("#live .hits a.place")) keep(); });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" || !isPlain(event) || !hits().length) return;
      event.preventDefault();
      stand(hits()[0]);
    });
    document.addEventListener("keydown", (event) => {
      const row = document.activeElement?.closest("#live .hits > [data-row]");
      if (!row || !isPlain(event) || event.defaultPrevented || document.activeElement.matches("textarea, select")) return;
      const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (event.key === "Enter" && document.activeElement === row) {
        event.preventDefault();
        row.querySelector("a.place")?.click();
      } else if (step) {
        event.preventDefault();
        const to = hits()[hits().indexOf(row) + step];
        if (to) stand(to);
        else if (step < 0) field.focus();
      } else if (event.key === "Escape" && !row.querySelector("[data-editing]") && !document.activeElement.closest("details[open]")) field.focus();
    }, true);
  }

  // ---- under the box of any other page --------------------------------------------------------------------------------------

  const list = document.getElementById("near");
  const options = () => [...list.querySelectorAll("[role=option]")];
  const chosen = () => list.querySelector("[aria-selected=true]");

  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({block: "nearest"});
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  }

  function show(is) {
    const open = is && options().length > 0;
    list.hidden = !open;
    field.setAttribute("aria-expanded", String(open));
    if (!open) choose(null);
  }

  function onBox() {
    let closed = null, was = null;  // what stood in the box when the list was closed; what was chosen in the list before
    list.addEventListener("htmx:beforeSwap", () => { was = chosen(); });
    list.addEventListener("htmx:afterSwap", () => {
      const is = (option) => (was.id === "near-0" ? option.id === was.id : option.getAttribute("href") === was.getAttribute("href"));
      choose((was && options().find(is)) ?? null);
      show(document.activeElement === field && field.value !== closed);
    });
    field.addEventListener("input", () => {
      closed = null;
      choose(null);
    });
    field.addEventListener("focus", () => show(true));
    field.form.addEventListener("focusout", (event) => { if (!field.form.contains(event.relatedTarget)) show(false); });
    list.addEventListener("pointermove", (event) => {
      const option = event.target.closest("[role=option]");
      if (option && option !== chosen()) choose(option);
    });
    list.addEventListener("click", (event) => { if (event.target.closest("#near-0")) keep(); });
    field.addEventListener("keydown", (event) => {
      if (event.isComposing) return;
      if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
        event.preventDefault();
        const all = options(), at = all.indexOf(chosen());
        choose(all[(at < 0 && event.key === "ArrowUp" ? all.length - 1 : at + (event.key === "ArrowDown" ? 1 : -1) + all.length) % all.length]);
      } else if (event.key === "Enter" && chosen()) {
        event.preventDefault();
        chosen().dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, ctrlKey: event.ctrlKey, metaKey: event.metaKey}));
      } else if (event.key === "Escape") {
        closed = field.value;
        if (list.hidden) return;
        event.preventDefault();
        show(false);
      }
    });
  }

  if (isPage) onPage();
  else onBox();
})();
