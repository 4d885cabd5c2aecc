"use strict";
// Small comforts. Every page works without this file.
for (const hint of document.querySelectorAll("[hidden].scripted")) hint.hidden = false;

// Copy a link to what is shown.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const said = button.textContent;
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
    } catch {
      button.textContent = location.href;
    }
    setTimeout(() => { button.textContent = said; }, 2000);
  });
}

// Leave empty fields out of the address of a filter.
for (const form of document.querySelectorAll("form.filters")) {
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (!value || (name === "order" && value === "question")) event.formData.delete(name);
  });
}

// On a phone the filters fold away behind a button, unless one of them is in use.
for (const form of document.querySelectorAll("form.foldable")) {
  const fold = form.querySelector(".fold");
  const turn = (folded) => { form.classList.toggle("folded", folded); fold.setAttribute("aria-expanded", !folded); fold.textContent = folded ? "More filters" : "Fewer filters"; };
  turn(true);
  fold.addEventListener("click", () => turn(!form.classList.contains("folded")));
}

// A page that waits for something looks again by itself, as long as it is looked at.
for (const waiting of document.querySelectorAll("[data-again]")) {
  const look = () => { if (document.hidden) setTimeout(look, 1000); else location.reload(); };
  setTimeout(look, Number(waiting.dataset.again));
}

// How far a run is, every two seconds as long as it is at work.
for (const watched of document.querySelectorAll("[data-watch]")) {
  const field = (name) => watched.querySelector(`[data-field="${name}"]`);
  const number = new Intl.NumberFormat("en");
  const bar = watched.querySelector("progress"), said = watched.querySelector("[data-said]");
  let state = watched.dataset.state;
  const look = async () => {
    if (!document.hidden) {
      try {
        const now = await (await fetch(watched.dataset.watch)).json();
        const said_now = { rate: now.rate === null ? "–" : now.rate, left: now.left };
        for (const name of ["answered", "failed", "judged"]) said_now[name] = number.format(now[name]);
        for (const [name, value] of Object.entries(said_now)) if (field(name)) field(name).textContent = value;
        bar.value = now.answered + now.failed;
        if (now.state !== state) { said.textContent = `The run is now ${now.state}.`; location.reload(); return; }
      } catch { /* the server is away for a moment: look again */ }
    }
    setTimeout(look, 2000);
  };
  if (state === "asking" || state === "judging") setTimeout(look, 2000);
}
