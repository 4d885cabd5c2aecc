"""How long a person waits for `asker --help`."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.table import Line, seconds


def lines() -> list[Line]:
    ours = 1000 * seconds(lambda: _start("-m", "asker", "--help"), times=5)
    bare = 1000 * seconds(lambda: _start("-c", "import click"), times=5)
    return [Line("asker --help", ours, "ms", "< 300", bare)]


def _start(*words: str) -> None:
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
