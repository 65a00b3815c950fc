// The bar that saves: there while a setting is changed, and says which.
(() => {
  "use strict";

  const form = document.querySelector("[data-settings]"), bar = form.querySelector("[data-savebar]");
  const rows = [...form.querySelectorAll("[data-was]")];
  const words = bar.querySelector("strong"), names = bar.querySelector("span");

  function tell() {
    const changed = rows.filter((row) => {
      const isChanged = row.querySelector("input, select").value !== row.dataset.was;
      row.classList.toggle("changed", isChanged);
      row.querySelector("[data-changed]").hidden = !isChanged;
      return isChanged;
    });
    bar.hidden = !changed.length;
    const {one, other} = words.dataset;
    words.textContent = changed.length === 1 ? one : other.replace("#", changed.length);
    names.textContent = changed.map((row) => row.querySelector("label").firstChild.textContent).join(", ");
  }

  form.addEventListener("input", tell);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    if (!bar.hidden) form.requestSubmit();
  });
  window.addEventListener("pageshow", tell);  // also when one comes back to what was typed
  tell();
})();
