// The page of the prompt: copy the text, and mend a fact by pressing it. Without it there are the plain text and the links.
(() => {
  "use strict";

  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");  // over plain http only an old way leads to the clipboard
    field.value = text;
    field.className = "unseen";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy-from]");
    if (!button) return;
    const words = button.dataset.words ??= button.textContent;
    let told = button.dataset.failed;
    try {
      const answer = await fetch(button.dataset.copyFrom);
      if (answer.ok && !answer.redirected) {
        await copy(await answer.text());
        told = button.dataset.done;
      }
    } catch { /* told below */ }
    button.textContent = told;
    document.getElementById("said").textContent = told;
    setTimeout(() => { button.textContent = words; }, 2000);
  });

  // A press on a fact is a press on its Edit, unless somebody selects some of the text.
  document.addEventListener("click", (event) => {
    const row = event.target.closest(".prompt > .mends");
    if (!row || event.target.closest("a, button, textarea, .rewording") || String(getSelection())) return;
    row.querySelector("[data-edit]")?.click();
  });
})();
