"""Logic itself: formulas, their notation, rules as data, and a solver that decides what follows from what."""
