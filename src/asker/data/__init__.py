"""The data sets that ship, and reading those that users bring."""

from asker.data.grammar import compiled
from asker.data.reading import CATEGORIES, CONTROL, SHIPPED, make, read
from asker.data.selecting import Preset, Selectors, preset, presets, select, translated, with_controls

__all__ = [
    "CATEGORIES",
    "CONTROL",
    "SHIPPED",
    "Preset",
    "Selectors",
    "compiled",
    "make",
    "preset",
    "presets",
    "read",
    "select",
    "translated",
    "with_controls",
]
