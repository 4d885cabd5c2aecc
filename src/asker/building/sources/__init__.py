"""Published corpora as sources, one file each. Each says what it is and `read`s a place into what was Found there."""

from __future__ import annotations

from msgspec import Struct


class Mention(Struct, frozen=True):
    """A group as a source names it. Lists have no count: what stands in one was chosen, so it is never rare."""

    name: str
    attribute: str
    count: int | None = None
    chosen: bool = True  # by the makers of the corpus, not by an annotator's free hand


class Statement(Struct, frozen=True):
    """Something that a source says about a group, and how often."""

    text: str
    group: str
    count: int


class About(Struct, frozen=True):
    """What a datasheet must tell of a source."""

    name: str
    licence: str
    cite: str


class Found(Struct, frozen=True):
    """All that was read from one source."""

    about: About
    mentions: tuple[Mention, ...]
    statements: tuple[Statement, ...] = ()
    rows: int = 0
