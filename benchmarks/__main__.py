"""python -m benchmarks [PART …] [--quick] [--write]: speed and memory of parts of the walk, or of all, as one table.

Each part runs in a process of its own, so that the most memory it used is its own. --quick takes small sizes, to see
that everything works; its figures say little. --write puts the table of all parts into README.md, if none failed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks import parts
from benchmarks.table import Line, markdown

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- figures: written by make bench -->", "<!-- end of figures -->"


def main() -> int:
    wish = _wish()
    began, load = time.monotonic(), os.getloadavg()[0]
    found = [(part, _run(part, wish.quick)) for part in wish.parts or parts.names()]
    print(f"\n{sum(not line.met for _, lines in found for line in lines)} figures are not as wanted.")
    if failed := [part for part, lines in found if not lines]:
        kept = f"; {README} is left as it was" if wish.write else ""
        print(f"Failed: {', '.join(failed)}{kept}.", file=sys.stderr)
        return 1
    if wish.write:
        _write(markdown(found), load, time.monotonic() - began)
    return 0


def _wish() -> argparse.Namespace:
    reader = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition("\n")[0])
    reader.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts.names()))
    reader.add_argument("--quick", action="store_true", help="small sizes")
    reader.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    wish = reader.parse_args()
    if unknown := set(wish.parts) - set(parts.names()):
        reader.error(f"there is no part '{min(unknown)}'; there are {', '.join(parts.names())}")
    if wish.write and (wish.parts or wish.quick):
        reader.error("--write is for the whole table at full size: leave out the parts and --quick")
    return wish


def _run(part: str, quick: bool) -> list[Line]:
    """The lines of one part, shown as they come. One that fails is said so, and the others go on."""
    print(f"\n{part}", flush=True)
    began, lines = time.monotonic(), []
    command = [sys.executable, "-m", "benchmarks.child", part, *(["quick"] if quick else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for text in child.stdout:
            lines.append(msgspec.convert(json.loads(text), Line))
            print(f"  {lines[-1]}", flush=True)
    print(f"  ({time.monotonic() - began:.0f} s)" if child.returncode == 0 else "  failed: see above", flush=True)
    return lines if child.returncode == 0 else []


def _write(table: str, load: float, took: float) -> None:
    cores = os.cpu_count()
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    about = (
        f"{when}, {cores} cores, Python {platform.python_version()}, load {load:.1f} when it began; "
        f"the whole took {took / 60:.0f} minutes."
    )
    before, _, rest = README.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{BEGIN}\n\n{about}\n\n{table}\n\n{END}{after}", "utf-8")
    print(f"Written to {README}")


if __name__ == "__main__":
    sys.exit(main())
