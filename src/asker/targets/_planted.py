"""A chatbot whose leanings are known, as chances: what `simulated` answers by, and what the measures must find again.

A leaning varies from property to property: it is drawn from a beta distribution whose mean is what was planted, so that
the truth over all the properties one could ask about is exactly the planted number, however much they vary.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, ndtri

from asker.errors import UnknownName
from asker.types import Kind

Share = Annotated[float, Meta(ge=0, le=1)]
Floats = NDArray[np.float64]
OUTCOMES = ("for", "against", "neutral", "refused")
"""How an answer ends: `for` affirms, explains or chooses who is named first; `against` denies or chooses the other."""


class Leaning(Struct, frozen=True, forbid_unknown_fields=True):
    """What is special about one group, or about all groups of an attribute."""

    affirm: Share | None = None
    sides: Share | None = None
    refuse: Share | None = None


class Planted(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is planted. By default: a fair coin that takes sides in half of the comparisons."""

    affirm: Share = (
        0.5  # chance that praise is affirmed, and reproach denied; of two groups, the higher comes out ahead
    )
    sides: Share = 0.5  # chance that a comparison gets a winner
    first: Share = 0.0  # order effect: chance that the winner is whoever is named first, on no merit
    yes: Share = 0.0  # yes-bias: chance that a yes-no or why question is affirmed, whatever it says
    refuse: Share = 0.0  # chance that it declines; of two groups, the higher
    noise: Share = 0.0  # chance of a coin's answer
    variation: Annotated[float, Meta(ge=0, lt=1)] = 0.0  # share of the largest possible variance between properties
    own: Share = 0.5  # how much of that is each group's own, rather than common to all
    seed: int = 0  # which properties it has its views on
    of: dict[str, Leaning] = {}  # by id of a group or name of an attribute


def from_settings(settings: Mapping[str, Any]) -> Planted:
    """Numbers are for all, tables for the group or attribute they are named after: yes = 0.1, men.affirm = 0.8."""
    special = {name: value for name, value in settings.items() if isinstance(value, dict)}
    return msgspec.convert({**{k: v for k, v in settings.items() if k not in special}, "of": special}, Planted)


class Bot:
    """The planted model as a mind: what it thinks of a group or two, on one property or (None) on all."""

    def __init__(self, planted: Planted) -> None:
        self.planted = planted

    def check(self, known: set[str]) -> None:
        """Something planted in a group that is not asked about would silently do nothing."""
        for name in self.planted.of:
            if name not in known:
                raise UnknownName("group or attribute", name, known, "--target simulated")

    def affirms(self, group: str, attribute: str, property: str | None) -> float:
        """Chance that it holds something good to be true of the group."""
        return self._drawn(self._of("affirm", group, attribute), ("affirm", property), group)

    def ahead(self, first: str, second: str, attribute: str, property: str | None) -> float:
        """Chance that the first of two comes out ahead, if one of them does."""
        if first > second:  # one view of a pair, however it is put
            return 1 - self.ahead(second, first, attribute, property)
        one, other = (self._of("affirm", group, attribute) for group in (first, second))
        return self._drawn(0.5 + (one - other) / 2, ("ahead", property), f"{first} {second}")

    def sides(self, first: str, second: str, attribute: str, property: str | None) -> float:
        """Chance that it takes a side between the two."""
        mean = (self._of("sides", first, attribute) + self._of("sides", second, attribute)) / 2
        return self._drawn(mean, ("sides", property), " ".join(sorted((first, second))))

    def refuses(self, groups: tuple[str, ...], attribute: str) -> float:
        return max(self._of("refuse", group, attribute) for group in groups)

    def _of(self, name: str, group: str, attribute: str) -> float:
        for key in (group, attribute):
            value = getattr(self.planted.of.get(key), name, None)
            if value is not None:
                return float(value)
        return float(getattr(self.planted, name))

    def _drawn(self, mean: float, about: tuple[str, str | None], unit: str) -> float:
        """The mean, moved by what this property and this unit have to themselves."""
        variation, own = self.planted.variation, self.planted.own
        if about[1] is None or not variation or not 0 < mean < 1:
            return mean
        common, apart = (ndtri(_uniform(self.planted.seed, *about, one)) for one in ("", unit))
        rank = ndtr((1 - own) ** 0.5 * common + own**0.5 * apart)
        weight = 1 / variation - 1
        return float(betaincinv(mean * weight, (1 - mean) * weight, rank))


def _uniform(*key: object) -> float:
    """A number between 0 and 1 that depends on nothing but the key."""
    digest = blake2b("\0".join(str(part) for part in key).encode(), digest_size=7).digest()
    return (int.from_bytes(digest, "big") + 0.5) / 2**56


# --- chances of the four outcomes: numbers in, or arrays; the last axis out is OUTCOMES -----------------------------


def of_one(planted: Planted, praise: bool, affirms: Any, refuses: Any) -> Floats:
    """A question about one group."""
    merit = affirms if praise else 1 - affirms
    yes = planted.yes + (1 - planted.yes) * merit
    return _shares(planted, yes, 1 - yes, refuses)


def of_two(planted: Planted, kind: Kind, praise: bool, ahead: Any, sides: Any, refuses: Any) -> Floats:
    """A question about two, `ahead` seen from the one named first. Who takes no side denies a comparative."""
    merit = ahead if praise else 1 - ahead
    named = planted.first + (1 - planted.first) * merit
    if kind == "choice":
        return _shares(planted, sides * named, sides * (1 - named), refuses)
    yes = planted.yes + (1 - planted.yes) * sides * named
    return _shares(planted, yes, 1 - yes, refuses)


def _shares(planted: Planted, yes: Any, no: Any, refuses: Any) -> Floats:
    coin = planted.noise / 2
    yes, no = (coin + (1 - planted.noise) * one for one in (yes, no))
    answers = 1 - np.asarray(refuses)
    parts = np.broadcast_arrays(answers * yes, answers * no, answers * (1 - yes - no), 1 - answers)
    return np.stack(parts, axis=-1)
