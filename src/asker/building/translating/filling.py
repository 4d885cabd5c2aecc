"""The walk of a translation: what is empty, each translator's work, agreement, the data set and the review file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from asker.building.review import Decision, Sheet, place_of, values, write_review
from asker.building.translating.agreement import ENOUGH, agreement, comes_back
from asker.building.translating.journal import Entry, Journal
from asker.building.translating.translators import Translator
from asker.progress import Progress

JOURNAL, REVIEW = "translations.jsonl", "translation-review.csv"
WHAT = {"groups.csv": "a plural noun phrase that names people", "properties.csv": "a predicate without its subject"}


class Cell(Struct, frozen=True):
    """One text to translate, and where the translation belongs."""

    file: str
    id: str
    source: str
    column: str
    text: str


class Filled(Struct, frozen=True):
    """What a translation has done."""

    cells: int  # that were empty
    agreed: int  # filled, as both said the same
    review: int  # for a person
    failed: int  # of these, some translator gave nothing


def fill(
    folder: Path,
    translators: Sequence[Translator],
    languages: tuple[str, str],
    *,
    back: Translator | None = None,
    enough: float = ENOUGH,
    quiet: bool = False,
) -> Filled:
    """Fill every empty cell of a language. What was translated before is not asked for again."""
    sheets = {name: Sheet(folder / name) for name in WHAT if (folder / name).is_file()}
    cells = [cell for name, sheet in sheets.items() for cell in _empty(name, sheet, languages)]
    journal = Journal(folder / JOURNAL)
    done = [_by(translator, cells, languages, journal, quiet) for translator in translators]
    returned = [_returned(back, cells, one, languages, journal, quiet) if back else {} for one in done]
    decisions = [_decide(cell, done, returned, languages[1], translators) for cell in cells]
    agreed = [one for one in decisions if one.agreement is not None and one.agreement >= enough]
    for one in agreed:
        sheets[one.file].put(one.id, one.column, one.proposal)
    for sheet in sheets.values():
        sheet.write()
    open_ = [one for one in decisions if one not in agreed]
    if open_:
        decided = values(folder / REVIEW)
        write_review(folder / REVIEW, [replace(one, value=decided.get(place_of(one), "")) for one in open_])
    return Filled(len(cells), len(agreed), len(open_), sum(one.agreement is None for one in open_))


def _empty(name: str, sheet: Sheet, languages: tuple[str, str]) -> Iterator[Cell]:
    source, target = languages
    pairs = [(source, target)] if name == "groups.csv" else []
    if name == "properties.csv":
        pairs = [(f"{side}_{source}", f"{side}_{target}") for side in ("negative", "positive")]
    for id, cells in sheet.rows.items():
        for one, other in pairs:
            if cells.get(one, "").strip() and not cells.get(other, "").strip():
                yield Cell(name, id, one, other, cells[one].strip())


def _by(
    translator: Translator, cells: Sequence[Cell], languages: tuple[str, str], journal: Journal, quiet: bool
) -> dict[str, str]:
    """Text -> translation. Each batch is in the journal before the next is asked for."""
    what = {cell.text: WHAT[cell.file] for cell in cells}
    open_ = [text for text in what if (translator.name, *languages, text) not in journal.known]
    progress = Progress(translator.name, len(what), len(what) - len(open_), quiet=quiet)
    for kind in dict.fromkeys(what.values()):
        texts = [text for text in open_ if what[text] == kind]
        for start in range(0, len(texts), translator.batch):
            batch = texts[start : start + translator.batch]
            found = translator.translate(batch, kind)
            pairs = zip(batch, found, strict=True)
            journal.add(Entry(translator.name, *languages, text, done) for text, done in pairs)
            progress.add(len(batch))
    progress.finish()
    return {text: done for text in what if (done := journal.known.get((translator.name, *languages, text)))}


def _returned(
    back: Translator,
    cells: Sequence[Cell],
    done: dict[str, str],
    languages: tuple[str, str],
    journal: Journal,
    quiet: bool,
) -> dict[str, str]:
    """Translation -> what it says when it comes back."""
    there = [Cell(one.file, one.id, one.column, one.source, done[one.text]) for one in cells if one.text in done]
    return _by(back, there, (languages[1], languages[0]), journal, quiet)


def _decide(
    cell: Cell,
    done: Sequence[dict[str, str]],
    returned: Sequence[dict[str, str]],
    language: str,
    translators: Sequence[Translator],
) -> Decision:
    """The first translator's text is the proposal, as in the papers."""
    first, second = (one.get(cell.text, "") for one in done)
    is_name, likeness = cell.file == "groups.csv", None
    if first and second:
        likeness = agreement(first, second, language, is_name=is_name)
        both = [one.get(text, "") for one, text in zip(returned, (first, second), strict=True)]
        if all(both):
            likeness = max(likeness, min(comes_back(cell.text, one, is_name=is_name) for one in both))
    by = f"{translators[0].name} | {translators[1].name}"
    place = (cell.file, cell.id, cell.column, cell.source, cell.text)
    return Decision(*place, first or second, second if first else "", likeness, by)
