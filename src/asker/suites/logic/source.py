"""What logic questions are made from: rules, and the word lists by their hash."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import msgspec

from asker.config import Settings
from asker.errors import InputError, UnknownName
from asker.logic.generate import Category, usable
from asker.logic.rules import Rule, rules
from asker.logic.series import CATEGORIES, LONGEST
from asker.logic.wording import LANGUAGES
from asker.suites.logic.given import Given, read_cases

MAKING = "2"  # raised when the same seed gives other cases
MAKING_ONLY = ("rules", "categories", "logic", "length", "each", "distractors", "rounds")
KINDS = ("equivalence", "quantifier", "inference", "fallacy")


class Preset(msgspec.Struct, frozen=True):
    about: str
    lengths: tuple[int, ...]
    each: int
    budget: int | None = None


PRESETS = {
    "quick": Preset("a first look: 120 cases in two forms", (1, 2, 3), 1, 240),
    "full": Preset("every rule five times at each length", (1, 2, 3, 4), 5),
}


class Demo(msgspec.Struct, frozen=True):
    """A worked example, in the form and language in which it is shown."""

    language: str
    wording: str
    form: str
    category: str
    rule: str
    prompt: str
    proof: str
    answer: str


class Source(msgspec.Struct, frozen=True):
    """The rules in use, and what is shown before each question."""

    name: str
    rules: tuple[Rule, ...]
    demos: tuple[Demo, ...] = ()
    given: tuple[Given, ...] = ()  # somebody else's cases, asked instead of cases made from the rules
    hash: str = ""


def make(name: str, chosen: Sequence[Rule], demos: Sequence[Demo] = (), given: Sequence[Given] = ()) -> Source:
    bare = Source(name, tuple(chosen), tuple(demos), tuple(given))
    return msgspec.structs.replace(bare, hash=fingerprint(bare))


def fingerprint(source: Source) -> str:
    """Changes with the rules, the words and the way cases are made from them."""
    words = [(files("asker.logic.wording") / f"{one}.toml").read_bytes() for one in LANGUAGES]
    content = [
        MAKING,
        source.rules,
        source.demos,
        source.given,
        [blake2b(one, digest_size=8).hexdigest() for one in words],
    ]
    return blake2b(msgspec.json.encode(content), digest_size=8).hexdigest()


def preset(name: str) -> Preset:
    if name not in PRESETS:
        raise UnknownName("preset of the suite 'logic',", name, PRESETS, "--preset")
    return PRESETS[name]


def read(settings: Settings, demos: Sequence[Demo] = ()) -> Source:
    """The rules these settings name, or all that can be asked."""
    if settings.mode != "sound":
        raise InputError(f"the suite 'logic' has no --mode {settings.mode}; leave it out, and see --forms facts")
    if settings.cases:
        return _given(settings, demos)
    every = rules().values()
    chosen = _chosen(settings.rules, list(every)) if settings.rules else [one for one in every if usable(one)]
    return make("rules", chosen, demos)


def _given(settings: Settings, demos: Sequence[Demo]) -> Source:
    idle = [name for name in MAKING_ONLY if getattr(settings, name) != getattr(Settings(), name)]
    if idle:
        raise InputError(f"--{idle[0]} is nothing to --cases, which are asked as they are; leave one of the two out")
    return make(Path(settings.cases or "").name, (), demos, read_cases(Path(settings.cases or "")))


def _chosen(wanted: Iterable[str], every: Sequence[Rule]) -> list[Rule]:
    found: dict[str, Rule] = {}
    for name in wanted:
        found |= {rule.name: rule for rule in _named(name, every)}
    return [rule for rule in every if rule.name in found]


def _named(name: str, every: Sequence[Rule]) -> list[Rule]:
    """Rules by name, by kind, or by a part of the name that only one rule has."""
    low = name.lower().replace("&", "∧")
    if low in KINDS:
        return [rule for rule in every if rule.kind == low and usable(rule)]
    exact = [rule for rule in every if rule.name.lower() == low]
    found = exact or [rule for rule in every if low in rule.name.lower()]
    if len(found) != 1:
        raise UnknownName("rule", name, [*KINDS, *(rule.name for rule in found or every)], "--rules")
    if not usable(found[0]):
        note = f": {found[0].note}" if found[0].note else ""
        raise InputError(
            f"the rule '{found[0].name}' in --rules cannot be asked: it is no law, or says nothing new{note}"
        )
    return found


def lengths(text: str | None, otherwise: tuple[int, ...]) -> tuple[int, ...]:
    """'1-3' -> (1, 2, 3); '1,5' -> (1, 5)."""
    if text is None:
        return otherwise
    found: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()):
            raise InputError(f"--length '{text}' should be a number or a range, for example 3 or 1-4 or 1,2,8")
        found += range(int(low), int(high or low) + 1)
    if not found or min(found) < 1 or max(found) > LONGEST:
        raise InputError(f"--length '{text}' should lie between 1 and {LONGEST}, for example 1-4")
    return tuple(sorted(set(found)))


def categories(wanted: Sequence[str]) -> tuple[Category, ...]:
    for one in wanted:
        if one not in CATEGORIES:
            raise UnknownName("category of the suite 'logic',", one, CATEGORIES, "--categories")
    return tuple(one for one in CATEGORIES if not wanted or one in wanted)
