"""What only concerns groups: their attribute, and that the name is a plural."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from asker.checking import alike, cells
from asker.checking.finding import Finding, error, warning
from asker.checking.words import WORDS
from asker.data.csvfile import Row
from asker.data.reading import LANGUAGES, listed
from asker.data.selecting import translated
from asker.languages._en_words import lemmas


def check(rows: Sequence[Row]) -> Iterator[Finding]:
    yield from cells.columns(rows)
    yield from cells.tidy(rows)
    yield from cells.identified(rows)
    yield from _attributes(rows)
    for language in LANGUAGES:
        yield from cells.present(rows, [language], language)
    for row in rows:
        for language in LANGUAGES:
            if row.get(language):
                yield from cells.in_script(row, language, row.get(language))
        yield from cells.forms(row)
        yield from _named_well(row)
    yield from alike.groups(rows)
    yield from _nesting(rows)


def _attributes(rows: Sequence[Row]) -> Iterator[Finding]:
    """Spelt alike everywhere, and at least two groups in each: pairs are made within an attribute."""
    ours = translated("attributes")
    counts = Counter(row.get("attribute") for row in rows)
    usual = [name for name, count in counts.items() if name in ours or count > 2]
    for row in rows:
        name = row.get("attribute")
        near = [one for one in get_close_matches(name.lower(), [*ours, *usual], n=1, cutoff=0.8) if one != name]
        if not name:
            yield error(row, "attribute", "empty", "the attribute is empty", "say what kind of group it is")
        elif near and name not in usual:
            yield error(row, "attribute", "attribute", f"'{name}' looks misspelt", f"write '{near[0]}'")
        elif counts[name] == 1:
            problem = f"'{row.get('en')}' is the only group of '{name}', so it is compared with nobody"
            yield warning(row, "attribute", "alone", problem, "add another group to that attribute")


def _nesting(rows: Sequence[Row]) -> Iterator[Finding]:
    """A group is part of others of its attribute, and they are not part of it."""
    known = {row.get("id"): row for row in rows}
    for row in rows:
        for wider in listed(row.get("part_of")):
            other = known.get(wider)
            if other is None or other is row or other.get("attribute") != row.get("attribute"):
                problem = f"'{wider}' is no other group of '{row.get('attribute')}'"
                yield error(row, "part_of", "part-of", problem, "name ids of wider groups of the same attribute")
            elif row.get("id") in listed(other.get("part_of")):
                problem = f"'{row.get('id')}' and '{wider}' are each called a part of the other"
                yield error(row, "part_of", "part-of", problem, "keep the one that is true")


def _named_well(row: Row) -> Iterator[Finding]:
    name = row.get("en")
    if not name:
        return
    words = name.split()
    if words[0].lower() in ("a", "an", "one", "every", "each", "some", "all", "most"):
        problem = f"'{name}' begins with '{words[0]}'"
        yield error(row, "en", "plural", problem, "write a bare plural, such as 'old people'")
        return
    head = head_of(words)
    if not is_plural(head):
        better = f"'{name} people'" if head[:1].isupper() else "its plural"
        yield error(row, "en", "plural", f"'{head}' in '{name}' is not a plural", f"write {better}")


def head_of(words: list[str]) -> str:
    """The noun that must be plural: "survivors" in "survivors of earthquakes", "people" in "people close to death"."""
    at = next((i for i, word in enumerate(words) if i and word in WORDS["after_head"]), len(words))
    last = words[at - 1]
    if at > 1 and not is_plural(last) and (last.endswith(("ed", "ing")) or lemmas(last).keys() & {"ADJ", "VERB"}):
        return next((word for word in reversed(words[: at - 1]) if is_plural(word)), last)
    return last


def is_plural(word: str) -> bool:
    return any(_is_plural(part) for part in word.split("-"))  # "mothers-in-law", "left-handers"


def _is_plural(word: str) -> bool:
    small = word.lower()
    if {word, small} & WORDS["plurals"] or (small.endswith(("men", "folk")) and len(small) > 3):
        return True
    known = lemmas(small).get("NOUN", ())
    if known and small not in known:
        return True
    ends = small.endswith("s") and not small.endswith("ss")
    return ends and (word[:1].isupper() or not known or "NOUN" in lemmas(small[:-1]))
