"""Text as the trained readers take it: pieces of words by number, and pieces that go together as chunks.

English words and Chinese runs fall into the pieces that are likeliest together. A chunk is a word with the small ones
before it and the stop after it ("it is not true", "they say."): half as many.
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
LONGEST_WORD = 60  # what is longer is no word; so long is a run of Chinese cut at once
LONGEST_PIECE = {"": 7, "##": 16}  # letters of the longest piece, Chinese and other


class Vocabulary:
    """All pieces the readers know, each with how likely it is (a logarithm); a piece's place is its number."""

    def __init__(self, likely: dict[str, float]) -> None:
        self.numbers = {piece: number for number, piece in enumerate(likely)}
        self.start, self.stop, self.unknown = (self.numbers[name] for name in ("[CLS]", "[SEP]", "[UNK]"))
        self.likely, self._rare = likely, min(likely.values()) - 10
        short = {word for word in self.numbers if len(word) == 1 and not word.isascii()} - CLINGING
        self._leaning = self._known(LEANING | short)
        self._clinging = self._known(CLINGING) | {n for piece, n in self.numbers.items() if piece.startswith("##")}
        self._word = lru_cache(maxsize=50_000)(self._pieces)

    @classmethod
    def read(cls, text: str) -> Vocabulary:
        """From a file: a piece and its likelihood a line."""
        rows = (line.split("\t") for line in text.splitlines())
        return cls({piece: float(likely) for piece, likely in rows})

    def written(self) -> str:
        return "".join(f"{piece}\t{likely:.3f}\n" for piece, likely in self.likely.items())

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
            parts = (word[start : start + LONGEST_WORD] for start in range(0, len(word), LONGEST_WORD))
            return tuple(number for part in parts for number in self._likeliest(part, ""))
        found = self._likeliest(word, "##") if len(word) <= LONGEST_WORD else (self.unknown,)
        return (self.unknown,) if self.unknown in found else found

    def _likeliest(self, word: str, inside: str) -> tuple[int, ...]:
        """The word cut into pieces that are likeliest together; `inside` marks those that begin within it."""
        best = [(0.0, 0, 0)]  # up to each place: how likely, the last piece, and where that began
        for end in range(1, len(word) + 1):
            found = []
            for start in range(max(0, end - LONGEST_PIECE[inside]), end):
                piece = (inside if start else "") + word[start:end]
                if piece in self.numbers:
                    found.append((best[start][0] + self.likely[piece], self.numbers[piece], start))
            best.append(max(found) if found else (best[end - 1][0] + self._rare, self.unknown, end - 1))
        return _way_back(best)


def _way_back(best: list[tuple[float, int, int]]) -> tuple[int, ...]:
    found, end = [], len(best) - 1
    while end:
        _, number, end = best[end]
        found.append(number)
    return tuple(reversed(found))
