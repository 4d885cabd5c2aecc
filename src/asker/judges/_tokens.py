"""Text as the trained readers take it: pieces of words by number, and pieces that go together as chunks.

English words fall into the pieces of the vocabulary as BERT's do; Chinese has words of its own, the longest first. A
chunk is a word with the small ones before it and the stop after it ("it is not true", "they say."): half as many.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_PIECES = re.compile(r"[\u4e00-\u9fff]+|[^\W_\u4e00-\u9fff]+|[^\w\s]|_")
_PLAIN = str.maketrans(
    {"。": ".", "、": ",", "《": '"', "》": '"', "『": '"', "』": '"', "【": "[", "】": "]", "·": "-"}
)
CHUNK = 4  # pieces at most
_SMALL = """
a an the this that these those some any all every each no not never my your our their his her its i you we he she it
they them us who which what there here one is are was were be been being am has have had do does did don doesn didn isn
aren can could may might must should would will shall to of in on at by for with from as about than into over and or but
if so because while though although when where how why very more most less much many just also only even quite such too
then ' s t re ve ll d m
我们 你们 他们 她们 这个 那个 这些 那些 这种 一个 一种 一些 所有 每个 某些 没有 不是 并不 并不是 也是 就是 都是
可以 可能 应该 或者 但是 因为 所以 如果 虽然 比较 非常 只是 其实
"""
_LATE = """ . , ! ? ; : ) ] " ' - % 的 了 吗 呢 吧 们 地 得 着 过 来说 而言 """
LEANING, CLINGING = frozenset(_SMALL.split()), frozenset(_LATE.split())
"""Small words that lean on what follows, as single Chinese characters do; what clings to what came before, as the inner
pieces of words do."""
LONGEST_WORD = 60  # what is longer is no word
LONGEST_CHINESE = 8  # characters of the longest Chinese entry


class Vocabulary:
    """All pieces the reader knows; a piece's line is its number."""

    def __init__(self, lines: list[str]) -> None:
        self.numbers = {piece: number for number, piece in enumerate(lines)}
        self.start, self.stop, self.unknown = (self.numbers[name] for name in ("[CLS]", "[SEP]", "[UNK]"))
        short = {word for word in self.numbers if len(word) == 1 and not word.isascii()} - CLINGING
        self._leaning = self._known(LEANING | short)
        self._clinging = self._known(CLINGING) | {n for piece, n in self.numbers.items() if piece.startswith("##")}
        self._word = lru_cache(maxsize=50_000)(self._pieces)

    def tokens(self, text: str) -> list[int]:
        text = text.lower().translate(_PLAIN)
        if not text.isascii():
            text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
        return [number for word in _PIECES.findall(text) for number in self._word(word)]

    def chunks(self, numbers: list[int]) -> Iterator[list[int]]:
        chunk: list[int] = []
        for number in numbers:
            ended = chunk and chunk[-1] not in self._leaning and number not in self._clinging
            if ended or len(chunk) == CHUNK:
                yield chunk
                chunk = []
            chunk.append(number)
        if chunk:
            yield chunk

    def _known(self, words: frozenset[str]) -> frozenset[int]:
        return frozenset(self.numbers[word] for word in words if word in self.numbers)

    def _pieces(self, word: str) -> tuple[int, ...]:
        if word in self.numbers:
            return (self.numbers[word],)
        if "\u4e00" <= word[0] <= "\u9fff":
            return self._longest_first(word, "", LONGEST_CHINESE)
        found = self._longest_first(word, "##", len(word)) if len(word) <= LONGEST_WORD else (self.unknown,)
        return (self.unknown,) if self.unknown in found else found

    def _longest_first(self, word: str, inside: str, longest: int) -> tuple[int, ...]:
        """The word cut into entries, each as long as can be; `inside` marks those that begin within it."""
        found: list[int] = []
        place = 0
        while place < len(word):
            mark = inside if place else ""
            ends = range(min(len(word), place + longest), place, -1)
            end = next((end for end in ends if mark + word[place:end] in self.numbers), None)
            found.append(self.unknown if end is None else self.numbers[mark + word[place:end]])
            place = end or place + 1
        return tuple(found)
