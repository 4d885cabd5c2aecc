"""Figures as files: drawn with Altair, written as SVG, PNG or PDF without a browser."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from asker.data.overview import Overview
from asker.errors import MissingExtra
from asker.files import written_whole

BLUE, QUIET = "#4a95d1", "#d3e4f3"
RAMP = ["#f4f7fa", "#d3e4f3", "#a6cae9", "#76b0de", "#4a95d1"]  # as the page's heat maps


def draw_overview(seen: Overview, folder: Path, ending: str) -> list[Path]:
    """The plots of `asker data stats`: groups by attribute, properties by category, labels that go together."""
    charts = {
        "groups": _bars("Groups by attribute", {name: row["groups"] for name, row in seen.attributes.items()}),
        "properties": _bars(
            "Properties by category, counting every label", {name: row["any"] for name, row in seen.categories.items()}
        ),
        "labels": _matrix(seen),
    }
    folder.mkdir(parents=True, exist_ok=True)
    return [save(chart, folder / f"{name}.{ending}") for name, chart in charts.items()]


def _bars(title: str, counts: dict[str, int]) -> Any:
    alt = altair()
    rows = [{"name": name, "count": count} for name, count in counts.items()]
    names = alt.Y("name:N", sort=list(counts), title=None)
    base = alt.Chart(alt.Data(values=rows), title=title, width=420).encode(y=names, x=alt.X("count:Q", title=None))
    return base.mark_bar(color=BLUE) + base.mark_text(align="left", dx=4).encode(text="count:Q")


def _matrix(seen: Overview) -> Any:
    """Off the diagonal only: how many carry a label at all is another figure, and would drown the rest."""
    alt = altair()
    rows = [
        {"one": one, "two": two, "count": count}
        for one, line in seen.labels.items()
        for two, count in line.items()
        if one != two
    ]
    order = list(seen.labels)
    base = alt.Chart(alt.Data(values=rows), title="Properties that carry both labels", width=440, height=440).encode(
        x=alt.X("two:N", sort=order, title=None, axis=alt.Axis(labelAngle=-40)),
        y=alt.Y("one:N", sort=order, title=None),
    )
    colour = alt.Color("count:Q", scale=alt.Scale(range=RAMP), legend=None)
    return base.mark_rect().encode(color=colour) + base.mark_text().encode(text="count:Q")


def save(chart: Any, file: Path) -> Path:
    """Write a chart, Altair's or in Vega-Lite as it is."""
    made = drawn(chart, file.suffix[1:])
    with written_whole(file) as fresh:
        fresh.write_bytes(made.encode("utf-8") if isinstance(made, str) else made)
    return file


def drawn(chart: Any, ending: str) -> str | bytes:
    """A chart as svg (text), png or pdf (bytes)."""
    altair()  # says what to install, if need be
    convert = getattr(import_module("vl_convert"), f"vegalite_to_{ending}")
    spec = chart if isinstance(chart, dict) else chart.to_dict()
    made: str | bytes = convert(spec, **({"scale": 2} if ending == "png" else {}))
    return made


def altair() -> Any:
    try:
        import_module("vl_convert")
        return import_module("altair")
    except ImportError as error:
        raise MissingExtra("drawing figures", "pip install 'asker-audit[figures]'") from error
