"""python -m benchmarks [PART …]: speed and memory of one part of the walk, or of all."""

from __future__ import annotations

import sys
from importlib import import_module

PARTS = (
    "starting", "planning", "storing", "asking", "judging", "measuring", "logic", "cases", "auditing", "reporting",
    "serving", "scaling",
)  # fmt: skip

for part in sys.argv[1:] or PARTS:
    print(f"\n{part}")
    for line in import_module(f"benchmarks.{part}").lines():
        print(f"  {line}", flush=True)
