"""English predicates: a plural verb in front, its base form where an auxiliary goes before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asker.checking import cells
from asker.checking.finding import Finding, error, warning
from asker.checking.words import WORDS
from asker.data.csvfile import Row
from asker.languages._en_words import LISTS, TAGS, is_adverb, lemmas

_ONE_PERSON = re.compile(r"\b(he|she|him|his|her|hers|himself|herself|I|me|my|you|your|we|us|our)\b")
_SURELY_ADJECTIVES = ("ous", "ful", "less", "ive", "able", "ible", "ish", "ic")


def predicate(row: Row, column: str, text: str, slots: dict[str, str]) -> Iterator[Finding]:
    yield from cells.in_script(row, column, text)
    yield from _person(row, column, text)
    if slots["predicate"] != text.rstrip(" .!?;,:"):
        problem = f"'{text}' does not agree with a plural, or is not a bare predicate"
        yield error(row, column, "agreement", problem, f"write '{slots['predicate']}'")
        return
    yield from _number(row, column, slots)
    yield from _tense(row, column, slots)
    yield from _spelling(row, column, slots)
    verb = verb_of(slots)
    if verb == "think":
        problem = f"'{text}' is asked as 'Which people do you think think …?'"
        yield warning(row, column, "think-think", problem, "write 'believe' or 'reason', if it says the same")
    if text.split()[0] == "to":
        yield error(row, column, "agreement", f"'{text}' is an infinitive", "begin with a plural verb, such as 'are'")
    elif slots["aux"] in ("do", "did") and not _may_be_verb(verb, slots["rest"]):
        problem = f"'{text}' does not begin with a verb"
        yield error(row, column, "no-verb", problem, f"write 'are {text}', or a verb that plurals take")
    elif slots["aux"] not in ("are", "were", "have", "had", "is it true that") and not _is_base(verb):
        problem = f"'{verb}' in '{text}' is not the base form"
        yield error(row, column, "base-form", problem, f"write '{_base(verb)}'")


def _person(row: Row, column: str, text: str) -> Iterator[Finding]:
    found = _ONE_PERSON.search(text.replace("thank you", ""))
    if found:
        problem = f"'{found[0]}' in '{text}' does not fit a group"
        yield error(row, column, "pronoun", problem, "use their, them or themselves, or nothing")
    if re.search(r"\b(all|every|each) (of )?(them|people)\b|^all\b", text):
        yield warning(row, column, "quantity", f"'{text}' speaks of all", "leave the number of people out")


def _number(row: Row, column: str, slots: dict[str, str]) -> Iterator[Finding]:
    """ "are thief", "are a thief": what is said of many is plural, but for "a burden" and its like."""
    words = slots["rest"].split()
    if slots["aux"] != "are" or not words:
        return
    article = words[0] in ("a", "an")
    end = next((i for i, word in enumerate(words) if word in LISTS["prepositions"]), len(words))
    head = words[max(end - 1, 0)]
    known = lemmas(head)
    if article and head not in WORDS["of_many"] and "NOUN" in known:
        problem = f"'{' '.join(words[:end])}' is one, and a group is many"
        yield warning(row, column, "number", problem, "write the plural, unless it can be said of many together")
    elif (
        len(words) == 1
        and set(known) == {"NOUN"}
        and head in known["NOUN"]
        and not head.endswith("s")
        and head not in WORDS["mass"]
    ):
        yield error(row, column, "number", f"'{head}' after 'are' is not a plural", "write the plural")


def _tense(row: Row, column: str, slots: dict[str, str]) -> Iterator[Finding]:
    if slots["aux"] in ("were", "did", "had"):
        problem = f"'{slots['predicate']}' speaks of the past"
        yield warning(row, column, "tense", problem, "use the present, unless the past is meant")


def _spelling(row: Row, column: str, slots: dict[str, str]) -> Iterator[Finding]:
    """Words that the dictionary does not list. Capitals are names."""
    for word in re.findall(r"\b[a-zé]{4,}\b", re.sub(r"\S*[-']\S*", " ", slots["predicate"])):
        if not _is_known(word):
            yield warning(row, column, "spelling", f"'{word}' is in no dictionary here", "see whether it is misspelt")


def _is_known(word: str) -> bool:
    if word in WORDS["known"] or word in TAGS or is_adverb(word):
        return True
    spellings = (word, word.removeprefix("un"), word.removeprefix("in"), re.sub("is(e|ed|es|ing)$", r"iz\1", word))
    return any(lemmas(one) for one in spellings)


def verb_of(slots: dict[str, str]) -> str:
    """The first word after the auxiliary that is no adverb and no "not"."""
    words = slots["rest"].split()
    return next((word for word in words if word not in ("not", "never") and not is_adverb(word)), words[-1])


def _may_be_verb(word: str, rest: str) -> bool:
    """Whether a predicate can begin with it. An adjective that stands alone is hardly ever meant as a verb."""
    if word in TAGS or word in LISTS["verbs"]:
        return True
    known = lemmas(word)
    if "VERB" not in known and "-" not in word:
        return False
    alone = rest == word
    return not (alone and ("ADJ" in known or word.endswith(_SURELY_ADJECTIVES)))


def _is_base(word: str) -> bool:
    known = lemmas(word).get("VERB")
    return not known or word in known or word in ("be", "have", "do")


def _base(word: str) -> str:
    return str(lemmas(word)["VERB"][0])
