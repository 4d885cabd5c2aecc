"""A statement -> what it says of its subject. The subject is found by a dependency parse, and must be people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from asker.building.mining.parsing import INSTALL
from asker.building.mining.wordnet import wordnet
from asker.building.mining.words import WORDS, stem
from asker.checking.groups import head_of
from asker.languages._en_words import lemmas

_MARKS = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_FRAME = re.compile(
    r"^(?:(?:it|this|(?:the )?(?:post|joke|author|speaker|poster|op)) )?"
    r"(?:impl(?:ies|y|ying)|say(?:s|ing)?|suggest(?:s|ing)?|states?|claims?|assumes?|insinuates?)(?: that)? "
    r"|^that (?=\w+ )",
    re.IGNORECASE,
)
_OR = re.compile(r"\b([\w']+)\s?/\s?([\w']+)(.*)$")
_ASIDE = re.compile(r"\s*\([^)]*(?:\)|$)")
_ENDS = re.compile(r"(?<=\w{2})[.;!?]+\s.*$")  # a second sentence has a subject of its own
_SUBJECTS = ("nsubj", "nsubjpass")
_GOES_ON = ("who", "that", "with", "of", "in", "and", "or", "'s", "'", "from", "wearing", "whose")
_ANYONE = ("people", "others", "everyone", "someone", "somebody", "folks", "person")
_OTHERS = ("no", "few", "other", "others")
_NARROWING = ("relcl", "acl", "advcl")
_PARTS = (
    "lot",
    "lots",
    "majority",
    "number",
    "percentage",
    "proportion",
    "bunch",
    "some",
    "half",
    "part",
    "most",
    "many",
)
_LONG = 6  # words of a name


class Cut(Struct, frozen=True):
    """A statement without its subject."""

    rest: str
    named: bool  # a subject was there
    single: bool = False  # and was one person


def tidy(statement: str) -> str:
    """On one line, in plain marks, the first sentence only, without a frame such as "implies that"."""
    text = " ".join(statement.translate(_MARKS).replace('"', " ").split())
    text = _ENDS.sub("", text).strip(" .,;:!?-*'")
    text = re.sub(r"(?<!\w)'(?=\w)|(?<=[^\Ws])'(?!\w)", "", text)  # quotation marks, but no apostrophe
    text = _ASIDE.sub("", _FRAME.sub("", text, count=1)).strip(" ,")
    while _OR.search(text):
        text = _OR.sub(_one_of, text)
    return text


def _one_of(found: re.Match[str]) -> str:
    """ "wear special/weird hats": one of them will do. "are animals/less than human": the first of two."""
    one, two, rest = found.groups()
    alike = set(lemmas(one.lower())) & set(lemmas(two.lower())) or rest.startswith((" folks", " people"))
    return one + rest if alike and rest else one


def people_words(names: Iterable[str]) -> frozenset[str]:
    """Nouns that stand for people: the heads of the groups' names, and what comes before "people" and "folks"."""
    found = {stem(word) for word in WORDS["people"]}
    for name in names:
        words = [stem(word) for word in re.findall(r"[^\W\d_]+", name)]
        head = stem(head_of(name.split()).strip(".,")) if words else ""
        found.add(head)
        if words[1:] and head in ("people", "folk") and words[-1] == head:
            found.update(words[:-1] if "/" in name else words[-2:-1])
    return frozenset(found - WORDS["not_people"] - {""})


def cuts(doc: Any, people: frozenset[str]) -> list[Cut] | str:
    """Ways to cut a parsed statement, likeliest first, or why there is none."""
    found = [cut for cut in (_by_parse(doc, people), _by_name(doc, people)) if isinstance(cut, Cut)]
    if found:
        return list(dict.fromkeys(found))
    root = next(token for token in doc if token.dep_ == "ROOT")
    subject = next((one for one in root.children if one.dep_ in (*_SUBJECTS, "csubj", "expl") and one.i < root.i), None)
    if subject is not None:
        return _why_not(subject, people)
    bare = Cut(doc.text, named=False)
    return [bare, Cut(f"are {doc.text}", named=False)] if _is_bare(doc) else [bare]


