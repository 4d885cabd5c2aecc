"use strict";
// Keys, copying, blurred text and breaks for pages on which people read and enter. All of them work without it.
const typing = (element) => element.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=submit], [type=button])");
const reveal = (veil) => veil.classList.add("open");

document.addEventListener("keydown", (event) => {
  const { target } = event;
  if (event.key === "Escape" && typing(target)) { target.blur(); return; }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && target.dataset.submit) {
    event.preventDefault();
    const said = document.querySelector("[role=status]");
    if (said && target.value.trim() === "") said.textContent = "Nothing was saved: the field is empty.";
    document.getElementById(target.dataset.submit).click();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || typing(target)) return;
  if (event.key === "Enter" && target.matches("button, a, summary")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "v" || (key === "Enter" && target.matches(".veil"))) {
    const veils = document.querySelectorAll(".veil:not(.open)");
    if (veils.length) { event.preventDefault(); veils.forEach(reveal); return; }
  }
  const field = document.querySelector(`[data-focus="${CSS.escape(key)}"]`);
  if (field) { event.preventDefault(); field.focus(); field.select(); return; }
  const wanted = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (wanted) { event.preventDefault(); wanted.click(); }
});

for (const veil of document.querySelectorAll(".veil")) veil.addEventListener("click", () => reveal(veil));

// A form is sent once: a second press of a key does not label the next item unseen.
for (const form of document.querySelectorAll("form[data-desk]")) {
  let sent = false;
  form.addEventListener("submit", (event) => { if (sent) event.preventDefault(); sent = true; });
}
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

const copy = async (text) => {
  try { await navigator.clipboard.writeText(text); return; } catch { /* not on plain http from another machine */ }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
};
for (const button of document.querySelectorAll("[data-copy-text]")) {
  button.addEventListener("click", async () => {
    await copy(document.getElementById(button.dataset.copyText).textContent);
    button.textContent = "Copied";
    document.getElementById(button.dataset.then).focus();
  });
  button.hidden = false;
  button.focus();
}

for (const file of document.querySelectorAll("[data-into]")) {
  file.addEventListener("change", async () => {
    if (file.files.length) document.getElementById(file.dataset.into).value = await file.files[0].text();
  });
}

// A break is offered once after so many minutes of reading, and again only after as many more. No sound, no dialogue.
const began = "asker-began";
for (const rest of document.querySelectorAll("[data-break]")) {
  const minutes = Number(rest.dataset.break), idle = 10 * 60000;
  const last = Number(sessionStorage.getItem("asker-last")) || 0;
  if (!sessionStorage.getItem(began) || Date.now() - last > idle) sessionStorage.setItem(began, Date.now());
  sessionStorage.setItem("asker-last", Date.now());
  const look = () => {
    const spent = (Date.now() - Number(sessionStorage.getItem(began))) / 60000;
    if (spent >= minutes) { rest.querySelector("[data-minutes]").textContent = Math.round(spent); rest.hidden = false; }
  };
  look();
  setInterval(look, 20000);
  rest.querySelector("button").addEventListener("click", () => { sessionStorage.setItem(began, Date.now()); rest.hidden = true; });
}
