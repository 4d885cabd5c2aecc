"""One line that says how far a long step is, how fast it goes, and when it will be done."""

from __future__ import annotations

import sys
import time
from typing import TextIO


class Progress:
    """Counts, and writes them to a terminal a few times a second; to a file or pipe, a line now and then."""

    def __init__(self, what: str, total: int, done: int = 0, stream: TextIO | None = None, quiet: bool = False) -> None:
        self.what, self.total, self.done, self.errors = what, total, done, 0
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._every = 0.2 if self._live else 10.0
        self._started = self._shown = time.monotonic()
        self._before = done
        self._quiet = quiet
        self.money: float | None = None
        self.stop: tuple[str, str] | None = None  # how and why whoever watches wants an end

    def add(self, count: int = 1) -> None:
        self.done += count
        self.tick()

    def tick(self) -> None:
        """Show the line if it is time to; cheap enough to call for every answer."""
        now = time.monotonic()
        if now - self._shown >= self._every:
            self._shown = now
            self._write(self.line())

    def line(self) -> str:
        seconds = max(time.monotonic() - self._started, 1e-9)
        rate = (self.done - self._before) / seconds
        share = self.done / self.total if self.total else 1.0
        parts = [f"{self.what}  {self.done:,}/{self.total:,}", f"{share:4.0%}", f"{_rate(rate)}/s"]
        if self.money is not None:
            parts.append(f"${self.money:,.2f}")
        if self.errors:
            parts.append(f"{self.errors:,} errors")
        if rate and self.done < self.total:
            parts.append(f"{duration((self.total - self.done) / rate)} left")
        return "  ".join(parts)

    def finish(self) -> None:
        if self._live and not self._quiet:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def _write(self, line: str) -> None:
        if not self._quiet:
            self._stream.write(f"\r\x1b[K{line}" if self._live else f"{line}\n")
            self._stream.flush()


def duration(seconds: float) -> str:
    """ "8 s", "3 min 20 s", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