def _why_not(subject: Any, people: frozenset[str]) -> str:
    """ "women who …", "a lot of women": said of some of them only."""
    inside = [token for token in subject.subtree if token.tag_ in ("NNS", "NNPS") and _is_people(token, people)]
    part = subject.lower_ in _PARTS and any(token is not subject for token in inside)
    narrowed = _is_people(subject, people) and any(token.dep_ in _NARROWING for token in subject.subtree)
    return "speaks of some of the group" if part or narrowed else "the subject is not people"


def _is_bare(doc: Any) -> bool:
    """Only what follows "are": "always hungry", "criminals". Of more words one cannot tell what they are said of."""
    said = [token for token in doc if token.lower_ != "all"]
    if len(said) == 1 and said[0].tag_ in ("NNS", "JJ"):
        return True
    return len(doc) < 4 and doc[-1].tag_ == "JJ" and all(token.tag_ in ("RB", "JJ", "CC") for token in doc)


def _by_parse(doc: Any, people: frozenset[str]) -> Cut | None:
    """What follows the subject of the root, with everything that belongs to it ("women who …")."""
    root = next(token for token in doc if token.dep_ == "ROOT")
    subjects = [child for child in root.children if child.dep_ in _SUBJECTS and child.i < root.i]
    if root.pos_ not in ("VERB", "AUX") or not subjects:
        return None
    subject = subjects[-1]
    if any(token.dep_ in _NARROWING or token.lower_ in _OTHERS for token in subject.subtree):
        return None  # "women who …", "no women", "other people": not said of the group
    if not _is_people(subject, people) or any(token.tag_ == "VBG" for token in subject.subtree if token.i == 0):
        return None
    rest = doc[max(token.i for token in subject.subtree) + 1 :].text
    if _is_anyone(subject, rest):
        return None
    return Cut(rest, True, subject.tag_ in ("NN", "NNP", "PRP") and subject.lower_ != "they") if rest else None


def _is_people(token: Any, people: frozenset[str]) -> bool:
    """The word itself, not what belongs to it: neither "women's sports" nor "the lives of women"."""
    if stem(token.text) in people:
        return True
    # No dictionary word: "nigeriens". An adjective made a noun: "epileptics". What WordNet calls a person: "nuns".
    if token.tag_ not in ("NNS", "NNPS"):
        return False
    one = stem(token.text)
    if one in WORDS["not_people"]:
        return False
    return not lemmas(token.lower_) or "ADJ" in lemmas(one) or wordnet(INSTALL).is_person(one)


def _is_anyone(subject: Any, rest: str) -> bool:
    """ "people run away from them": said of others."""
    alone = not any(child.dep_ in ("amod", "compound", "prep", "nmod") for child in subject.children)
    return alone and subject.lower_ in _ANYONE and "them" in rest.split()


def _by_name(doc: Any, people: frozenset[str]) -> Cut | None:
    """What follows a name in front. Parsers stumble over names in small letters: "women bully weak men"."""
    for at, token in enumerate(doc[: min(_LONG, len(doc) - 1)]):
        following = doc[at + 1]
        if token.lower_ in _OTHERS:
            return None
        if stem(token.text) in people and token.lower_.endswith(("s", "men", "people", "folk", "children")):
            if stem(following.text) in people:
                continue
            if following.lower_ in _GOES_ON:
                return None
            if _is_anyone(token, doc[at + 1 :].text):
                return None
            return Cut(doc[at + 1 :].text, True) if following.is_alpha or following.text.startswith("'") else None
        if token.pos_ in ("VERB", "AUX", "ADP", "PRON", "PUNCT"):
            return None
    return None
