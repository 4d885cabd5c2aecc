"""Everything that can go wrong, as one tree.

    AskerError                 one sentence for a person: culprit, what is allowed, what to do
    ├── InputError             what the user gave does not fit
    │   ├── UnknownName        a target, attribute, preset … that is not there (with the nearest that is)
    │   ├── DataError          a file with a bad row: file, line, field, reason
    │   └── RunMismatch        a run folder made from another plan, target or data set
    ├── MissingExtra           an optional part is not installed (with the command that installs it)
    ├── RunBusy                another process is writing to the run
    ├── LimitBroken            a figure is beyond what was required of it; also an AssertionError
    ├── StoreError             answers cannot be written: full disk, read-only folder
    └── TargetError            the chatbot did not answer
        ├── Retryable          may succeed later; `after` says when, if the chatbot told
        ├── QuestionFailed     this question will not be answered, the next may be
        └── TargetUnusable     no question will be: no key, spent key, wrong model, nobody listening

Foreign exceptions are turned into these at the border where they arise: targets map what their libraries raise,
stores map sqlite3, the readers map csv and decoding errors.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class AskerError(Exception):
    """Something a person can act on; the message is the whole story."""

    exit_code = 1


class InputError(AskerError):
    exit_code = 2


class UnknownName(InputError):
    """`see`: what else may help, as a sentence. `near`: what was probably meant, where spelling does not tell."""

    def __init__(
        self, what: str, name: str, allowed: Iterable[str], where: str = "", see: str = "", near: str | None = None
    ) -> None:
        self.name, self.allowed = name, sorted(allowed)
        close = get_close_matches(name.lower(), [a.lower() for a in self.allowed], n=1)
        nearest = near or next((a for a in self.allowed if close and a.lower() == close[0]), None)
        hint = f" Did you mean '{nearest}'?" if nearest else ""
        place = f" in {where}" if where else ""
        super().__init__(f"unknown {what} '{name}'{place}.{hint} All: {_some(self.allowed)}{see and f'. {see}'}")


class DataError(InputError):
    """One bad place in a file. Lines count from 1, the header included, as an editor shows them."""

    def __init__(self, file: Path | str, reason: str, line: int | None = None, field: str | None = None) -> None:
        self.file, self.line, self.field, self.reason = file, line, field, reason
        place = str(file)
        if line is not None:
            place += f", line {line}"
        if field is not None:
            place += f", column '{field}'"
        super().__init__(f"{place}: {reason}")


class RunMismatch(InputError):
    pass


class MissingExtra(AskerError):
    def __init__(self, what: str, how: str) -> None:
        super().__init__(f"{what} needs an extra. Install it with: {how.replace('pip install', f'{_pip()} install')}")


class RunBusy(AskerError):
    pass


class LimitBroken(AskerError, AssertionError):
    pass


class StoreError(AskerError):
    pass


class TargetError(AskerError):
    """`charged`: the attempt may have to be paid for all the same."""

    def __init__(self, message: str, *, charged: bool = False) -> None:
        super().__init__(message)
        self.charged = charged


class Retryable(TargetError):
    """`after`: seconds to wait, if the chatbot told. `unreachable`: nobody was there."""

    def __init__(
        self, message: str, after: float | None = None, *, unreachable: bool = False, charged: bool = False
    ) -> None:
        super().__init__(message, charged=charged)
        self.after, self.unreachable = after, unreachable


class QuestionFailed(TargetError):
    pass


class TargetUnusable(TargetError):
    pass


def _pip() -> str:
    """The pip of the environment that asker runs in; the one on the path may be another's, which knows no asker."""
    python = Path(sys.executable)
    found = shutil.which("pip")
    return "pip" if found and Path(found).parent == python.parent else f"{python} -m pip"


def shown(text: str, most: int = 70) -> str:
    """On one line, and without what a terminal would obey: answers and errors come from strangers."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def _some(names: list[str], most: int = 24) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" … and {rest} more" if rest > 0 else "")
