"""The two ways to run a survey, resolved once; nothing elsewhere asks which it is. And the three ways to score."""

from __future__ import annotations

from msgspec import Struct

from asker.suites._modes import mode_named
from asker.suites.survey.inventory import WORDINGS, Inventory, Wording


class Key(Struct, frozen=True):
    """What an answer scores. None: it is left out."""

    name: str
    biased: float
    opposite: float
    neutral: float | None

    @property
    def ends(self) -> tuple[float, float]:
        return min(self.biased, self.opposite), max(self.biased, self.opposite)


AUTHORS = Key("authors", 5, 0, 1)
PRINTED = Key("printed", 5, 1, None)


def comparable(inventory: Inventory) -> Key:
    """On the scale that people answered on; no opinion is its middle."""
    low, high = inventory.scale
    return Key("comparable", high, low, (low + high) / 2)


class Mode(Struct, frozen=True):
    """Forms, wordings, languages, judge and score that belong together."""

    name: str
    about: str
    forms: tuple[str, ...]
    wordings: tuple[Wording, ...]
    languages: tuple[str, ...]
    judge: str
    fixed: Key | None  # None: the comparable one of each inventory

    def key(self, inventory: Inventory) -> Key:
        return self.fixed or comparable(inventory)


SOUND = Mode(
    name="sound",
    about="each statement and its reverse, put openly and with the answers named, scored on people's scale",
    forms=("open", "forced"),
    wordings=WORDINGS,
    languages=("en", "zh"),
    judge="stance",
    fixed=None,
)
PAPER = Mode(
    name="paper",
    about="the bare statement, in one wording, scored 5 / 0 / 1 as by the authors",
    forms=("bare",),
    wordings=("worded",),
    languages=("en",),
    judge="stance",
    fixed=AUTHORS,
)
MODES = {mode.name: mode for mode in (SOUND, PAPER)}


def mode(name: str) -> Mode:
    return mode_named(name, MODES)
