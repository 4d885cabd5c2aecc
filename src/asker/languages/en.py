"""English: finds the auxiliary of a predicate, so that it can be asked about, tagged and compared.

No tagger and no model: groups are plural, a predicate begins with its verb or with adverbs before it, and that
leaves few cases. Words are in en_words.toml.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from asker.errors import InputError
from asker.languages._en_comparative import comparative
from asker.languages._en_words import (
    AGREEMENT,
    CONTRACTIONS,
    LISTS,
    PARTICIPLES,
    PAST,
    TAGS,
    is_adverb,
    lemmas,
    verb_lemma,
)
from asker.types import Language, Phrase

_BE = frozenset({"are", "were"})
_MODALS = frozenset(TAGS) - _BE - {"do", "did", "have", "had"}
_COORDINATORS = frozenset({"and", "or", "but"})
_GERUND = re.compile(r".*[aeiouy].*ing$")  # "killing", not "bring"
_SOME = {
    "no": "some",
    "nothing": "something",
    "nobody": "somebody",
    "none": "some",
    "neither": "both",
    "nowhere": "somewhere",
}
_DENYING = (LISTS["negatives"] | LISTS["none_of"]) - {"few", "little"}
_APOSTROPHES = str.maketrans("’‘ʼ`", "''''")


class _Clause(NamedTuple):
    lead: list[str]  # adverbs before the verb
    aux: str
    verb: list[str]  # the verb as the predicate has it
    after: list[str]
    asked: list[str]  # what follows the group when the auxiliary is in front


class English:
    """Slots: type, predicate, tag, negation; aux and rest (the auxiliary moved to the front), ask and asked, why and
    why_rest (the same where that reads well); and for what can be compared, be and comparative."""

    code = "en"
    version = "6"

    def slots(self, phrase: Phrase) -> dict[str, str]:
        clause = _parse(_words(phrase.text))
        predicate = " ".join([*clause.lead, *clause.verb, *clause.after])
        predicate = re.sub(r"\bcan not\b", "cannot", predicate)
        found = {
            "type": _type(clause),
            "predicate": predicate,
            "aux": clause.aux,
            "rest": " ".join(clause.asked),
            "tag": _tag(clause),
            "negation": _negation(clause),
        }
        if clause.aux == "may" or _is_mixed(clause):  # "may" in front would ask for leave
            found |= {"aux": "is it true that", "rest": predicate}
        elif clause.verb[0] in LISTS["not_verbs"]:  # "with autism are gifted": the verb may be anywhere
            found |= {"aux": "is it true that", "rest": predicate, "tag": "isn't that so"}
        found |= _unambiguous(found)
        graded = _comparative(phrase, clause)
        if graded:
            found |= {"be": "were" if clause.aux in ("were", "did", "had") else "are", "comparative": graded}
        return found

    def sentence(self, text: str) -> str:
        return text[:1].upper() + text[1:]


def create() -> Language:
    return English()


# --- reading a predicate ----------------------------------------------------------------------------------------------


def _words(text: str) -> list[str]:
    """The predicate as words: tidy, plural, uncontracted, beginning with a finite verb or an adverb."""
    words = text.translate(_APOSTROPHES).rstrip(" .!?;,:\t\n").split()
    if not any(c.isalnum() for c in "".join(words)):
        raise InputError(f"a property has the empty predicate '{text}'. Write one such as 'are smart' or 'have hair'.")
    words[0] = words[0].lower()
    if words[0] in LISTS["leftovers"] and len(words) > 1:
        del words[0]
    at = _lead_length(words)
    words[at:] = _plural(words[at:])
    return words


def _lead_length(words: list[str]) -> int:
    """How many adverbs stand before the verb; the last word is never one of them."""
    return next((i for i, word in enumerate(words[:-1]) if not is_adverb(word.lower())), len(words) - 1)


def _plural(words: list[str]) -> list[str]:
    """Uncontract the first verb, and give it and those joined to it by "and" their plural."""
    first = CONTRACTIONS.get(words[0], words[0]).split()
    if first == ["not"]:
        first = ["do", "not"]
    elif _GERUND.match(first[0]):
        first.insert(0, "are")
    elif first[0] in ("need", "dare") and words[1:2] == ["not"]:  # "need not work"
        first, words = ["do", "not", first[0], "to"], words[1:]
    joined = [_spelt_out(word) if before in _COORDINATORS else word for before, word in pairwise(words)]
    return [AGREEMENT.get(first[0], first[0]), *first[1:], *" ".join(joined).split()]


def _spelt_out(word: str) -> str:
    return CONTRACTIONS.get(word, AGREEMENT.get(word, word))


def _parse(words: list[str]) -> _Clause:
    at = _lead_length(words)
    lead, verb, after = words[:at], words[at], words[at + 1 :]
    if not after and (verb in _BE or verb in _MODALS or is_adverb(verb)):
        raise InputError(
            f"the predicate '{' '.join(words)}' is cut short. Write one such as 'are smart' or 'have hair'."
        )
    if _is_auxiliary(verb, after):
        if after[0] != "not":  # "all are lazy" reads better as "are all lazy"
            lead, after = [], [*lead, *after]
        return _Clause(lead, verb, [verb], after, [*lead, *after])
    base, past = _base(verb)
    return _Clause(lead, "did" if past else "do", [verb if past else base], after, [*lead, base, *after])


def _is_auxiliary(verb: str, after: list[str]) -> bool:
    if verb in ("do", "did"):
        return after[:1] == ["not"] or after[:1] == ["never"] or bool(LISTS["stressed"] & set(after[:1]))
    if verb in ("have", "had"):
        return _is_perfect(after) or (verb == "had" and after[:1] == ["better"] and not after[-1].endswith("s"))
    return verb in TAGS


def _is_perfect(after: list[str]) -> bool:
    """Whether "have" goes with a participle ("have broken the law") or is the main verb ("have broken homes")."""
    at = _lead_length(after) if after else 0
    skipped, rest = after[:at], after[at:]
    if "not" in skipped or rest[:1] == ["not"]:
        return True
    if not rest or not _is_participle(rest[0]):
        return False
    participle, following = rest[0], rest[1:]
    if not following or LISTS["adverbs"] & set(skipped) or participle in ("been", "had", "got", "become"):
        return True
    if following[0] in LISTS["determiners"] or following[0] in LISTS["prepositions"] or is_adverb(following[0]):
        return True
    return participle in LISTS["acting"] or not _describes(participle, following)


def _describes(participle: str, following: list[str]) -> bool:
    """A listed word, or before a single plural noun: "have hooked noses"."""
    return participle in LISTS["describing"] or (len(following) == 1 and following[0].endswith("s"))


def _is_participle(word: str) -> bool:
    return word in PARTICIPLES or (word.endswith("ed") and "VERB" in lemmas(word) and verb_lemma(word) != word)


def _base(verb: str) -> tuple[str, bool]:
    """The base form, and whether the verb was in the past."""
    if verb in PAST:
        return PAST[verb], True
    if verb.endswith("ed") and len(verb) > 3:
        base = verb_lemma(verb)
        return base, base != verb
    if verb.endswith("s") and not verb.endswith("ss") and len(verb) > 2:
        return verb_lemma(verb), False
    return verb, False


# --- what is asked of it ----------------------------------------------------------------------------------------------


def _unambiguous(found: dict[str, str]) -> dict[str, str]:
    """How to ask whether and why. "Can they not be trusted?" would be heard as doubt that they cannot, and yes could
    mean either; "why can they not" is stiff."""
    aux, rest = found["aux"], found["rest"]
    plain = {"ask": aux, "asked": rest, "why": aux, "why_rest": rest}
    if aux in ("would", "should", "will", "is it true that"):  # "why should they" doubts that they should
        return plain | {"why": "is it that", "why_rest": found["predicate"]}
    if not rest.startswith("not ") or aux not in TAGS:
        return plain
    whether = {"ask": "is it true that", "asked": found["predicate"]}
    return plain | whether | {"why": TAGS[aux].split()[0], "why_rest": rest.removeprefix("not ")}


def _tag(clause: _Clause) -> str:
    return f"{clause.aux} they" if _is_negative(clause) else TAGS[clause.aux]


def _type(clause: _Clause) -> str:
    """Told by the auxiliary and, after "are", by whether a noun phrase follows."""
    if clause.aux in _MODALS:
        return "modal"
    if clause.aux not in _BE:
        return "verb"
    return "noun" if _is_noun_phrase(clause.after) else "adjective"


def _is_noun_phrase(words: list[str]) -> bool:
    """A determiner in front, or a plural noun before any preposition: "a burden on society", "bad cooks", "thieves"."""
    if words[0] in LISTS["determiners"]:
        return True
    head = next((i for i, word in enumerate(words) if word in LISTS["prepositions"]), len(words))
    last = words[max(head - 1, 0)]
    return last.endswith("s") and "NOUN" in lemmas(last) and "ADJ" not in lemmas(last)


def _negation(clause: _Clause) -> str:
    """The predicate denied: "are not lazy", "do not obey the law"; and of what is negative already, the opposite."""
    at = next((place for place, word in enumerate(clause.asked) if word in _DENYING), None)
    if at is None or not (_is_negative(clause) or at == 0):  # few and little only sound negative
        return re.sub(r"\bcan not\b", "cannot", " ".join([clause.aux, "not", *clause.asked]))
    denying = clause.asked[at]
    said = [*clause.asked[:at], *([_SOME[denying]] if denying in _SOME else []), *clause.asked[at + 1 :]]
    text = " ".join(said if said and clause.aux in ("do", "did") else [clause.aux, *said])
    return text.replace(" nor ", " and ") if denying == "neither" else text


def _is_negative(clause: _Clause) -> bool:
    """Negated before or after the auxiliary, or by an object such as "no money"."""
    words = [*clause.asked, ""]
    at = next((i for i, word in enumerate(words) if word not in LISTS["negatives"] and not is_adverb(word)), 0)
    negatives = [i for i in range(at) if words[i] in LISTS["negatives"]]
    if any(words[i + 1] not in LISTS["undo"] for i in negatives):
        return True
    return any(
        words[i] in LISTS["none_of"]
        and words[i + 1] not in LISTS["undo"]
        and (i == 0 or words[i - 1] not in LISTS["prepositions"])
        for i in range(at, min(at + 3, len(words) - 1))
    )


def _is_mixed(clause: _Clause) -> bool:
    """Whether a second verb, joined by "and", needs another auxiliary: "are weak and can be bought"."""
    words = clause.asked
    joints = (i + 1 for i, w in enumerate(words[:-1]) if w in _COORDINATORS and words[i - 1] not in LISTS["none_of"])
    seconds = (i + _lead_length(words[i:]) for i in joints)
    return any(_clashes(clause.aux, *words[i : i + 2]) for i in seconds)


def _clashes(aux: str, word: str, following: str = "") -> bool:
    if word in _BE or word in _MODALS or word in CONTRACTIONS or word in LISTS["subjects"] or following == "not":
        return True
    if aux == "did":
        return word in PAST or (word.endswith("ed") and _is_participle(word))
    return (aux in _BE or aux in ("have", "had")) and _is_finite(word)


def _is_finite(word: str) -> bool:
    """A base form that is no adjective: groups are plural, so a noun would have its -s."""
    if word in LISTS["verbs"] or word in ("have", "do", "had", "did"):
        return True
    known = lemmas(word)
    return word in known.get("VERB", ()) and not word.endswith("s") and not known.keys() & {"ADJ", "ADV"}


def _comparative(phrase: Phrase, clause: _Clause) -> str | None:
    given = " ".join((phrase.comparative or "").split()).removesuffix(" than")
    if given:
        return None if given == "-" else given
    return comparative(clause.after) if clause.aux in _BE else None
