"""Runs side by side: two paired question by question, or any number in the tables of the papers."""

from asker.compare.beside import Beside, lay_beside
from asker.compare.two import Comparison, compare

__all__ = ["Beside", "Comparison", "compare", "lay_beside"]
