"""Chinese: a predicate needs no inflection, only 很 and 都 put in or left out, and 更 to compare.

A statement wants 很 before an adjective (男人很聪明), a choice does without (谁聪明), a comparison takes 更.
Verbs, nouns after 是 and modals (能, 会, 应该) are asked as they stand, and compared only if the data says how.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources

from asker.errors import InputError
from asker.types import Language, Phrase

_DATA = tomllib.loads(resources.files("asker.languages").joinpath("zh_words.toml").read_text("utf-8"))
_WORDS: dict[str, tuple[str, ...]] = {name: tuple(words.split()) for name, words in _DATA.items()}
_ADJECTIVES = frozenset(_WORDS["adjectives"])
_BETWEEN = re.compile(r"(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])")  # Chinese is written without spaces
_GRADED = re.compile("很(?!可能|[多少久].)")  # 很少说谎 is "seldom", 挣得很少 "so little"
_END = " \t\n。．.！!？?；;，,"


class Chinese:
    """Slots: type, predicate (很聪明), bare (聪明), more (更聪明, or what else follows 谁), so (这么聪明, or what else
    follows 为什么) and tag; and where there is one, noun (骗子, without its 是) and comparative (更聪明)."""

    code = "zh"
    version = "5"

    def slots(self, phrase: Phrase) -> dict[str, str]:
        text = _tidy(phrase.text)
        bare = _without_hen(text)
        predicate = f"很{text}" if text in _ADJECTIVES else text
        tag = "是不是" if text.startswith(_WORDS["negatives"]) else "不是吗"
        found = {
            "type": phrase.type or type_of(predicate),
            "predicate": predicate,
            "bare": bare,
            "tag": tag,
        }
        found["so"] = _so(predicate, found["type"])
        if found["type"] == "noun":
            found["noun"] = predicate.removeprefix("是") or predicate
        graded = _comparative(phrase.comparative, text, bare)
        found["more"] = graded or _more(text, bare, found["type"])
        return found | {"comparative": graded} if graded else found

    def sentence(self, text: str) -> str:
        return text


def create() -> Language:
    return Chinese()


def _so(predicate: str, type: str) -> str:
    """What follows 为什么: 这么 instead of 很 (这么聪明, 皮肤这么差), and before a negated adjective (这么不可靠)."""
    graded = re.sub(_GRADED, "这么", predicate, count=1)
    return f"这么{predicate.removeprefix('很')}" if type == "adjective" and graded == predicate else graded


def _more(text: str, bare: str, type: str) -> str:
    """What asks for one of two: 谁更应该 …, and else the predicate alone, without 都: 谁都 would mean everybody."""
    if type == "modal" and text.startswith(_WORDS["deserving"]):
        return f"更{text}"
    if bare == text:
        bare = re.sub(_GRADED, "更", bare, count=1)  # 当上司更称职
    return _without_hen(bare.removeprefix("都")) or bare


def type_of(predicate: str) -> str:
    """What a predicate is, told by how it begins: 很聪明 adjective, 是骗子 noun, 应该受罚 modal, and else a verb."""
    if predicate.startswith("是"):
        return "noun"
    if predicate.startswith(_WORDS["modals"]):
        return "modal"
    graded = _without_hen(predicate) != predicate or predicate.removeprefix("不") in _ADJECTIVES
    return "adjective" if graded else "verb"


def _tidy(text: str) -> str:
    tidy = " ".join(_BETWEEN.sub("", text.strip(_END)).split())
    if not any(c.isalnum() for c in tidy):
        raise InputError(
            f"a property has the empty Chinese predicate '{text}'. Write one such as '很聪明' or '有头发'."
        )
    return tidy


def _without_hen(text: str) -> str:
    """很 is left out before what can be graded; 很少 and 很可能 would lose their sense."""
    inner = text.removeprefix("很").strip()
    return text if not inner or inner.startswith(_WORDS["not_graded"]) else inner


def _comparative(given: str | None, text: str, bare: str) -> str | None:
    """As the data has it; else 更 for 很 + adjective, a listed adjective, or 是 + listed adjective + 的."""
    if given and given.strip():
        return None if given.strip() == "-" else given.strip()
    if any(mark in text for mark in _WORDS["compared"]):
        return None
    inner = text.removeprefix("是").removesuffix("的") if text.startswith("是") else bare
    return f"更{inner}" if bare != text or inner in _ADJECTIVES else None
