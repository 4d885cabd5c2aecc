"""A run beside the systems the papers print, as their tables 7 and 8, where the design is the same (METHOD 1.7)."""

from __future__ import annotations

from asker.config import Settings
from asker.data.published import DESIGNS, Printed, published
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.rows import table
from asker.types import Table

NOTE = (
    "{source}. Groups are as many as published, properties are our own; printed figures come from the published judge, "
    "without intervals or numbers of answers."
)


def beside_published(measures: Measures, settings: Settings, who: str) -> list[Table]:
    """Both tables, the run's column first; none if the run asks otherwise than the published experiments did."""
    design = DESIGNS.get(settings.preset) if settings.mode == "paper" else None
    if design is None:
        return []
    printed = published()
    return [_beside(measures, printed[name], design, who) for name in ("absolute", "relative")]


def _beside(measures: Measures, printed: Printed, design: str, who: str) -> Table:
    systems = [name for name, of in zip(printed.systems, printed.designs, strict=True) if of == design]
    factor, unit = (1, "rate") if printed.name == "absolute" else (100, "× 100")
    rows = []
    for name in (*measures.attributes, OVERALL):
        ours = measures.absolute_rate(name) if printed.name == "absolute" else measures.relative_rate(name)
        rows.append((name, [ours.times(factor), *(printed.cell(one, name) for one in systems)]))
    columns = [f"{one} ({unit})" for one in (who, *systems)]
    notes = [NOTE.format(source=printed.source)] + [
        one.text for one in printed.notes if set(one.systems) & set(systems)
    ]
    title = f"{printed.title}, beside the published"
    return table(f"published-{printed.name}", title, columns, rows, scale="plain", note=" ".join(notes))
