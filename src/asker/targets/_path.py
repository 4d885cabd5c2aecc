"""Where something stands in JSON: `choices[0].message.content`, as people write it and servers document it.

Names are parted by dots, or stand in brackets and quotes; [0] counts from the front, [-1] from the back, [*] is every
entry. A leading `$` is allowed. No library: those that read all of JSONPath do not tell how far a path leads.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from asker.errors import InputError, shown

STEP = re.compile(r"""\.?([^.\[\]'"*\s]+)|\[(-?\d+)\]|\[(\*)\]|\[(?:'([^']*)'|"([^"]*)")\]""")
SHOWN = 120
Step = str | int | None  # a name, a number, or every entry


class NotThere(Exception):
    """The path leads nowhere: how far it led, and what stands there."""

    def __init__(self, what: str, so_far: str, found: Any) -> None:
        where = f"'{so_far}'" if so_far else "it"
        super().__init__(f"there is no {what} in the response; {where} holds {excerpt(found)}")


class JsonPath:
    """A path that was checked when it was read."""

    def __init__(self, text: str, setting: str = "answer") -> None:
        self.text = text
        self._steps: list[tuple[Step, str]] = []
        rest = text.removeprefix("$")
        place = 0
        while place < len(rest):
            found = STEP.match(rest, place)
            if not found or (place == 0 and rest[0] == "." and text[:1] != "$"):
                raise InputError(f"{setting} = '{text}' is not a path. Write one like choices[0].message.content")
            place = found.end()
            self._steps.append((_step(found), rest[:place].removeprefix(".")))

    def find(self, value: Any) -> Any:
        """What stands there; with [*] a list of it."""
        return self._walk(value, 0)

    def _walk(self, value: Any, depth: int) -> Any:
        for number in range(depth, len(self._steps)):
            step = self._steps[number][0]
            if step is None:
                return self._each(value, number)
            try:
                value = _entered(value, step)
            except LookupError:
                raise self._not_there(value, number) from None
        return value

    def _each(self, value: Any, number: int) -> list[Any]:
        """The rest of the path in every entry that has it; at least one must."""
        found = []
        for entry in value if isinstance(value, list) else ():
            try:
                inner = self._walk(entry, number + 1)
            except NotThere:
                continue
            found.extend(inner if isinstance(inner, list) else [inner])
        if not found:
            raise self._not_there(value, number)
        return found

    def _not_there(self, value: Any, number: int) -> NotThere:
        return NotThere(f"'{self.text}'", self._steps[number - 1][1] if number else "", value)

    def text_in(self, value: Any) -> str:
        """What stands there as text: a text, a number, or the texts of [*] one after another."""
        found = self.find(value)
        parts = found if isinstance(found, list) else [found]
        for part in parts:
            if isinstance(part, bool) or not isinstance(part, str | int | float):
                raise NotThere(f"text at '{self.text}'", self.text, part)
        return "".join(str(part) for part in parts)


def excerpt(value: Any) -> str:
    """The beginning of it as JSON, on one line and harmless."""
    return shown(msgspec.json.encode(value).decode("utf-8", "replace"), SHOWN)


def _step(found: re.Match[str]) -> Step:
    if found[3]:
        return None
    if found[2]:
        return int(found[2])
    return next(name for name in (found[1], found[4], found[5]) if name is not None)


def _entered(value: Any, step: str | int) -> Any:
    """One step further; LookupError where there is none."""
    if isinstance(step, int) and isinstance(value, list):
        return value[step]
    if isinstance(step, str) and isinstance(value, dict):
        return value[step]
    raise LookupError
