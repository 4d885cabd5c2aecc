"""What is said of a subject -> a predicate in the plural and the present, or why there is none."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from asker.building.mining.cutting import Cut
from asker.building.mining.parsing import INSTALL
from asker.building.mining.wordnet import wordnet
from asker.building.mining.words import WORDS, capitalised
from asker.checking.words import WORDS as CHECKED
from asker.data.grammar import looked_up
from asker.errors import InputError
from asker.types import Phrase

PROBES = ("They", "We")
"""Put in front, so that the parser sees a sentence whose subject we know. It may stumble over one of them: "They like
war" has no verb for it, "We like war" has."""
_PLURAL = {"be": "are", "have": "have", "do": "do"}
_BEFORE_VERB = ("RB", "DT", "PDT", "RBR", "RBS")
_THEIR = {"his": "their", "its": "their", "himself": "themselves", "herself": "themselves", "itself": "themselves"}
_ALL = re.compile(
    r"^((?:are|were|have|do not|should|can|will|must|would) )?(?:all|both) "
    r"(?!the\b|over\b|of\b|about\b|day\b|time\b|their\b|but\b|they\b)"
)


class NoPredicate(Exception):
    """The reason, for the list of what was dropped."""


def predicate(doc: Any, cut: Cut) -> str:
    """The predicate of a parsed "They …" or "We …", brought to the plural present form."""
    verb, root = _finite(doc)
    words = [token.text_with_ws for token in doc[1 : _end(doc, root)]]
    words[verb.i - 1] = _present(verb, root, cut) + verb.whitespace_
    if _is_of_one(root, cut):
        _make_many(words, root)
    if cut.single:
        words = [_THEIR.get(word.strip().lower(), word.strip()) + word[len(word.strip()) :] for word in words]
        words = [re.sub(r"\bit's (?=[a-z])", "their ", "".join(words))]
    return _tidied("".join(words))


def _finite(doc: Any) -> tuple[Any, Any]:
    """The verb that agrees with the subject, and the root it belongs to."""
    they = doc[0]
    root = they.head
    if they.dep_ not in ("nsubj", "nsubjpass") or root.dep_ != "ROOT" or root.pos_ not in ("VERB", "AUX"):
        raise NoPredicate("no predicate")
    helpers = [child for child in root.children if child.dep_ in ("aux", "auxpass") and child.i < root.i]
    verb = min([*helpers, root], key=lambda token: int(token.i))
    if any(token.tag_ not in _BEFORE_VERB for token in doc[1 : verb.i]):
        raise NoPredicate("no predicate")
    if verb.tag_ in ("VBG", "VBN", "TO") or (verb.tag_ == "VB" and helpers):
        raise NoPredicate("no finite verb")
    return verb, root


def _end(doc: Any, root: Any) -> int:
    """Where a second clause with a subject of its own begins: "are poor and they steal"."""
    for token in root.rights:
        if token.dep_ == "conj" and any(child.dep_ in ("nsubj", "nsubjpass") for child in token.children):
            joints = [
                child.i for child in root.children if child.dep_ in ("cc", "punct") and root.i < child.i < token.i
            ]
            return int(min([*joints, token.left_edge.i]))
    return len(doc)


def _present(verb: Any, root: Any, cut: Cut) -> str:
    word, lemma = verb.lower_, verb.lemma_.lower()
    if verb.tag_ == "VBZ" or word in ("is", "has", "does", "'s"):
        if not cut.named and lemma not in WORDS["of_people"]:
            raise NoPredicate("speaks of the post, not of people")
        if cut.named and not cut.single:
            raise NoPredicate("verb and subject do not agree")
        return _PLURAL.get(lemma, str(lemma))
    if verb.tag_ == "VBD":
        if word in ("was", "were") and verb is root:
            return "are"
        if word not in WORDS["lasting"] and word != "did":
            raise NoPredicate("speaks of the past")
        return "do" if word == "did" else str(lemma)
    return {"'re": "are", "am": "are", "'ve": "have", "'ll": "will"}.get(str(word), str(word))


def _is_of_one(root: Any, cut: Cut) -> bool:
    return root.lemma_ == "be" and any(child.dep_ == "attr" for child in root.children)


def _make_many(words: list[str], root: Any) -> None:
    """ "are a thief", "are thief" -> "are thieves"; but "are a burden", "are trash" are said of many together."""
    noun = next(child for child in root.children if child.dep_ == "attr")
    article = next((child for child in noun.children if child.lower_ in ("a", "an")), None)
    if noun.tag_ != "NN" or noun.lower_ in CHECKED["of_many"] or noun.i > len(words):
        return
    if article is None and (any(True for _ in noun.lefts) or not wordnet(INSTALL).is_person(noun.lower_)):
        return
    many = import_module("lemminflect").getInflection(noun.lower_, tag="NNS")
    if many and (article is None or article.i - 1 < len(words)):
        words[noun.i - 1] = many[0] + noun.whitespace_
        if article is not None:
            words[article.i - 1] = ""


def _tidied(text: str) -> str:
    """As our grammar writes predicates: uncontracted in front, with names in capitals, without "all"."""
    plain = re.sub(r"\bca n't\b|\bcan ?not\b", "can't", " ".join(text.split())).replace(" n't", "n't").strip(" ,;:-\"'")
    plain = re.sub(r"(?<=\w)s?'s$", "s", plain)  # "penis's" for a plural, at the end
    plain = _ALL.sub(lambda found: found[1] or "", plain)
    try:
        return capitalised(looked_up("en", Phrase(plain))["predicate"])
    except InputError as error:
        raise NoPredicate("cut short") from error
