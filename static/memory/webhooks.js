"use strict";

// Copies what an element shows; where the clipboard is not ours to use, selects it instead.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      button.textContent = button.dataset.done;
    } catch {
      if (source.select) source.select();
      else getSelection().selectAllChildren(source);
    }
  });
}

document.querySelector("[data-focus]")?.focus();
