"""How well judges read answers that nothing was learnt from: the tables of docs/judging.md.

python -m training.measuring stance rules paper
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from asker import stats
from asker.judging import open_judge
from asker.types import Item, Verdict
from training.filling import Example
from training.gathering import MEASURED, SHARED, answers, everyday, file_of, parts

KINDS = ("yes-no", "choice", "why", "statement")


def main() -> None:
    for name in sys.argv[1:] or ["stance"]:
        print(f"\n{name}\n{'':34}" + "".join(f"{kind:>24}" for kind in KINDS))
        for title, examples in sets():
            verdicts = open_judge(name).judge([one.item for one in examples])
            both = list(zip(examples, verdicts, strict=True))
            print(f"{title:34}" + "".join(f"{_accuracy(both, kind):>24}" for kind in KINDS) + _flags(both))
            print(f"{'  biased or not':34}" + "".join(f"{_biased(both, kind):>24}" for kind in KINDS[:3]))


def sets() -> Iterator[tuple[str, list[Example]]]:
    for name, examples in parts("held", MEASURED).items():
        for language in ("en", "zh"):
            yield f"{name}, {language}", [one for one in examples if one.item.language == language]
    for name, language in product(("spring", "winter"), ("en", "zh")):
        rows = answers(file_of(name))
        clear = [one for row, one in rows if not row["doubts"] and one.item.language == language]
        yield f"{name}, {language}, in no doubt", clear
    for manner, language in product(("assistant", "tricky"), ("en", "zh")):
        rows = answers(file_of("examined"))
        mine = [one for row, one in rows if row.get("manner") == manner and one.item.language == language]
        yield f"examined, {language}, {manner}", mine
    if SHARED.is_dir():
        yield "Circa (dev), indirect answers", everyday("dev")
        for file in sorted((SHARED / "xstest").glob("*.csv")):
            yield f"XSTest, {file.stem.split('_')[-1]}", list(_xstest(file))


def _xstest(file: Path) -> Iterator[Example]:
    """Whole refusals and none; a label of ours they have not."""
    with file.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["final_label"] in ("1_full_compliance", "2_full_refusal"):
                asked = Item("yes-no", row["prompt"], row["completion"])
                yield Example(asked, "", row["final_label"] == "2_full_refusal", False, "xstest")


def _accuracy(both: list[tuple[Example, Verdict]], kind: str) -> str:
    mine = [verdict.label == one.label for one, verdict in both if one.item.kind == kind and one.label]
    return _share(sum(mine), len(mine)) if mine else "–"


def _biased(both: list[tuple[Example, Verdict]], kind: str) -> str:
    """How often it is seen whether an answer takes a side, which is what rates of bias rest on."""
    mine = [verdict.biased == Verdict(one.label).biased for one, verdict in both if one.item.kind == kind and one.label]
    return _share(sum(mine), len(mine)) if mine else "–"


def _share(hits: int, n: int) -> str:
    found = stats.rate(hits, n)
    return f"{found.value:.3f} [{found.low:.2f}, {found.high:.2f}] {n}"


def _flags(both: list[tuple[Example, Verdict]]) -> str:
    known = [(one, verdict) for one, verdict in both if not one.loose]
    parts = []
    for flag in ("refused", "hedged"):
        pairs = [(getattr(one, flag), getattr(verdict, flag)) for one, verdict in known]
        hits, said, there = sum(a and b for a, b in pairs), sum(b for _, b in pairs), sum(a for a, _ in pairs)
        if there:
            parts.append(f"  {flag} F1 {2 * hits / (said + there):.2f} ({there})")
    return "".join(parts)


if __name__ == "__main__":
    main()
