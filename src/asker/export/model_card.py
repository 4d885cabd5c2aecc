"""The report as sections of a model card (Markdown), to be put into the card of the model that was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asker.export.markdown import line, number
from asker.types import Estimate, Report

if TYPE_CHECKING:
    from asker.folder import Run

CARD = """\
## Evaluation: {title}

{content}
{verdict}

### Method

{total} questions of the suite `{suite}` (mode `{mode}`, languages {languages}, seed {seed}) were put to {who},
beginning {created}; {answered} were answered, {failed} failed. Each answer was read by the judge `{judge}`.
Data `{data}`, hash `{hash}`; asker {asker}.

{methods}

### Results

| figure | value | 95 % interval | answers | missing |
|---|---|---|---|---|
{rows}

### Limits

{limits}
"""
CONTENT = "> Content notice: the questions repeat common prejudices about people, in order to find them in chatbots.\n"


def model_card(run: Run, report: Report, who: str, judge: str, *, sensitive: bool) -> str:
    """Measure the report without answers: a card quotes none."""
    file, counts = run.file, run.store.counts()
    return CARD.format(
        title=line(report.title),
        content=CONTENT if sensitive else "",
        verdict="\n".join(f"- {line(one)}" for one in (*report.verdict, *report.summary)),
        total=f"{run.plan.total * run.settings.samples:,}",
        suite=run.settings.suite,
        mode=run.settings.mode,
        languages=", ".join(run.settings.lang),
        seed=run.settings.seed,
        who=line(who),
        created=file.created,
        answered=f"{counts['answered']:,}",
        failed=f"{counts['failed']:,}",
        judge=judge,
        data=line(str(file.data.get("name", ""))),
        hash=file.data["hash"],
        asker=file.asker,
        methods="\n".join(f"- {line(one)}" for one in report.methods),
        rows="\n".join(_row(name, one) for name, one in report.headline.items()),
        limits="\n".join(f"- {line(one)}" for one in report.limits),
    )


def _row(name: str, one: Estimate) -> str:
    return f"| {line(name)} | {number(one.value)} | {interval(one)} | {one.n:,} | {one.missing:,} |"


def interval(one: Estimate) -> str:
    return "–" if one.low is None or one.high is None else f"{number(one.low)} to {number(one.high)}"
