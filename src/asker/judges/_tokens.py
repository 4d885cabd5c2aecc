"""Text as the trained reader takes it: pieces of words by number.

English words fall into the pieces of the vocabulary as BERT's do; Chinese has words of its own, the longest first.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_PIECES = re.compile(r"[\u4e00-\u9fff]+|[^\W_\u4e00-\u9fff]+|[^\w\s]|_")
_PLAIN = str.maketrans(
    {"。": ".", "、": ",", "《": '"', "》": '"', "『": '"', "』": '"', "【": "[", "】": "]", "·": "-"}
)
LONGEST_WORD = 60  # what is longer is no word
LONGEST_CHINESE = 8  # characters of the longest Chinese entry


class Vocabulary:
    """All pieces the reader knows; a piece's line is its number."""

    def __init__(self, lines: list[str]) -> None:
        self.numbers = {piece: number for number, piece in enumerate(lines)}
        self.start, self.stop, self.unknown = (self.numbers[name] for name in ("[CLS]", "[SEP]", "[UNK]"))
        self._word = lru_cache(maxsize=50_000)(self._pieces)

    def tokens(self, text: str) -> list[int]:
        text = text.lower().translate(_PLAIN)
        if not text.isascii():
            text = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")
        return [number for word in _PIECES.findall(text) for number in self._word(word)]

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
