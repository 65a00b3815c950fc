// A page that stays in step: when the walk finds that the files changed, what is marked `data-live` (with an id) is asked for
// again and laid over what stands there, so that focus, opened details, ticks and what somebody is typing stay. While an edit is
// open inside, nothing moves; a bar offers the news instead.
(() => {
  "use strict";

  const news = document.getElementById("news"), said = document.getElementById("said"), unread = document.getElementById("unread");
  let pending = false, asking = null, leaving = null;

  // While a button is pressed nothing moves: it would come up over another one. A finger's click comes a moment after it was lifted.
  const LIFTED = 300; // ms after which there is no click any more
  let released = Promise.resolve(), release = () => {};
  document.addEventListener("pointerdown", () => { released = new Promise((done) => { release = done; }); }, true);
  for (const name of ["pointerup", "pointercancel", "dragend"]) document.addEventListener(name, () => setTimeout(release, LIFTED), true);
  document.addEventListener("click", () => setTimeout(release), true);

  const lives = (root) => [...root.querySelectorAll("[data-live][id]")];
  const TYPED = "textarea, select, input:not([type=hidden], [type=checkbox], [type=radio], [type=search], [type=submit], [type=button])";
  const atFirst = (select) => Math.max(0, [...select.options].findLastIndex((one) => one.defaultSelected));
  const typed = (field) => (field.matches("select") ? field.selectedIndex !== atFirst(field) : field.value !== field.defaultValue);
  const isDirty = (root) => root.nodeType === Node.ELEMENT_NODE && [root, ...root.querySelectorAll(TYPED)].some((one) => one.matches(TYPED) && typed(one));

  // An edit is open where somebody types, has typed, or has opened a field to type in.
  function isBusy(live) {
    const fields = [...live.querySelectorAll(TYPED)];
    if (live.querySelector("[data-editing]") || fields.some((field) => field === document.activeElement || typed(field))) return true;
    return [...live.querySelectorAll("details[open] textarea, [data-row] textarea")].some((field) => field.checkVisibility());
  }

  // ---- laying one tree over another -----------------------------------------------------------------------------------------

  // A row without a name of its own is called by where it leads, so that its buttons never become another row's.
  const ofRow = (row) => row.querySelector("a[href]")?.getAttribute("href") || row.querySelector("button[value]")?.value || null;
  const nameOf = (node) => (node.nodeType !== Node.ELEMENT_NODE ? null : node.id || node.dataset.key || node.dataset.row || ("row" in node.dataset ? ofRow(node) : null));
  const isAlike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName && nameOf(one) === nameOf(other);

  function lay(from, to) {
    if (from.nodeType !== Node.ELEMENT_NODE) {
      if (from.data !== to.data) from.data = to.data;
      return;
    }
    if (from.name === "csrfmiddlewaretoken") return;  // each answer masks the same token anew
    layAttributes(from, to);
    if (from.matches("textarea")) {
      if (!typed(from)) from.value = from.defaultValue = to.defaultValue;
      return;
    }
    layChildren(from, to);
  }

  function layAttributes(from, to) {
    const own = from.matches("details") ? ["open"] : from.matches("[data-roving] a, [data-row]") ? ["tabindex"] : [];
    for (const {name} of [...from.attributes]) if (!to.hasAttribute(name) && !own.includes(name)) from.removeAttribute(name);
    for (const {name, value} of to.attributes) if (!own.includes(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }

  function layChildren(from, to) {
    const named = new Map();  // several may be called alike
    for (const child of from.children) if (nameOf(child)) named.set(nameOf(child), [...(named.get(nameOf(child)) || []), child]);
    let at = from.firstChild;
    for (const wanted of [...to.childNodes]) {
      const name = nameOf(wanted), same = name ? named.get(name)?.shift() : null;
      if (same && isAlike(same, wanted)) {
        if (same !== at) from.insertBefore(same, at);
        else at = at.nextSibling;
        lay(same, wanted);
      } else if (at && isAlike(at, wanted)) {
        const next = at.nextSibling;
        lay(at, wanted);
        at = next;
      } else from.insertBefore(document.importNode(wanted, true), at);
    }
    while (at) {
      const next = at.nextSibling;
      if (!isDirty(at)) at.remove();
      at = next;
    }
  }

  // ---- asking ---------------------------------------------------------------------------------------------------------------

  async function refetch(force = false) {
    const all = lives(document);
    if (unread) unread.hidden = true;  // whoever found the files changed has read them
    if (!all.length || leaving || "answered" in document.body.dataset) return;  // what a form was answered cannot be asked for again
    pending = true;
    if (!force && all.some(isBusy)) {
      await released;
      news.hidden = !pending;
      return;
    }
    asking?.abort();
    const own = asking = new AbortController(), address = location.href;
    try {
      const answer = await fetch(address, {signal: own.signal, headers: {Accept: "text/html"}});
      if (!answer.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      await released;
      if (own.signal.aborted) return;
      if (location.href !== address) return refetch(force);  // a search was typed meanwhile: this is the page without it
      if (force || !lives(document).some(isBusy)) show(page);
      else news.hidden = false;
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      if (asking === own) asking = null;
    }
  }

  // A form that leads to another page may do away with this one: it is not asked for any more, unless it is still here later.
  const LEFT = 10_000; // ms
  window.addEventListener("submit", ({defaultPrevented, target}) => {
    if (defaultPrevented || target.matches("[data-download]")) return;
    asking?.abort();
    clearTimeout(leaving);
    leaving = setTimeout(() => { leaving = null; }, LEFT);
  });

  // What is being answered stays as it is: htmx takes a form that was laid over for a new one, and would send its next press beside the first.
  const isAnswered = (live) => !live.querySelector(".htmx-request");

  function show(page) {
    if (!lives(document).every(isAnswered)) return;
    pending = false;
    news.hidden = true;
    const focused = document.activeElement;
    for (const live of lives(document)) {
      const fresh = page.getElementById(live.id);
      if (!fresh) continue;
      lay(live, fresh);
      window.htmx.process(live);
    }
    if (!document.title.startsWith("● ")) document.title = page.title;  // a page with unsaved edits says so there
    if (focused && focused !== document.body && !document.contains(focused)) document.getElementById("main").focus({preventScroll: true});
  }

  // A page that was asked for before something was done does not show it.
  document.addEventListener("htmx:afterRequest", ({detail}) => {
    if ((asking || pending) && detail.requestConfig.verb !== "get" && detail.elt.id !== "step") refetch();
  });

  // What is pressed while its form is still being answered waits, and is looked for in what the answer brings.
  let waiting = null;
  const called = (button) => ["name", "value", "formaction"].map((name) => button.getAttribute(name)).join("\n");
  function press() {
    const wanted = waiting;
    waiting = null;
    if (wanted) [...document.querySelectorAll("button[name]")].find((one) => called(one) === wanted)?.click();
  }
  document.addEventListener("submit", ({target, submitter}) => {
    waiting = target.matches('.htmx-request[hx-sync="this:drop"]') && submitter?.name ? called(submitter) : null;
  }, true);
  document.addEventListener("htmx:afterSettle", press);
  document.addEventListener("htmx:afterRequest", ({detail}) => { if (!detail.successful) press(); });

  // What was just answered is news enough.
  document.addEventListener("htmx:afterSwap", ({detail}) => {
    if (!detail.target?.matches("[data-live]")) return;
    pending = false;
    news.hidden = true;
  });

  document.addEventListener("kenoweb:changed", () => refetch());
  news?.querySelector("[data-show]").addEventListener("click", () => refetch(true));

  // ---- the mark: its age counts on, what it says is spoken only when it changes ---------------------------------------------

  const mark = document.getElementById("mark");
  if (!mark) return;
  const form = mark.closest("form");
  let state = mark.querySelector("[data-state]")?.dataset.state;

  setInterval(() => {
    const time = mark.querySelector("[data-minutes] > time");
    if (!time || document.hidden) return;
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(time.dateTime) + ahead) / 1000));
    const {now, minutes} = time.parentElement.dataset, told = time.dateTime;
    const zone = Date.parse(told.slice(0, 19) + "Z") - Date.parse(told);
    const clock = told.startsWith(new Date(Date.now() + ahead + zone).toISOString().slice(0, 10)) ? told.slice(11, 16) : time.textContent;
    const words = seconds < 60 ? now : seconds < 3600 ? minutes.replace("#", Math.floor(seconds / 60)) : clock;
    if (time.textContent !== words) time.textContent = words;
  }, 1000);

  // This machine's clock may go wrong; the server's is the one that counts.
  let ahead = 0;
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt !== form || !event.detail.successful) return;
    const date = Date.parse(event.detail.xhr.getResponseHeader("Date"));
    if (date) ahead = date - Date.now();
    if (pending && !lives(document).some(isBusy)) refetch();
  });
  mark.addEventListener("htmx:afterSwap", () => {
    const now = mark.querySelector("[data-state]")?.dataset.state;
    if (now && state && now !== state) said.textContent = now;
    state = now ?? state;
  });

  // Whoever is logged out is told so. Logged in again, perhaps in another tab, they have another token: the forms here take it.
  const out = document.getElementById("out"), lock = [401, 403];
  let renewals = 0;

  async function renew() {
    const own = ++renewals;
    const answer = await fetch(document.querySelector("[data-fill]").dataset.fill, {headers: {Accept: "text/html"}});
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (own !== renewals) return;  // what was asked before one was back must not have the last word
    const token = answer.ok && !answer.redirected && page.querySelector("[name=csrfmiddlewaretoken]")?.value;
    if (token) for (const field of document.getElementsByName("csrfmiddlewaretoken")) field.value = token;
    out.hidden = Boolean(token);
  }

  // What asks by itself waits too, where a button that it would take away is pressed.
  let pressed = null;
  document.addEventListener("pointerdown", ({target}) => { pressed = target; released.then(() => { pressed = null; }); }, true);
  document.addEventListener("htmx:beforeSwap", (event) => {
    const {requestConfig, target} = event.detail;
    if (requestConfig.triggeringEvent || !pressed || !target.contains(pressed)) return;
    event.detail.shouldSwap = false;  // it asks again in a few seconds
  });
  // What was asked for may take away what is pressed meanwhile: its like is pressed then.
  document.addEventListener("htmx:beforeSwap", ({detail}) => {
    const button = pressed?.closest?.("button[name]");
    if (!detail.shouldSwap || !detail.requestConfig.triggeringEvent || !button || !detail.target.contains(button)) return;
    released.then(() => {
      waiting ??= called(button);
      press();
    });
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!lock.includes(event.detail.xhr.status)) return;
    if (event.detail.requestConfig.elt === form) event.detail.shouldSwap = false;
    renew();
  });

  // A hidden tab asks for nothing by itself, and looks as soon as somebody looks at it; nor does a page that is being left, whose
  // way to the next one each answer would begin anew.
  let left = false;
  document.addEventListener("htmx:beforeOnLoad", ({detail}) => { left ||= Boolean(detail.xhr.getResponseHeader("HX-Redirect")); });
  window.addEventListener("pageshow", () => { left = false; });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if ((document.hidden || left) && !event.detail.requestConfig.triggeringEvent) event.preventDefault();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) form.dispatchEvent(new Event("kenoweb:look"));
  });
  document.addEventListener("htmx:sendError", () => {
    const words = mark.querySelector(".words"), dot = mark.querySelector(".dot");
    words.textContent = words.dataset.state = state = mark.dataset.silent;
    dot.className = "dot bad";
  });
})();
