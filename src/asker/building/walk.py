"""The papers' construction as one walk: sources -> groups and predicates -> near-duplicates -> proposals -> files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from asker.building import writing
from asker.building.datasheet import datasheet
from asker.building.mining import groups, proposing
from asker.building.mining.cluster import Cluster, resembling, same
from asker.building.mining.cutting import people_words
from asker.building.mining.dropping import Dropped
from asker.building.mining.parsing import INSTALL, Parser
from asker.building.mining.predicates import mine
from asker.building.mining.proposing import Proposal
from asker.building.mining.wordnet import wordnet
from asker.building.review import DROP
from asker.building.sources import Found, Statement, holisticbias, sbic, stereoset
from asker.data.tables import Bad
from asker.errors import InputError
from asker.files import written_whole
from asker.progress import Progress


class Given(Struct, frozen=True):
    """Where the sources are; each may be left out, or come in several files."""

    sbic: tuple[Path, ...] = ()
    stereoset: tuple[Path, ...] = ()
    holisticbias: tuple[Path, ...] = ()


class Built(Struct, frozen=True):
    """What a build has made, in numbers."""

    rows: dict[str, int]  # read, by source
    skipped: int
    groups: dict[str, int]  # kept, by attribute
    statements: int
    predicates: int  # distinct, before near-duplicates are joined
    properties: int
    dropped: dict[str, int]  # "statement: speaks of the past" -> how many
    proposed: dict[str, int]  # how opposites were proposed


def build(
    given: Given,
    out: Path,
    *,
    skip_bad: bool = False,
    rare: int = groups.RARE,
    quiet: bool = False,
    open_parser: Callable[[], Parser] = Parser,
) -> Built:
    """Read, merge, mine, propose, write. The same sources and parser give the same files."""
    bad = Bad(skip_bad)
    found = _read(given, bad)
    folder = writing.open_folder(out)
    merged, dropped = groups.merge(found, rare)
    clusters, proposals, unused, model = _mined(found, quiet, open_parser)
    dropped += unused
    writing.write_groups(folder, merged)
    writing.write_properties(folder, clusters, proposals)
    writing.write_dropped(folder, dropped, bad.found)
    with written_whole(folder / "DATASHEET.md") as fresh:
        fresh.write_text(datasheet(found, merged, clusters, dropped, model), "utf-8")
    return Built(
        rows={one.about.name: one.rows for one in found},
        skipped=len(bad.found),
        groups=_counted(group.attribute for group in merged),
        statements=sum(len(one.statements) for one in found),
        predicates=sum(1 + len(one.also) for one in clusters),
        properties=len(clusters),
        dropped=_counted(f"{one.what}: {one.reason}" for one in dropped),
        proposed=_counted(DROP if one.opposite == DROP else one.opposite_by for one in proposals),
    )


def _read(given: Given, bad: Bad) -> list[Found]:
    """In a fixed order, whatever the order of flags. Several files of one source are one source."""
    places = ((stereoset, given.stereoset), (sbic, given.sbic), (holisticbias, given.holisticbias))
    found = [_joined([module.read(place, bad) for place in files]) for module, files in places if files]
    if not found:
        raise InputError("no source is given; name at least one of --sbic, --stereoset, --holisticbias")
    return found


def _joined(parts: Sequence[Found]) -> Found:
    mentions = tuple(mention for part in parts for mention in part.mentions)
    statements = tuple(statement for part in parts for statement in part.statements)
    return Found(parts[0].about, mentions, statements, sum(part.rows for part in parts))


def _mined(
    found: Sequence[Found], quiet: bool, open_parser: Callable[[], Parser]
) -> tuple[list[Cluster], list[Proposal], list[Dropped], str]:
    """Sources without statements need no parser."""
    statements: list[Statement] = [statement for one in found for statement in one.statements]
    if not statements:
        return [], [], [], ""
    parser = open_parser()
    people = people_words(mention.name for one in found for mention in one.mentions)
    progress = Progress("mining", len({one.text for one in statements}), quiet=quiet)
    predicates, dropped = mine(statements, people, parser, progress)
    progress.finish()
    clusters = resembling(same(predicates), parser.vectors)
    texts = [one.first.text for one in clusters]
    proposals = proposing.propose(texts, parser.senses, parser, wordnet(INSTALL))
    return clusters, proposals, dropped, parser.name


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))
