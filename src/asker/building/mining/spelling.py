"""Misspelt words: what no dictionary lists becomes the word in use, in the corpus or in English, that it nearly is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib import import_module, resources
from typing import Any

from asker.building.mining.words import WORDS, proper
from asker.errors import MissingExtra
from asker.languages._en_words import lemmas

ALIKE = 0.87  # how near a misspelt word must be to one that the corpus uses
USUAL = 500_000  # how often a word must stand in the dictionary's texts to be meant by a misspelling
SHORT, LONG = 6, 9  # letters: shorter ones have too many neighbours; in longer ones two letters may be wrong
_WORD = re.compile(r"\b[a-z]{5,}\b(?!')")
_ENDINGS = ("s", "d", "ed", "er", "ers", "ing", "ly", "ized", "izing", "ize", "ism", "ist", "ists", "ness", "ish")
_OWNER = re.compile(r"\b(children|men|women|people)s (?=[a-z]+)")  # no noun: the plural of these has no -s


class Spelling:
    """Mends a text word by word. Names, and what any dictionary lists, are left alone."""

    def __init__(self, texts: Iterable[str], install: str) -> None:
        used = Counter(word for text in texts for word in set(_WORD.findall(text)))
        self._used = sorted(word for word, count in used.items() if count > 1 and lemmas(word))
        self._dictionary = _dictionary(install)
        self._known: dict[str, str] = {}

    def mended(self, text: str) -> str:
        return _WORD.sub(lambda found: self._word(found[0]), _OWNER.sub(_owned, text))

    def _word(self, word: str) -> str:
        if word not in self._known:
            self._known[word] = word if lemmas(word) or word in proper() else self._nearest(word)
        return self._known[word]

    def _nearest(self, word: str) -> str:
        used = [one for one in self._used if one[0] == word[0] and abs(len(one) - len(word)) < 3]
        near = get_close_matches(word, used, n=1, cutoff=ALIKE)
        return near[0] if near else self._usual(word)

    def _usual(self, word: str) -> str:
        keys = f"{word.removesuffix('ies')}eys"  # "monkies"
        if word.endswith("ies") and lemmas(keys):
            return keys
        if len(word) < SHORT or _is_coined(word):
            return word
        package = import_module("symspellpy")
        far = 2 if len(word) >= LONG else 1
        found = self._dictionary.lookup(word, package.Verbosity.CLOSEST, max_edit_distance=far)
        best = next((one for one in found if one.term[0] == word[0] and lemmas(one.term)), None)
        return str(best.term) if best and best.distance and best.count >= USUAL else word


def _is_coined(word: str) -> bool:
    """Made from a word that is listed, by an ending: "sexualized" is no misspelt "serialized"."""
    return any(
        lemmas(base)
        for end in _ENDINGS
        if word.endswith(end) and len(word) > len(end) + 3
        for base in (word.removesuffix(end), word.removesuffix(end) + "e")
    )


def _owned(found: re.Match[str]) -> str:
    """ "childrens lives" -> "children's lives"; but "womens are" is a plural written twice."""
    following = found.string[found.end() :].split()[0]
    return f"{found[1]} " if following in WORDS["after_names"] else f"{found[1]}'s "


@cache
def _dictionary(install: str) -> Any:
    try:
        package = import_module("symspellpy")
    except ModuleNotFoundError as error:
        raise MissingExtra("mining statements", install) from error
    found = package.SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
    found.load_dictionary(str(resources.files("symspellpy") / "frequency_dictionary_en_82_765.txt"), 0, 1)
    return found
