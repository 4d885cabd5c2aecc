"""What did not make it into the data set, and why: nothing is left out silently."""

from __future__ import annotations

from msgspec import Struct


class Dropped(Struct, frozen=True, order=True):
    """One thing that a source says and the data set does not."""

    what: str  # group or statement
    reason: str
    text: str
    count: int
