"""Chinese that belongs to another row: told by which characters go with which English words.

No dictionary is needed for that: thousands of pairs, ours and the file's own, say that 诚 goes with "honest". A cell
whose characters go with few of its row's words, while those of a neighbour do, has slipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from asker.checking.alike import name_en, predicate_en
from asker.checking.finding import Finding, error, warning
from asker.checking.words import WORDS
from asker.data.csvfile import Row
from asker.data.reading import POLARITIES, read

NEAR = (-1, 1, -2, 2)  # rows by which a column may have slipped
RUN, WINDOW = 3, 4  # so many off by the same step among so many on either side
CLEAR, CROSSED, SWAPPED = 0.2, 0.4, 0.5  # how much better other cells must go with the English than its own


def groups(rows: Sequence[Row]) -> Iterator[Finding]:
    pairs = [(row.get("en"), row.get("zh")) for row in rows]
    yield from _slipped(rows, "zh", pairs, Lexicon([*_our_pairs(), *pairs]))


def properties(rows: Sequence[Row]) -> Iterator[Finding]:
    columns = {side: [(row.get(f"{side}_en"), row.get(f"{side}_zh")) for row in rows] for side in POLARITIES}
    lexicon = Lexicon([*_our_pairs(), *columns["negative"], *columns["positive"]])
    for side, pairs in columns.items():
        yield from _slipped(rows, f"{side}_zh", pairs, lexicon)
    for row, *both in zip(rows, *columns.values(), strict=True):
        yield from _swapped(row, both, lexicon)


class Lexicon:
    """Which characters go with which English words, by how often they share a cell."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._words, self._characters = Counter[str](), Counter[str]()
        self._both = Counter[tuple[str, str]]()
        self._cells = 0
        for english, chinese in dict.fromkeys(pairs):
            words, characters = set(_words(english)), set(chinese)
            self._words.update(words)
            self._characters.update(characters)
            self._both.update((word, character) for word in words for character in characters)
            self._cells += 1

    def fit(self, english: str, chinese: str) -> float:
        """How well a Chinese text goes with an English one, from 0 (nothing speaks for it) to 1."""
        characters = set(chinese)
        best = [
            max((self._together(word, one) for one in characters), default=0.0)
            for word in _words(english)
            if self._words[word] > 1
        ]
        return sum(best) / len(best) if best else 0.0

    def _together(self, word: str, character: str) -> float:
        """The share of the rarer one's cells that hold both, drawn towards 0 where there are few."""
        count = self._both[word, character]
        if count < 2 or self._characters[character] > self._cells / 20:  # 很, 人, 的 go with everything
            return 0.0
        return count / (min(self._words[word], self._characters[character]) + 1)


def _slipped(rows: Sequence[Row], column: str, pairs: list[tuple[str, str]], lexicon: Lexicon) -> Iterator[Finding]:
    """Cells that fit another row: two rows that fit each other crosswise, or several near each other off by as much.

    One cell alone proves nothing: a rare word is simply not known.
    """
    known = _known()
    for row, (english, own) in zip(rows, pairs, strict=True):
        ours, theirs = known[0].get(english.casefold(), set()), known[1].get(own, set())
        if ours and theirs and own not in ours:
            problem = f"'{own}' is '{min(theirs)}', not '{english}'"
            yield error(
                row, column, "misaligned", problem, f"write '{min(ours)}', or see whether the column has slipped"
            )
    firm = [lexicon.fit(*pair) > CLEAR for pair in pairs]
    for step in NEAR:
        gains = [_gain(pairs, place, step, lexicon) for place in range(len(rows))]
        off = [gain > CLEAR for gain in gains]
        for place in (at for at, is_off in enumerate(off) if is_off):
            around = slice(max(0, place - WINDOW), place + WINDOW + 1)
            crossed = min(gains[place], _gain(pairs, place + step, -step, lexicon)) > CROSSED
            if crossed or (sum(off[around]) >= RUN and sum(off[around]) > sum(firm[around])):
                english, own = pairs[place]
                other, line = pairs[place + step][1], rows[place + step].line
                problem = f"'{own}' does not go with '{english}', but '{other}' in line {line} does"
                yield error(rows[place], column, "misaligned", problem, "see whether the column has slipped", line)


def _gain(pairs: list[tuple[str, str]], place: int, step: int, lexicon: Lexicon) -> float:
    """How much better the cell so many rows away goes with this row's English than its own."""
    if not 0 <= place + step < len(pairs) or not all(pairs[place]):
        return 0.0
    english, own = pairs[place]
    return lexicon.fit(english, pairs[place + step][1]) - lexicon.fit(english, own)


def _swapped(row: Row, both: Sequence[tuple[str, str]], lexicon: Lexicon) -> Iterator[Finding]:
    (english, chinese), (english_too, chinese_too) = both
    if not (english and chinese and english_too and chinese_too):
        return
    straight = lexicon.fit(english, chinese) + lexicon.fit(english_too, chinese_too)
    crossed = lexicon.fit(english, chinese_too) + lexicon.fit(english_too, chinese)
    if crossed > straight + SWAPPED:
        problem = f"'{chinese}' seems to be '{english_too}', and '{chinese_too}' to be '{english}'"
        # A guess by characters that share cells: of 6,000 published pairs it suspects two, and both are right.
        yield warning(row, "negative_zh", "misaligned", problem, "see whether the two Chinese cells are swapped")


@cache
def _words(english: str) -> tuple[str, ...]:
    return tuple(sorted({*name_en(english).split(), *predicate_en(english).split()} - WORDS["heads"] - {"not"}))


def ours(english: str, chinese: str) -> str:
    """Our own Chinese for an English text whose Chinese is another text's in our data; else the Chinese as it is."""
    there, back = _known()
    known = there.get(english.casefold(), set())
    return min(known) if known and chinese in back and chinese not in known else chinese


@cache
def _known() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """What our own set says a text is in the other language: English -> Chinese, and the reverse."""
    there: dict[str, set[str]] = {}
    back: dict[str, set[str]] = {}
    for english, chinese in _our_pairs():
        there.setdefault(english.casefold(), set()).add(chinese)
        back.setdefault(chinese, set()).add(english)
    return there, back


@cache
def _our_pairs() -> tuple[tuple[str, str], ...]:
    ours = read()
    names = [(group.names["en"], group.names["zh"]) for group in ours.groups]
    phrases = [
        (item.phrases[f"{side}_en"].text, item.phrases[f"{side}_zh"].text)
        for item in ours.properties
        for side in POLARITIES
    ]
    return (*names, *phrases)
