"""python -m benchmarks [starting|planning|storing|asking|judging|measuring|logic|cases|auditing|reporting|serving|scaling]"""

from __future__ import annotations

import sys
from importlib import import_module

PARTS = (
    "starting",
    "planning",
    "storing",
    "asking",
    "judging",
    "measuring",
    "logic",
    "cases",
    "auditing",
    "reporting",
    "serving",
    "scaling",
)

for part in sys.argv[1:] or PARTS:
    print(f"\n{part}")
    for line in import_module(f"benchmarks.{part}").lines():
        print(f"  {line}", flush=True)
