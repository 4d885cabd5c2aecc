"use strict";
// One stop of the tab key for each map; arrow keys move within it.
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
for (const heat of document.querySelectorAll(".heat")) {
  heat.querySelectorAll("a").forEach((link, place) => { if (place) link.tabIndex = -1; });
  heat.addEventListener("keydown", (event) => {
    const move = MOVES[event.key], cell = event.target.closest("td");
    if (!move || !cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...heat.tBodies[0].rows];
    let row = rows.indexOf(cell.parentElement), column = cell.cellIndex, next = null;
    while (!next) {
      row += move[0]; column += move[1];
      if (!rows[row] || !rows[row].cells[column]) return;
      next = rows[row].cells[column].querySelector("a");
    }
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
