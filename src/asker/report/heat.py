"""Colours of the heat maps: steps of two ramps, light and dark, each with a text colour that can be read on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from asker.types import Estimate, Table

STEPS = 20
FEW = 10
"""Cells that rest on fewer answers are drawn faint, as are those that do not survive a test of their difference."""

Rgb = tuple[int, int, int]
Theme = Literal["light", "dark"]

# One hue from quiet to strong, and two that people with any kind of colour vision tell apart. The quiet end is near the
# colour of the page, so that "little" recedes by day and by night; the strong end stops where the text would have to
# change its colour, as black and white numbers side by side make a map restless.
ANCHORS: dict[Theme, dict[str, tuple[str, ...]]] = {
    "light": {
        "q": ("#f4f7fa", "#d3e4f3", "#a6cae9", "#76b0de", "#4a95d1"),
        "d": ("#e07f26", "#efa866", "#f7d3ae", "#f4f4f2", "#c2daf0", "#8cbce4", "#4a95d1"),
    },
    "dark": {
        "q": ("#1f252d", "#1f3a56", "#25527c", "#2b649a", "#3273b2"),
        "d": ("#ad5c17", "#874d1b", "#57391f", "#262a30", "#1f3a56", "#275a88", "#3273b2"),
    },
}
TOPS = {"rate": (0.1, 0.2, 0.3, 0.5, 1.0), "balance": (0.25, 0.5), "signed": (0.25, 0.5, 1.0), "plain": (1.0,)}
EVEN = {"rate": 0.0, "balance": 0.5, "signed": 0.0, "plain": 0.0}


class Heat(NamedTuple):
    """Which ramp, and the values at its ends."""

    ramp: str
    low: float
    high: float

    def css(self, value: float) -> str:
        share = (value - self.low) / (self.high - self.low)
        return f"{self.ramp}{round(STEPS * min(1.0, max(0.0, share)))}"


def heat_of(tables: Iterable[Table]) -> Heat:
    """One range for all these tables, so that the same colour means the same number in each."""
    tables = list(tables)
    scale = tables[0].scale
    even = EVEN[scale]
    cells = [cell for table in tables for row in table.cells for cell in row]
    far = max((abs(cell.value - even) for cell in cells if cell.value is not None and not few(cell)), default=0.0)
    reach = next((top for top in TOPS[scale] if far <= top), TOPS[scale][-1])
    return Heat("q", 0.0, reach) if scale in ("rate", "plain") else Heat("d", even - reach, even + reach)


def few(cell: Estimate) -> bool:
    return 0 < cell.n < FEW


def weight(cell: Estimate) -> str:
    """How a cell is drawn: faint ("few") if it rests on few answers, or differs by no more than chance makes, or by too
    little to matter; outlined ("sure") if it differs beyond that, however pale its colour; else plainly."""
    if few(cell) or cell.survives is False:
        return "few"
    return "sure" if cell.survives else ""


def ramp_css(theme: Theme) -> str:
    """A class for each step: --c the colour of the cell, --t that of its text."""
    rules = []
    for ramp, anchors in ANCHORS[theme].items():
        for step in range(STEPS + 1):
            colour = blend(anchors, step / STEPS)
            rules.append(f".{ramp}{step}{{--c:{_hex(colour)};--t:{_hex(text_on(colour))}}}")
    return "".join(rules)


def blend(anchors: tuple[str, ...], share: float) -> Rgb:
    """The colour at this share of the way along the anchors."""
    place = share * (len(anchors) - 1)
    left = min(int(place), len(anchors) - 2)
    pairs = zip(_rgb(anchors[left]), _rgb(anchors[left + 1]), strict=True)
    red, green, blue = (round(a + (b - a) * (place - left)) for a, b in pairs)
    return red, green, blue


def text_on(colour: Rgb) -> Rgb:
    """Black or white, whichever is read more easily; one of them always reaches 4.5 : 1."""
    black, white = (0, 0, 0), (255, 255, 255)
    return black if contrast(colour, black) >= contrast(colour, white) else white


def contrast(one: Rgb, other: Rgb) -> float:
    """Contrast ratio by WCAG 2: 1 for the same colour, 21 for black on white."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Rgb) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _rgb(text: str) -> Rgb:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _hex(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
