"""Groups of all sources -> one list: named alike, spelling variants folded, the rare and the too fine dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from msgspec import Struct

from asker.building.mining.dropping import Dropped
from asker.building.mining.words import PLACES, WORDS, capitalised, stem
from asker.building.sources import Found, Mention
from asker.checking.alike import name_en
from asker.checking.groups import head_of, is_plural
from asker.data import read
from asker.languages._en_words import lemmas

RARE = 3  # fewer mentions in a corpus are one annotator's wording
FINE = 10  # a group inside two others must be mentioned so often to stand alone
MOST_WORDS = 5
NAMELESS = ("all", "any", "the", "some", "most", "every", "other")
_PEOPLE_END = (
    "er",
    "or",
    "ist",
    "ian",
    "ant",
    "man",
    "eur",
    "eer",
    "boy",
    "girl",
    "mother",
    "father",
    "brother",
    "sister",
)
_SLASH = re.compile(r"\s*/\s*[\w-]+")


class Merged(Struct, frozen=True):
    """A group as the data set will name it."""

    name: str
    attribute: str
    count: int | None  # mentions in corpora; None: it stands in lists only
    sources: tuple[str, ...]
    also: tuple[str, ...]  # what else the sources call it


class _Heard(Struct, frozen=True):
    name: str
    mention: Mention
    source: str


def merge(found: Sequence[Found], rare: int = RARE) -> tuple[list[Merged], list[Dropped]]:
    """The groups by attribute and name, and what was dropped."""
    heard: dict[str, list[_Heard]] = {}
    dropped: list[Dropped] = []
    for source in found:
        for mention in source.mentions:
            name = named(mention.name, listed=mention.count is None, chosen=mention.chosen)
            if name is None:
                dropped.append(Dropped("group", "not a group of people", mention.name, mention.count or 0))
            else:
                heard.setdefault(key(name), []).append(_Heard(name, mention, source.about.name))
    _fold_misspelt(heard, rare)
    groups = {one: _merged(one, mentions) for one, mentions in heard.items()}
    kept = []
    for one, group in groups.items():
        reason = _too_fine(one, group, groups) or ("rare" if group.count is not None and group.count < rare else "")
        if reason:
            dropped.append(Dropped("group", reason, group.name, group.count or 0))
        else:
            kept.append(group)
    return sorted(kept, key=lambda one: (one.attribute, one.name.casefold(), one.name)), sorted(dropped)


def named(raw: str, *, listed: bool = False, chosen: bool = False) -> str | None:
    """A mention as a plural noun phrase: "Ethiopia" -> "Ethiopians", "schoolgirl" -> "schoolgirls", "blind folks" ->
    "blind people". None: it does not name people."""
    text = _SLASH.sub("", raw.translate({ord("’"): "'"}))
    words = [word.strip("'") for word in re.sub(r"[^\w' -]", " ", text).split() if word.strip("'")]
    while len(words) > 1 and words[0].lower() in NAMELESS:
        del words[0]
    if not words or head_of([word.lower() for word in words]) in WORDS["not_people"]:
        return None
    plain = " ".join(words) if listed else capitalised(" ".join(w if _is_name(w) else w.lower() for w in words))
    plain = re.sub(r"\b(folks?|persons|individuals)\b", "people", plain)
    known = _known(plain, mend=not listed)
    return known or _plural(plain, chosen)


def _is_name(word: str) -> bool:
    return word[:1].isupper() and not lemmas(word.lower())


def _known(name: str, mend: bool) -> str | None:
    """What people of a place are called, also where the place is misspelt by a letter."""
    bare = name.removesuffix(" people")
    places = _places()
    if bare.casefold() in places:
        return places[bare.casefold()]
    if not mend or lemmas(bare.lower()) or len(bare) < 6:
        return None
    same_start = sorted(place for place in places if place[:3] == bare[:3].casefold())
    near = get_close_matches(bare.casefold(), same_start, n=1, cutoff=0.8)
    return places[near[0]] if near else None


@cache
def _places() -> dict[str, str]:
    """Place, people and adjective -> people, in small letters."""
    found = {place.casefold(): people for place, people in PLACES.items()}
    ours = [group.names["en"] for group in read().groups if group.attribute in ("culture", "race", "religion")]
    for people in [*PLACES.values(), *ours]:
        if " " not in people.removesuffix(" people") and people[:1].isupper():
            bare = people.removesuffix(" people").casefold()
            for form in (bare, bare.removesuffix("s"), bare.removesuffix("ns"), bare.removesuffix("ians") + "ia"):
                if len(form) > 3:
                    found.setdefault(form, people)
    return found


def _plural(name: str, chosen: bool) -> str | None:
    words = name.split()
    head = head_of(words)
    if is_plural(head) or is_plural(words[-1]):
        return name
    at = len(words) - 1 - words[::-1].index(head)
    forms = lemmas(head.lower())
    if head.lower() in forms.get("NOUN", ()) and (chosen or _is_person(head.lower())):
        words[at] = (
            head[:-3] + "men"
            if head.endswith("man")
            else import_module("lemminflect").getInflection(head, tag="NNS")[0]
        )
        return " ".join(words)
    if "ADJ" in forms or head.endswith(("ish", "ese", "ian", "ean", "ic", "an", "i", "ed", "al")):
        return f"{name} people"
    return f"{name} people" if chosen else None


def _is_person(noun: str) -> bool:
    """Named by an ending that people have, or among the heads of our own groups' names."""
    return noun.endswith(_PEOPLE_END) or noun in _heads()


