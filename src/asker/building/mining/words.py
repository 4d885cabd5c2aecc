"""Words and names that mining knows: from its own lists, and from what our data set writes with a capital."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

from asker.checking.words import WORDS as CHECKED
from asker.data import read
from asker.languages._en_words import lemmas


def _toml(name: str) -> dict[str, str]:
    found: dict[str, str] = tomllib.loads(resources.files("asker.building.mining").joinpath(name).read_text("utf-8"))
    return found


WORDS: dict[str, frozenset[str]] = {name: frozenset(text.split()) for name, text in _toml("words.toml").items()}
PLACES: dict[str, str] = _toml("places.toml")


@cache
def proper() -> dict[str, str]:
    """Words that are always written with a capital: small letters -> as they should be."""
    ours = read()
    texts = [group.names["en"] for group in ours.groups]
    texts += [phrase.text for item in ours.properties for key, phrase in item.phrases.items() if key.endswith("_en")]
    texts += [*PLACES, *PLACES.values()]
    seen: dict[str, set[str]] = {}
    for word in (word for text in texts for word in re.findall(r"[^\W\d_]+", text)):
        seen.setdefault(word.casefold(), set()).add(word)
    names = {small: next(iter(forms)) for small, forms in seen.items() if len(forms) == 1}
    names = {small: word for small, word in names.items() if word != small and not lemmas(small)}
    plurals = {f"{small}s": f"{word}s" for small, word in names.items() if not small.endswith("s")}
    own = {name.casefold(): name for name in WORDS["names"]} | {"america": "America"}
    return plurals | names | own


def capitalised(text: str) -> str:
    """The text with names as they are written: "hate jews" -> "hate Jews"."""
    text = re.sub(r"\bthe usa?\b", "the US", text)
    text = re.sub(r"\bmiddle east", "Middle East", text)
    return re.sub(r"[^\W\d_]+", lambda found: proper().get(found[0].casefold(), found[0]), text)


@cache
def stem(word: str) -> str:
    """Of any word for people the one form by which two mentions meet: "Ethiopians", "ethiopian" -> "ethiopian"."""
    small = word.casefold()
    known = lemmas(small)
    if "NOUN" in known:
        return known["NOUN"][0]
    return small[:-1] if small.endswith("s") and not small.endswith("ss") and not known else small


def with_articles(text: str) -> str:
    """ "a honest" -> "an honest", by the sound that follows."""
    return re.sub(r"\ban? (?=(\w+))", lambda found: f"{_article(found[1])} " if found[1].islower() else found[0], text)


def _article(word: str) -> str:
    if word.startswith(tuple(CHECKED["vowel_sound"])):
        return "an"
    if word.startswith(tuple(CHECKED["consonant_sound"])) and not word.startswith(("unin", "unim")):
        return "a"
    return "an" if word[:1].lower() in "aeiou" else "a"
