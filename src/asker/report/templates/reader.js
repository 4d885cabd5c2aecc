"use strict";
// Reading the answers behind a cell without leaving the map. Without this script the same links lead to the list at the
// end of the page. Answers are only ever copied as the nodes they are: nothing here makes a page out of text.
(() => {
  const MOST = 40;
  const reader = document.getElementById("reader");
  if (!reader || !reader.showModal) return;
  const list = reader.querySelector("ul"), title = document.getElementById("reader-title");
  const map = document.getElementById("reader-map");
  const count = document.getElementById("reader-count"), all = document.getElementById("reader-all");

  function answers(link) {
    const place = document.getElementById(link.hash.slice(1));
    const only = link.dataset.only;
    return place ? [...place.querySelectorAll(only ? `[data-c="${only}"] li` : "li")] : [];
  }

  function open(link) {
    const found = answers(link);
    if (!found.length) return false;
    const step = Math.max(1, found.length / MOST);
    const some = found.filter((_, place) => Math.floor(place / step) !== Math.floor((place - 1) / step)).slice(0, MOST);
    list.replaceChildren(...some.map((one) => one.cloneNode(true)));
    map.textContent = link.closest("table").caption.querySelector("span").firstChild.data.trim();
    title.textContent = link.closest("td").title.split(";")[0];
    count.textContent = some.length < found.length ? `${some.length} of ${found.length} answers kept on this page` : "";
    all.href = link.hash;
    reader.querySelector("input").checked = true;
    reader.showModal();
    reader.scrollTop = 0;
    return true;
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".heat a");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && open(link)) event.preventDefault();
    if (event.target === reader || event.target === all) reader.close();
  });

  for (const hint of document.querySelectorAll("[hidden].scripted")) hint.hidden = false;
})();
