"""English comparatives: which adjectives have a natural one, and how it is written."""

from __future__ import annotations

import re

from asker.languages._en_words import IRREGULAR, LISTS, lemmas, syllables

_DOUBLED = re.compile(r"(?:^|[^aeiou]|qu)[aeiou][^aeiouwxy]$")  # big, fit, sad; not weak, new, gay
_LONG = tuple(LISTS["endings"] - {"y"})  # "pious", "naive": whatever a syllable counter says


def comparative(words: list[str]) -> str | None:
    """The comparative of what follows "are": an adjective, or an adverb and an adjective; else None."""
    if len(words) == 1:
        return _alone(words[0])
    if len(words) == 2 and words[0].endswith(("ly", "well")):
        return _after_adverb(*words)
    return None


def _alone(word: str) -> str | None:
    if "-" in word:
        return _compound(word)
    return _graded(word) if _can_be_graded(word) else None


def _after_adverb(adverb: str, word: str) -> str | None:
    """ "mentally healthier", but "more mentally stable", "better educated", "more highly educated"."""
    if adverb in IRREGULAR and _is_participle(word):
        return f"{IRREGULAR[adverb]} {word}"
    if adverb == "highly":
        return f"more highly {word}" if _is_participle(word) else None
    if adverb in LISTS["degree"] or adverb in LISTS["adverbs"] or not _can_be_graded(word):
        return None
    graded = _graded(word)
    return f"more {adverb} {word}" if graded.startswith("more ") else f"{adverb} {graded}"


def _compound(word: str) -> str | None:
    """ "better-looking", "more open-minded"; nothing for "anti-American" or "drug-free"."""
    first, _, second = word.rpartition("-")
    if second not in LISTS["halves"] or word in LISTS["ungraded"]:
        return None
    if first == "well" or word == "good-looking":
        return f"{IRREGULAR[first]}-{second}"
    return f"more {word}"


def _can_be_graded(word: str) -> bool:
    """Whether a single word is an adjective of which one can have more."""
    if not word.isalpha() or not word.islower() or word in LISTS["ungraded"] or word in LISTS["nouns"]:
        return False
    if word in LISTS["graded"] or word.removeprefix("un") in LISTS["graded"]:
        return True
    known = lemmas(word)
    if not known:
        return len(word) > 4 and word.endswith(tuple(LISTS["endings"]))
    return word in known.get("ADJ", ()) and not _is_participle(word)


def _is_participle(word: str) -> bool:
    """A form of a verb other than its base: "arrested", "beaten", "stealing"."""
    verbs = lemmas(word).get("VERB", ())
    return bool(verbs) and word not in verbs


def _graded(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word in LISTS["more"] or word in LISTS["graded"] or word.endswith(_LONG) or not _takes_er(word):
        return f"more {word}"
    if word.endswith("e"):
        return f"{word}r"
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ier"
    return f"{word}{word[-1]}er" if syllables(word) == 1 and _DOUBLED.search(word) else f"{word}er"


def _takes_er(word: str) -> bool:
    """One syllable; two in -y, -ow or -le; and "un" before such a word in -y ("unhappier")."""
    count = syllables(word)
    if word.startswith("un") and word.endswith("y"):
        count = syllables(word[2:])
    return count == 1 or (count == 2 and re.search(r"([^aeiou]y|ow|[^aeiou]le)$", word) is not None)
