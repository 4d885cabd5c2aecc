"""Chinese: a predicate needs no inflection, only 很 and 都 put in or left out, and 更 to compare.

A statement wants 很 before an adjective (男人很聪明), a question does without (男人聪明吗), a comparison takes 更.
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
_END = " \t\n。．.！!？?；;，,"


class Chinese:
    """Slots: predicate (很聪明), bare (聪明), single (also without 都), tag, and perhaps comparative (更聪明)."""

    code = "zh"

    def slots(self, phrase: Phrase) -> dict[str, str]:
        text = _tidy(phrase.text)
        bare = _without_hen(text)
        predicate = f"很{text}" if text in _ADJECTIVES else text
        tag = "是不是" if text.startswith(_WORDS["negatives"]) else "不是吗"
        found = {
            "predicate": predicate,
            "bare": bare,
            "single": _without_hen(bare.removeprefix("都")) or bare,
            "tag": tag,
        }
        graded = _comparative(phrase.comparative, text, bare)
        return found | {"comparative": graded} if graded else found

    def sentence(self, text: str) -> str:
        return text


def create() -> Language:
    return Chinese()


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
