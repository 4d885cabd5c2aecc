"""The words of a claim in every form an answer may give them: inflected, as a noun, by a synonym, by the opposite."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from asker.judges._lexicon import compiled, lists
from asker.judges._text import script

_OPPOSITE = "un|in|im|dis|ir|il|non-?"  # "impatient" says that they are not patient
_IRREGULAR = {
    "good": "good|better|best", "well": "well|better|best", "bad": "bad|worse|worst", "badly": "badly|worse|worst",
    "far": "far|further|farther", "many": "many|more|most", "much": "much|more|most", "have": "have|has|having|had",
}  # fmt: skip
_ENDINGS = (
    "y|e|er|est|ier|iest|ies|ied|ily|ness|iness|s|es|ed|ing|ly|ty|ity|ery|ence|ance|ish|ment|ful|fulness|ism|th|alike"
)


def claim_words(text: str, names: re.Pattern[str] | None) -> tuple[re.Pattern[str], ...]:
    """One pattern for each word that carries meaning; its group `un` is the opposite."""
    if names:
        text = names.sub(" , ", text)
    if script(text) == "zh":
        return _chinese(text)
    stop = _stops("en")
    words = [w for w in re.findall(r"[a-z]+(?:-[a-z]+)*", text) if w not in stop]
    return tuple(compiled(_english(word)) for word in dict.fromkeys(words[:12]))


def _english(word: str) -> str:
    same, opposite = _related("en").get(word) or _related("en").get(_base(word)) or ((), ())
    prefixed = re.match(rf"(?:{_OPPOSITE})(?=\w{{4}})", word)
    said, against = _forms(word, *same), _forms(*opposite)
    if prefixed and not opposite:
        against = _forms(word[prefixed.end() :])
        return rf"{_begins(*said, *against)}(?:{'|'.join(said)}|(?P<un>{'|'.join(against)}))\b"
    begins = _begins(*said, *against, *_OPPOSITE.split("|"))
    if opposite:
        # The opposites come first: "not rich" must not be found in "unrich", nor "honest" in "dishonest".
        undone = rf"(?:{_OPPOSITE})(?:{'|'.join(_forms(word))})"
        return rf"{begins}(?:(?P<un>{'|'.join(against)}|{undone})|{'|'.join(said)})\b"
    return rf"{begins}(?P<un>{_OPPOSITE})?(?:{'|'.join(said)})\b"


def _begins(*forms: str) -> str:
    """The beginning of a word with one of their first letters: quickly seen, and most words have another."""
    return rf"\b(?=[{''.join(sorted({form[0] for form in forms}))}])"


def _forms(*words: str) -> list[str]:
    return [form for word in dict.fromkeys(words) for form in _inflected(word)]


def _chinese(text: str) -> tuple[re.Pattern[str], ...]:
    for stop in sorted(_stops("zh"), key=len, reverse=True):
        text = text.replace(stop, ",")
    pieces = re.findall(r"[\u4e00-\u9fff]+", text)
    return tuple(compiled(_chinese_word(piece)) for piece in dict.fromkeys(pieces[:8]))


def _chinese_word(word: str) -> str:
    related = _related("zh")
    same, opposite = related.get(word) or related.get(word.removeprefix("有")) or ((), ())
    said = "|".join(map(re.escape, (word, *same)))
    return f"(?P<un>{'|'.join(map(re.escape, opposite))})|{said}" if opposite else said


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
def _inflected(word: str) -> tuple[str, ...]:
    """The word in every grade and number, and as a noun: lazy, lazier, laziness."""
    if word in _IRREGULAR:
        return tuple(_IRREGULAR[word].split("|"))
    if "_" in word:
        return (re.escape(word).replace("_", r"[\s-]"),)
    roots = dict.fromkeys((word, _base(word)))
    relatives = " ".join(lists("related.toml")["families"].get(root, "") for root in roots).split()
    return (*(_endings(root) for root in roots), *(noun for root in roots for noun in _nouns(root)), *relatives)


def _nouns(word: str) -> list[str]:
    """Nouns made by more than adding an ending: patient, patience; responsible, responsibility."""
    for ending, instead in (("ent", "enc(?:e|y)"), ("ant", "anc(?:e|y)"), ("ble", "bility"), ("ous", "osity")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return [re.escape(word[: -len(ending)]) + instead]
    return []


def _endings(base: str) -> str:
    stem = re.escape(base[:-1]) if base[-1] in "ye" and len(base) > 3 else re.escape(base)
    double = base[-1] if re.search(r"[^aeiou][aeiou][bdgmnpt]$", base) else ""
    return rf"{stem}(?:{double}(?:er|est|ing|ed)|{_ENDINGS})?" if double else rf"{stem}(?:{_ENDINGS})?"


def _base(word: str) -> str:
    """A comparative or plural back to its root: smarter, lazier, manners."""
    for ending, instead in (("iest", "y"), ("ier", "y"), ("est", ""), ("er", ""), ("ies", "y"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            root = word[: -len(ending)] + instead
            return root[:-1] if re.search(r"([bdgmnpt])\1$", root) and ending in ("er", "est") else root
    return word
