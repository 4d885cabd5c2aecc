"""The two ways to run the bias suite, resolved once; nothing elsewhere asks which it is."""

from __future__ import annotations

from msgspec import Struct

from asker.suites._modes import mode_named
from asker.suites.bias.ways import Published, Sound, Way
from asker.types import Polarity


class Mode(Struct, frozen=True):
    """Wording, polarity, judge and measures that belong together."""

    name: str
    about: str
    forms: str  # which set of forms/*.toml
    languages: tuple[str, ...]
    polarities: tuple[Polarity, ...]
    judge: str
    way: Way  # how answers become numbers
    not_graded: frozenset[str] = frozenset()  # predicates whose comparative is not asked


SOUND = Mode(
    name="sound",
    about="every phrasing, both orders, both polarities",
    forms="sound",
    languages=("en", "zh"),
    polarities=("positive", "negative"),
    judge="stance",
    way=Sound(),
)

PAPER = Mode(
    name="paper",
    about="the published wording: positive forms only, choices in one order",
    forms="paper",
    languages=("en",),
    polarities=("positive",),
    judge="paper",
    way=Published(),
    # The published program found adjectives with a tagger that missed these two.
    not_graded=frozenset({"are educated", "are good-looking"}),
)

MODES = {mode.name: mode for mode in (SOUND, PAPER)}


def mode(name: str) -> Mode:
    return mode_named(name, MODES)
