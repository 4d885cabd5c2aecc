"""The word lists of the English grammar, read once, and the dictionary behind them, loaded only when needed."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module, resources
from typing import Any

_DATA: dict[str, Any] = tomllib.loads(resources.files("asker.languages").joinpath("en_words.toml").read_text("utf-8"))

AGREEMENT: dict[str, str] = _DATA["agreement"]
CONTRACTIONS: dict[str, str] = _DATA["contractions"]
TAGS: dict[str, str] = _DATA["tags"]
IRREGULAR: dict[str, str] = _DATA["irregular"]
LISTS: dict[str, frozenset[str]] = {name: frozenset(text.split()) for name, text in _DATA["lists"].items()}

_FORMS = {base: forms.split() for base, forms in _DATA["irregular_verbs"].items()}
PAST = {past: base for base, (past, _) in _FORMS.items() if past != "-"}
PARTICIPLES = {participle for _, participle in _FORMS.values()} | {"got"}


@cache
def lemmas(word: str) -> dict[str, tuple[str, ...]]:
    """What the dictionary knows of a word: part of speech -> base forms. Empty for a word it does not list."""
    found: dict[str, tuple[str, ...]] = import_module("lemminflect").getAllLemmas(word)
    return found


@cache
def verb_lemma(word: str) -> str:
    """The base form of a verb, guessed by rule when the dictionary does not list it."""
    known = lemmas(word).get("VERB") or import_module("lemminflect").getLemma(word, upos="VERB") or (word,)
    return word if word in known else str(known[0])


@cache
def syllables(word: str) -> int:
    return int(import_module("syllapy").count(word))


def is_adverb(word: str) -> bool:
    """Whether a word may stand before a verb without being one."""
    return word in LISTS["adverbs"] or (len(word) > 4 and word.endswith("ly") and word not in LISTS["not_adverbs"])
