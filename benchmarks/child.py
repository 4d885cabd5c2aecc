"""python -m benchmarks.child PART [quick]: one part, its lines as JSON on standard output, and at last its memory."""

from __future__ import annotations

import os
import resource
import sys

import msgspec

from benchmarks import parts
from benchmarks.table import Line


def main(part: str, quick: bool) -> None:
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed is no figure
    for line in parts.load(part).lines(quick):
        print(msgspec.json.encode(line).decode(), file=said, flush=True)
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    memory = Line("most memory of a process of this part", peak / 1000, "MB")  # kilobytes, on Linux
    print(msgspec.json.encode(memory).decode(), file=said, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] == ["quick"])
