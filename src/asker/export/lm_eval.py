"""A task folder for lm-evaluation-harness: `lm-eval run --tasks asker_bias --include_path DIR …`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from importlib import resources
from keyword import iskeyword
from pathlib import Path
from typing import Any

import msgspec

from asker.config import Settings
from asker.errors import InputError
from asker.export.rows import question_row, questions_in
from asker.export.tables import write_rows
from asker.types import Plan, Source

TAKEN = ("questions", "process_results", "datasets", "math")  # names of the task's own code
PARTS = ("value", "low", "high", "n", "missing")
TASK = """\
# Written by `asker export --lm-eval`. Content notice: the questions can repeat common prejudices about people.
task: {name}
custom_dataset: !function utils.questions
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: ""
generation_kwargs:
  until: []
  max_gen_toks: {longest}
  do_sample: false
process_results: !function utils.process_results
metric_list:
{metrics}metadata:
  version: {version}
"""
METRIC = """\
  - metric: {name}
    aggregation: !function utils.{name}
    higher_is_better: null
"""


def write_task(settings: Settings, source: Source, plan: Plan, figures: Iterable[str], folder: Path) -> str:
    """The folder's files; the task's name. Figures are the names of the suite's headline."""
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is there already; choose another place for the task")
    folder.mkdir(parents=True, exist_ok=True)
    names = {metric_name(figure, part): (figure, part) for figure in figures for part in PARTS}
    name = f"asker_{settings.suite}"
    kept = {"settings": settings, "data": source.hash}
    (folder / "plan.json").write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1))
    (folder / "data.json").write_bytes(msgspec.json.encode(source))
    write_rows(map(_doc, questions_in(plan)), folder / "questions.jsonl")
    (folder / "utils.py").write_text(_code(names), "utf-8")
    metrics = "".join(METRIC.format(name=one) for one in names)
    task = TASK.format(name=name, longest=settings.max_tokens or 128, metrics=metrics, version=1)
    (folder / f"{name}.yaml").write_text(task, "utf-8")
    return name


def metric_name(figure: str, part: str) -> str:
    """As Python and YAML can spell it: "refused absolute", "low" -> refused_absolute_low."""
    plain = re.sub(r"\W+", "_", figure, flags=re.ASCII).strip("_").lower()
    if not plain.isidentifier() or iskeyword(plain) or plain in TAKEN:  # a user's inventory may have any name
        plain = f"figure_{blake2b(figure.encode(), digest_size=4).hexdigest()}"
    return plain if part == "value" else f"{plain}_{part}"


def _doc(question: Any) -> dict[str, Any]:
    row = question_row(question)
    return {name: row[name] for name in ("id", "language", "kind", "prompt", "group", "other_group")}


def _code(names: dict[str, tuple[str, str]]) -> str:
    ours = (resources.files("asker.export") / "lm_eval_utils.txt").read_text("utf-8")
    return ours + "".join(
        f"{name} = _figure({figure!r}, {part!r}, {name!r})\n" for name, (figure, part) in names.items()
    )
