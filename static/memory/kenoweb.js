// What the pages do beyond links and forms. Everything here is a comfort: without it each page still reads and each form still saves.
(() => {
  "use strict";

  const plain = (text) => text.replace(/\r\n?/g, "\n");
  let desk = null;
  let isFirst = true;  // a desk that comes later, after a merge, stays where it is
  let nonce = "";  // the page's own; a part that comes later brings another, which this page's policy does not know

  // ---- the editor over the textarea -----------------------------------------------------------------------------------------

  function openDesk() {
    const form = document.getElementById("editor");
    if (!form || (desk && desk.form === form)) return;
    if (desk) desk.editor?.destroy();
    const textarea = form.elements.text;
    nonce ||= form.dataset.nonce;
    const apart = document.getElementById("base-text"); // what the field was made from, where it holds something else
    desk = {
      form, textarea,
      base: plain(apart ? JSON.parse(apart.textContent) : textarea.defaultValue),
      get save() { return document.getElementById("save"); },  // it comes anew where the file moved on
      word: document.getElementById("dirty"),
      sent: null, typed: false, editor: null,
    };
    const place = form.querySelector(".mount");
    if (window.KenowebEditor && place) {
      desk.editor = window.KenowebEditor.mount(textarea, place, {
        nonce,
        base: desk.base,
        first: Number(form.dataset.first),
        label: form.querySelector("label[for=text]").textContent,
        phrases: JSON.parse(document.getElementById("editor-words").textContent),
        onChange: () => textarea.dispatchEvent(new Event("input", {bubbles: true})),
      });
      place.hidden = false;
      place.parentElement.classList.add("mounted");
      if (isFirst) goToLine(desk.editor.view, place);
      isFirst = false;
    }
    if (/Mac|iP(hone|ad|od)/.test(navigator.platform)) form.querySelector("#save kbd").textContent = "⌘ S";
    textarea.addEventListener("input", () => { desk.typed = true; tell(); });
    tell();
  }

  // An address may name a line: it is shown, and marked until somebody goes elsewhere in the text.
  function goToLine(view, place) {
    const asked = Number(new URLSearchParams(location.search).get("line"));
    const number = asked - Number(desk.form.dataset.first) + 1;
    if (!Number.isInteger(number) || number < 1 || number > view.state.doc.lines) return;
    const at = view.state.doc.line(number).from;
    view.dispatch({selection: {anchor: at}, effects: view.constructor.scrollIntoView(at, {y: "nearest", yMargin: 160})});
    place.dataset.line = asked;
    for (const type of ["pointerdown", "keydown"]) place.addEventListener(type, () => { delete place.dataset.line; }, {once: true});
  }

  const isDirty = () => Boolean(desk) && plain(desk.textarea.value) !== desk.base;

  function tell() {
    const dirty = isDirty();
    desk.save.disabled = !dirty || desk.save.getAttribute("aria-describedby") === "held"; // the memory is out of reach
    const changed = desk.editor ? desk.editor.setBase(desk.base) : 0;
    const {clean, removed, one, other} = desk.word.dataset;
    const unsaved = changed === 0 ? removed : changed === 1 ? one : other.replace("#", changed.toLocaleString(document.documentElement.lang));
    desk.word.textContent = `${dirty ? unsaved : clean} `;
    if (!dirty) document.getElementById("draft-state").textContent = "";
    document.title = document.title.replace(/^● /, "");
    if (dirty) document.title = `● ${document.title}`;
  }

  // What a request asks of the desk, by its address: /bot/save/path.
  const asked = (event) => (event.detail.requestConfig?.path || "").split("/")[2];
  const writes = (event) => ["save", "overwrite", "merge"].includes(asked(event));

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!desk || !writes(event)) return;
    desk.sent = plain(desk.textarea.value);
    desk.saving = true;
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (desk && writes(event)) desk.saving = false;
  });

  // An answer that was asked for before a save, whether the file moved on and what saving would do, is about a version that is no
  // longer ours.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!desk || !["moved", "foresee"].includes(asked(event))) return;
    if (asked(event) === "moved" && document.querySelector("#bar :is(.diff, [name=confirmed])")) event.detail.shouldSwap = false;  // it is being decided
    if (desk.saving || event.detail.requestConfig.parameters.base !== desk.form.elements.base.value) event.detail.shouldSwap = false;
  });

  // A desk that comes anew, with lines of others, must not take away what was typed while it was on its way.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!desk || asked(event) !== "save" || event.detail.target?.id !== "desk") return;
    if (plain(desk.textarea.value) !== desk.sent) event.detail.shouldSwap = false;
  });

  document.addEventListener("kenoweb:saved", (event) => {
    if (!desk || desk.form !== document.getElementById("editor")) return;
    if (desk.sent !== null) desk.base = desk.sent;
    desk.form.elements.base.value = event.detail.base;
    document.getElementById("bar").replaceChildren();
    document.getElementById("review").replaceChildren();
    document.getElementById("foreseen").replaceChildren();
    document.getElementById("draft-offer")?.remove();
    tell();
  });

  document.addEventListener("keydown", (event) => {
    if (!desk || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    desk.save.click();
  });

  // ---- nothing typed is lost ------------------------------------------------------------------------------------------------

  let leaving = false;
  document.addEventListener("click", (event) => { if (event.target.closest("a[data-leave]")) leaving = true; });
  document.addEventListener("submit", (event) => { if (event.target.matches("[data-leave]")) leaving = true; });

  window.addEventListener("beforeunload", (event) => {
    if (isDirty() && desk.typed && !leaving) event.preventDefault();
  });

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden" || !isDirty() || !desk.typed || leaving) return;
    const form = new FormData();
    for (const name of ["csrfmiddlewaretoken", "base", "span", "text"]) form.append(name, desk.form.elements[name].value);
    navigator.sendBeacon(desk.form.dataset.draft, form);
  });

  // The second click of a double one would send a form again, or what has moved up into the place of the row that went.
  let sent = false;  // by the first click; who opens a form and saves it at once clicks on two things
  document.addEventListener("click", (event) => {
    const sends = event.target.closest("button, [type=submit]")?.type === "submit";
    if (event.detail < 2) sent = sends;
    if (event.detail < 2 || !sent || !sends) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // ---- what takes longer than a moment says so, and is not asked for twice --------------------------------------------------

  const MOMENT = 1000;
  const busy = new Map();  // button -> what makes it as it was

  function begin(button, words) {
    if (!button || !words || busy.has(button)) return;
    const timer = setTimeout(() => {
      const kept = [...button.childNodes];
      busy.set(button, () => {
        button.replaceChildren(...kept);
        button.disabled = false;
      });
      button.replaceChildren(words);
      button.disabled = true;
      document.getElementById("said").textContent = words;
    }, MOMENT);
    busy.set(button, () => clearTimeout(timer));
  }

  function end(button) {
    busy.get(button)?.();
    busy.delete(button);
  }

  document.addEventListener("submit", (event) => {
    const stays = event.defaultPrevented || event.target.matches("[data-download]") || (isDirty() && !leaving);
    const button = event.submitter ?? event.target.querySelector("button:not([type=button])");
    if (!stays) begin(button, button?.dataset.busy ?? document.body.dataset.busy);
  });
  const asker = (event) => event.detail.requestConfig?.triggeringEvent?.submitter;
  document.addEventListener("htmx:beforeRequest", (event) => begin(asker(event), asker(event)?.dataset.busy));
  document.addEventListener("htmx:afterRequest", (event) => end(asker(event)));
  window.addEventListener("pageshow", () => [...busy.keys()].forEach(end));  // one comes back to the page as it was left

  // ---- an address to hand on: of the page, or of what is selected -------------------------------------------------------------

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy-link]");
    if (!button) return;
    const rows = [...document.querySelectorAll("[data-row]:has(.select:checked) [data-edit]")];
    const text = button.dataset.copyLink || rows.map((link) => link.href).join("\n");
    const said = await navigator.clipboard.writeText(text).then(() => button.dataset.done, () => button.dataset.failed);
    button.lastChild.textContent = said;
    document.getElementById("said").textContent = said;
  });

  // ---- toasts, panels, focus ------------------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    event.target.closest("[data-close]")?.closest(".toast").remove();
    const empty = event.target.closest("[data-empty]");
    if (empty) document.querySelector(empty.dataset.empty).replaceChildren();
  });

  document.addEventListener("htmx:afterSwap", () => openDesk());
  document.addEventListener("htmx:oobAfterSwap", () => { if (desk) tell(); });
  document.addEventListener("htmx:afterSettle", (event) => {
    const asked = event.detail.requestConfig?.triggeringEvent?.type;
    const found = event.detail.elt?.querySelector?.("[data-focus]");
    if (found && (asked === "click" || asked === "submit")) found.focus();
  });

  // What Undo brings back is looked for where one was.
  document.addEventListener("submit", (event) => {
    if (!event.target.closest(".toast")) return;
    const open = [...document.querySelectorAll("#main details[open][id]")].map((one) => one.id);
    sessionStorage.setItem("at", JSON.stringify([location.pathname, scrollY, open]));
  });
  document.addEventListener("DOMContentLoaded", () => {
    const [where, y, open] = JSON.parse(sessionStorage.getItem("at") ?? "[]");
    sessionStorage.removeItem("at");
    if (where !== location.pathname) return;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    scrollTo(0, y);
  });

  // Good news leaves by itself, unless somebody is reaching for it or wants nothing to move; errors stay. An Undo has to be found
  // and reached first.
  const READ = 6000, REACHED = 15_000, calm = matchMedia("(prefers-reduced-motion: reduce)");
  function fade() {
    for (const toast of document.querySelectorAll(".toast.success:not([data-fading]), .toast.info:not([data-fading])")) {
      toast.dataset.fading = "yes";
      const go = () => (calm.matches || toast.matches(":hover, :focus-within") ? setTimeout(go, 4000) : toast.remove());
      setTimeout(go, toast.querySelector("form") ? REACHED : READ);
    }
  }
  document.addEventListener("htmx:oobAfterSwap", fade);
  document.addEventListener("DOMContentLoaded", fade);
  document.addEventListener("DOMContentLoaded", openDesk);
})();
