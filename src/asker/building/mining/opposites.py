"""Opposites proposed for predicates: from our own data set, by turning a denial round, by the antonym of one word
(WordNet's, or one that our pairs use), and where nothing else is left by denying."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

from asker.building.mining.wordnet import WordNet
from asker.building.mining.words import WORDS, with_articles
from asker.checking import english
from asker.checking.alike import predicate_en
from asker.data.csvfile import Row
from asker.data.grammar import looked_up
from asker.errors import InputError
from asker.languages._en_words import lemmas
from asker.types import Dataset, Phrase

_DENIED = re.compile(r"^(?:do not |never )(?P<bare>.+)$|^(?P<aux>are|have|should|will|would|must|could) (?:not|never) ")
_NO = re.compile(r"^(have|deserve|show|get) no (?!one\b)")
_ANY = re.compile(r"\bany(?=thing\b|one\b|where\b|body\b)")
_LOOSE = re.compile(r" (?:any|at all|anymore|any more|either|even)\b")
_TURNS = {"less": "more", "more": "less", "fewer": "more", "worse": "better", "better": "worse", "least": "most"}
_NO_OPPOSITE = frozenset(
    ["other", "many", "much", "own", "such", "several", "want", "need", "back", "whole"]
)  # or one that says something else
_WISHES = (
    "should",
    "must",
    "deserve",
    "need",
    "ought",
    "will",
    "would",
)  # of what ought to be, a denial is the opposite
# Of two things said, turning one is no opposite; and "only bad for housework" is none of "only good for housework".
_BOUND = frozenset(["not", "no", "and", "or", "but", "never", "only", "just", "too", "as"])
_SAID_OF_SUBJECT = ("acomp", "attr", "oprd", "ROOT")
_PARTS = {"JJ": "a", "JJR": "a", "RB": "r", "RBR": "r", "VBP": "v", "VB": "v"}
_NAMED = ("race", "gender", "culture", "religion")  # whose names hold words such as "black" and "female"


class Opposites:
    """What a person is shown for the other side of a predicate, with how it was found."""

    def __init__(self, ours: Dataset, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._whole: dict[str, str] = {}
        swaps: dict[str, Counter[str]] = {}
        for item in ours.properties:
            pair = item.phrases["negative_en"].text, item.phrases["positive_en"].text
            for text, other in (pair, pair[::-1]):
                self._whole.setdefault(predicate_en(text), other)
            for one, two in _swapped(*pair):  # one way only: the opposite of "nag" may be "encourage", not the reverse
                swaps.setdefault(one, Counter())[two] += 1
        best = {word: max(seen, key=lambda two: (seen[two], two)) for word, seen in swaps.items()}
        self._swaps = {word: two for word, two in best.items() if swaps[word][two] > 1}  # once may be by its context
        named = [group.names["en"] for group in ours.groups if group.attribute in _NAMED]
        self._names = {word.lower() for name in named for word in re.findall(r"\w+", name)}

    def of(self, text: str, doc: Any) -> tuple[str, str]:
        """`doc` is the parse of "They " and the text. By: ours, affirmed, word, denial, nothing."""
        if predicate_en(text) in self._whole:
            return self._whole[predicate_en(text)], "ours"
        affirmed = _affirmed(text)
        if affirmed and _is_sound(affirmed):
            return affirmed, "affirmed"
        other = self._by_word(doc)
        if other and _is_sound(other):
            return other, "word"
        try:
            return looked_up("en", Phrase(text))["negation"], "denial"
        except (InputError, KeyError):
            return "", "nothing"

    def _by_word(self, doc: Any) -> str:
        """The same with one word turned: what is said of the subject first, then what is said of that."""
        tokens = sorted(doc[1:], key=_rank)
        if any(token.lower_ in _BOUND for token in tokens):
            return ""
        if len(doc) < 3 or doc[1].lower_ in _WISHES:
            return ""
        for token in tokens:
            other = self._turned(token) if self._may_turn(token) else ""
            if other:
                words = [other + one.whitespace_ if one.i == token.i else one.text_with_ws for one in doc[1:]]
                return with_articles("".join(words).strip())
        return ""

    def _may_turn(self, token: Any) -> bool:
        """Nothing that belongs to a name ("black people"), stands inside a clause of its own, or is only a degree."""
        if token.lower_ in _TURNS and token.dep_ in ("advmod", "amod", "acomp"):
            return True
        if token.tag_ not in _PARTS or token.lower_ in self._names or token.lower_ in _NO_OPPOSITE:
            return False
        if any(child.dep_ in ("npadvmod", "compound") or child.lower_ == "non" for child in token.children):
            return False  # "bomb happy"
        if token.dep_ == "ROOT":
            thing = any(child.dep_ in ("dobj", "xcomp") for child in token.children)
            return thing and token.tag_ in ("VBP", "VB") and token.lemma_ not in ("be", "have", "do")
        if token.tag_ in ("VB", "VBP"):
            return False
        root = token.head
        if token.dep_ == "amod":  # of the noun that is said of the subject, or that the subject has
            whole = root.dep_ == "attr" or not self._wordnet.is_person(str(root.lemma_))  # "abuse little boys"
            return root.dep_ in ("attr", "dobj") and root.head.dep_ == "ROOT" and whole
        return bool(root.dep_ == "ROOT" and (token.dep_ != "advmod" or token.i > root.i))

    def _turned(self, token: Any) -> str:
        """Its antonym in the same form; a verb only if it tells what is felt, as "take from" is not "give from"."""
        word = token.lower_
        if word in _TURNS:  # first: "least" has a tag that _PARTS does not know
            return _TURNS[word]
        base, part = str(token.lemma_).lower(), _PARTS[token.tag_]
        if part == "v":
            felt = self._wordnet.antonyms(base, "v") if self._wordnet.is_felt(base) else []
            return felt[0] if felt else self._swaps.get(word, "")
        found = [one for form in dict.fromkeys((base, word)) for one in self._wordnet.antonyms(form, part)]
        found = [one for one in found if one not in self._names and lemmas(one)]
        return _inflected(found[0], token.tag_) if found else self._swaps.get(word, "")


def _is_sound(text: str) -> bool:
    """`asker data check` has nothing against it that matters."""
    try:
        slots = looked_up("en", Phrase(text))
    except InputError:
        return False
    row = Row(Path("proposed"), 0, {})
    return not any(one.level == "error" for one in english.predicate(row, "positive_en", text, slots))


def _rank(token: Any) -> tuple[bool, bool, int]:
    return token.lower_ not in _TURNS, token.dep_ not in _SAID_OF_SUBJECT, int(token.i)


def _swapped(text: str, other: str) -> list[tuple[str, str]]:
    """The one word by which two predicates of as many words differ, if it is one."""
    ones, twos = text.split(), other.split()
    if len(ones) != len(twos):
        return []
    differ = [(one, two) for one, two in zip(ones, twos, strict=True) if one != two]
    return differ if len(differ) == 1 and {*differ[0]}.isdisjoint({"no", "not", "too"} | _NO_OPPOSITE) else []


def _affirmed(text: str) -> str:
    """ "are not kind" -> "are kind", "have no morals" -> "have morals": of a denial the opposite is what it denies."""
    found, plain = _DENIED.match(text), ""
    if found:
        plain = found["bare"] or f"{found['aux']} {text[found.end() :]}"
    elif text.startswith("cannot "):
        plain = f"can {text.removeprefix('cannot ')}"
    elif _NO.match(text):
        plain = _NO.sub(r"\1 ", text)
    if not plain or {*plain.split()} & WORDS["denials"]:
        return ""
    return " ".join(_ANY.sub("some", _LOOSE.sub("", plain)).split())


def _inflected(word: str, tag: str) -> str:
    """ "strong" -> "stronger", where its opposite was a comparative."""
    if tag != "JJR" or word.endswith("er"):
        return word
    forms = import_module("lemminflect").getInflection(word, tag=tag)
    return str(forms[0]) if forms else f"more {word}"
