"""How long a person waits for `asker --help`; bare: `import click`."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.table import Line, seconds

PLACE = 1


def lines(quick: bool) -> list[Line]:
    times = 2 if quick else 7
    ours = 1000 * seconds(lambda: _start("-m", "asker", "--help"), times)
    bare = 1000 * seconds(lambda: _start("-c", "import click"), times)
    return [Line("asker --help", ours, "ms", bare, most=300)]


def _start(*words: str) -> None:
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