@cache
def _heads() -> frozenset[str]:
    return frozenset(stem(head_of(group.names["en"].split())) for group in read().groups) | WORDS["people"]


def key(name: str) -> str:
    """By which two names meet: the order of words, "people", case and plural aside."""
    return " ".join(sorted(stem(word) for word in name_en(name).split()))


def _fold_misspelt(heard: dict[str, list[_Heard]], rare: int) -> None:
    """A rare name that no dictionary lists goes to the one that it is nearly spelt like."""
    odd = [one for one, mentions in heard.items() if _is_rare(mentions, rare) and not lemmas(one) and len(one) > 5]
    firm = sorted(set(heard) - set(odd))
    for one in odd:
        near = get_close_matches(one, [other for other in firm if other[0] == one[0]], n=1, cutoff=0.87)
        if near:
            heard[near[0]] += heard.pop(one)


def _is_rare(mentions: list[_Heard], rare: int) -> bool:
    return (
        all(item.mention.count is not None for item in mentions) and sum(i.mention.count or 0 for i in mentions) < rare
    )


def _merged(one: str, heard: list[_Heard]) -> Merged:
    counts = [item.mention.count for item in heard if item.mention.count is not None]
    listed = len(counts) < len(heard)
    spelt, where = Counter[str](), Counter[str]()
    for item in heard:
        spelt[item.name] += item.mention.count or 1
        where[item.mention.attribute] += item.mention.count or 1
    name = min(spelt, key=lambda text: (-spelt[text], len(text), text))
    attribute = _attributes().get(one) or min(where, key=lambda text: (-where[text], text))
    also = sorted({item.mention.name for item in heard} - {name}, key=lambda text: (text.casefold(), text))
    sources = tuple(dict.fromkeys(item.source for item in heard))
    return Merged(name, attribute, None if listed else sum(counts), sources, tuple(also))


@cache
def _attributes() -> dict[str, str]:
    """Where our own set puts a group; sources disagree, and one calls religions cultures."""
    return {key(group.names["en"]): group.attribute for group in read().groups}


def _too_fine(one: str, group: Merged, groups: dict[str, Merged]) -> str:
    """An age in years, a whole sentence, or a group inside two others ("young black men") that few speak of."""
    words = one.split()
    ages = any(age in group.name for age in WORDS["ages"])  # "twenty-five-year-old people"
    if ages or re.search(r"\d", group.name) or len(group.name.split()) > MOST_WORDS:
        return "too fine"
    if len(words) < 2 or (group.count or 0) >= FINE or group.count is None:
        return ""
    parts = _subsets(words)
    return "too fine" if any(a in groups and b in groups for a, b in parts) else ""


def _subsets(words: list[str]) -> Iterable[tuple[str, str]]:
    for place in range(len(words)):
        yield words[place], " ".join(words[:place] + words[place + 1 :])
