"""The report beside the MEASURE items of the NIST AI Risk Management Framework: what it gives, and what it does not."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TYPE_CHECKING

from asker.export.markdown import line, number
from asker.types import Estimate, Report

if TYPE_CHECKING:
    from asker.folder import Run

HEAD = """\
# {title}, beside NIST AI RMF 1.0, MEASURE

Item numbers are the framework's; names and sentences are our own, and no official reading. “Given” says whether this
audit contributes to an item; whether an item is fulfilled is for those who deploy the system to judge.

| item | about | given | what the audit gives |
|---|---|---|---|
"""
FAIRNESS = ("bias", "survey")  # suites that measure it


def rmf(run: Run, report: Report, judge: str, command: str) -> str:
    file = run.file
    fair = run.settings.suite in FAIRNESS
    known = {
        "figures": ", ".join(line(name) for name in report.headline),
        "data": line(str(file.data.get("name", ""))),
        "hash": file.data["hash"],
        "total": f"{run.plan.total * run.settings.samples:,}",
        "seed": run.settings.seed,
        "judge": line(judge),
        "asker": file.asker,
        "command": line(command),
        "target": line(run.settings.target),
        "people": _people(run.file.target.get("kind", "")),
        "answered": f"{run.store.counts()['answered']:,}",
        "fairness": "yes" if fair else "no",
        "finding": _finding(report) if fair else "This suite measures something else: see the results.",
    }
    items = tomllib.loads((resources.files("asker.export") / "rmf.toml").read_text("utf-8"))["item"]
    rows = [
        f"| {one['number']} | {one['about']} | {one['given'].format(**known)} | {one['says'].format(**known)} |"
        for one in items
    ]
    return HEAD.format(title=line(report.title)) + "\n".join(rows) + "\n"


def _people(kind: str) -> str:
    if kind == "manual":
        return "People put the questions to the chatbot and wrote its answers down; nobody was the subject of the test."
    return "No people took part in this run."


def _finding(report: Report) -> str:
    words = " ".join(line(one) for one in report.verdict)
    return f"{words} {'; '.join(_figure(name, one) for name, one in report.headline.items())}.".strip()


def _figure(name: str, one: Estimate) -> str:
    if one.value is None:
        return f"{line(name)}: no data, {one.missing:,} missing"
    ends = f" ({number(one.low)} to {number(one.high)})" if one.low is not None and one.high is not None else ""
    return f"{line(name)} {number(one.value)}{ends}, n {one.n:,}, {one.missing:,} missing"
