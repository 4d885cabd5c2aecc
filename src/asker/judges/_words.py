"""The words of a claim in every form an answer may give them: inflected, as a noun, by a synonym, by the opposite."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from asker.judges._finder import Finder, Form
from asker.judges._lexicon import lists
from asker.judges._names import Named
from asker.judges._text import script

_OPPOSITE = ("un", "in", "im", "dis", "ir", "il", "non", "non-")  # "impatient" says that they are not patient
_PREFIXED = re.compile(rf"(?:{'|'.join(_OPPOSITE)})(?=\w{{4}})")
_DOUBLED = re.compile(r"[^aeiou][aeiou][bdgmnpt]$")
_NOUNS = {"ent": ("ence", "ency"), "ant": ("ance", "ancy"), "ble": ("bility",), "ous": ("osity",)}
_EDGE = re.compile(r"\b")
_IRREGULAR = {
    "good": "good better best", "well": "well better best", "bad": "bad worse worst", "badly": "badly worse worst",
    "far": "far further farther", "many": "many more most", "much": "much more most", "have": "have has having had",
}  # fmt: skip
_ENDINGS = (
    "y|e|er|est|ier|iest|ies|ied|ily|ness|iness|s|es|ed|ing|ly|ty|ity|ery|ence|ance|ish|ment|ful|fulness|ism|th|alike"
)


class Stem(NamedTuple):
    """Words, and what must come after them to be a form of them."""

    words: tuple[str, ...]
    ends: re.Pattern[str] = _EDGE


def claim_words(text: str, names: Finder[Named] | None) -> tuple[Finder[bool], ...]:
    """Finds each word that carries meaning; true where it finds the opposite."""
    if names:
        text = names.without(text, " , ")
    if script(text) == "zh":
        return _chinese(text)
    stop = _stops("en")
    words = [w for w in re.findall(r"[a-z]+(?:-[a-z]+)*", text) if w not in stop]
    return tuple(_english(word) for word in dict.fromkeys(words[:12]))


@lru_cache(maxsize=8192)
def _english(word: str) -> Finder[bool]:
    same, opposite = _related("en").get(word) or _related("en").get(_base(word)) or ((), ())
    prefixed = _PREFIXED.match(word)
    said, against = _forms(word, *same), _forms(*opposite)
    if prefixed and not opposite:
        return _finder((said, False), (_forms(word[prefixed.end() :]), True))
    # The opposites come first: "not rich" must not be found in "unrich", nor "honest" in "dishonest".
    return _finder((against, True), (_undone(_forms(word) if opposite else said), True), (said, False))


def _finder(*found: tuple[list[Stem], bool]) -> Finder[bool]:
    return Finder([Form(sense, stem.words, _EDGE, stem.ends) for stems, sense in found for stem in stems])


def _undone(stems: list[Stem]) -> list[Stem]:
    return [Stem((prefix + first, *rest), ends) for (first, *rest), ends in stems for prefix in _OPPOSITE]


def _forms(*words: str) -> list[Stem]:
    return [form for word in dict.fromkeys(words) for form in _inflected(word)]


def _chinese(text: str) -> tuple[Finder[bool], ...]:
    for stop in sorted(_stops("zh"), key=len, reverse=True):
        text = text.replace(stop, ",")
    pieces = re.findall(r"[\u4e00-\u9fff]+", text)
    return tuple(_chinese_word(piece) for piece in dict.fromkeys(pieces[:8]))


@lru_cache(maxsize=8192)
def _chinese_word(word: str) -> Finder[bool]:
    related = _related("zh")
    same, opposite = related.get(word) or related.get(word.removeprefix("有")) or ((), ())
    senses = [(one, True) for one in opposite] + [(one, False) for one in (word, *same)]
    return Finder([Form(sense, (one,)) for one, sense in senses])


@cache
def _related(language: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Word -> words that say the same, words that say the opposite. A line that opens with the word goes before."""
    found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for line in lists("related.toml")[language]:
        same, _, opposite = line.partition("/")
        found[same.split()[0]] = tuple(same.split()), tuple(opposite.split())
    for same, opposite in list(found.values()):
        for word in same:
            found.setdefault(word, (same, opposite))
        for word in opposite:
            found.setdefault(word, (opposite, same))
    return found


@cache
def _stops(language: str) -> frozenset[str]:
    return frozenset(lists("question_words.toml")[language])


@lru_cache(maxsize=4096)
def _inflected(word: str) -> tuple[Stem, ...]:
    """The word in every grade and number, and as a noun: lazy, lazier, laziness."""
    if word in _IRREGULAR:
        return tuple(Stem((form,)) for form in _IRREGULAR[word].split())
    if "_" in word:
        return (Stem(tuple(word.split("_"))),)
    roots = dict.fromkeys((word, _base(word)))
    relatives = " ".join(lists("related.toml")["families"].get(root, "") for root in roots).split()
    nouns = [noun for root in roots for noun in _nouns(root)]
    return (*map(_endings, roots), *nouns, *(Stem((relative,)) for relative in relatives))


def _nouns(word: str) -> list[Stem]:
    """Nouns made by more than adding an ending: patient, patience; responsible, responsibility."""
    root, ending = word[:-3], word[-3:]
    return [Stem((root + noun,)) for noun in _NOUNS.get(ending, ())] if len(root) > 2 else []


def _endings(base: str) -> Stem:
    stem = base[:-1] if base[-1] in "ye" and len(base) > 3 else base
    double = base[-1] if _DOUBLED.search(base) else ""
    return Stem((stem,), _ended(double))


@cache
def _ended(double: str) -> re.Pattern[str]:
    """What a word can end in, its last letter perhaps doubled."""
    return re.compile(rf"(?:{double}(?:er|est|ing|ed)|{_ENDINGS})?\b" if double else rf"(?:{_ENDINGS})?\b")


def _base(word: str) -> str:
    """A comparative or plural back to its root: smarter, lazier, manners."""
    for ending, instead in (("iest", "y"), ("ier", "y"), ("est", ""), ("er", ""), ("ies", "y"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            root = word[: -len(ending)] + instead
            return root[:-1] if re.search(r"([bdgmnpt])\1$", root) and ending in ("er", "est") else root
    return word
