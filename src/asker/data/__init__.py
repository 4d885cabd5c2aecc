"""The data sets that ship, and reading those that users bring."""

from asker.data.reading import CATEGORIES, SHIPPED, make, read
from asker.data.selecting import Preset, Selectors, preset, presets, select

__all__ = ["CATEGORIES", "SHIPPED", "Preset", "Selectors", "make", "preset", "presets", "read", "select"]
