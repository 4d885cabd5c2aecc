"""Questions in the formats that other tools read. Answers they collect come back with `asker judge --file`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from asker.errors import InputError
from asker.export.rows import question_row, questions_in
from asker.files import written_whole
from asker.types import Plan, Question

ENDINGS = {"promptfoo": (".yaml", ".yml", ".json"), "deepeval": (".json",), "langfair": (".json",)}


def write_for(tool: str, plan: Plan, file: Path) -> int:
    """All questions of the plan as one file for the tool; how many they are."""
    if file.suffix not in ENDINGS[tool]:
        raise InputError(f"{tool} reads {' or '.join(ENDINGS[tool])}: {file} should end so")
    made = {"promptfoo": _promptfoo, "deepeval": _deepeval, "langfair": _langfair}[tool](plan)
    with written_whole(file) as fresh:
        # JSON is YAML too: one way of writing, and no second library.
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
    return plan.total


def _about(question: Question) -> dict[str, Any]:
    row = question_row(question)
    return {name: value for name, value in row.items() if name != "prompt" and value is not None}


def _promptfoo(plan: Plan) -> dict[str, Any]:
    """A whole configuration; `echo` stands where the provider to test belongs."""
    tests = [{"vars": {"question": one.prompt}, "metadata": _about(one)} for one in questions_in(plan)]
    return {
        "description": "Questions planned by asker",
        "prompts": ["{{question}}"],
        "providers": ["echo"],
        "tests": tests,
    }


def _deepeval(plan: Plan) -> list[dict[str, Any]]:
    """Goldens, for EvaluationDataset.add_goldens_from_json_file."""
    return [{"input": one.prompt, "additional_metadata": _about(one)} for one in questions_in(plan)]


def _langfair(plan: Plan) -> dict[str, Any]:
    """`prompts`, and for each attribute the questions about one group, side by side with the same about the others."""
    beside: dict[str, dict[str, list[str]]] = {}
    for attribute, prompts in _rows(plan):
        columns = beside.setdefault(attribute, {})
        for group, prompt in prompts.items():
            columns.setdefault(f"{group}_prompt", []).append(prompt)
    return {"prompts": [one.prompt for one in questions_in(plan)], "counterfactual": beside}


def _rows(plan: Plan) -> Iterator[tuple[str, dict[str, str]]]:
    """Questions that differ only in the group, by group. Those that compare groups have no such company."""
    for row in plan.rows():
        found: dict[str, dict[str, str]] = {}
        for question in plan.questions(row):
            about = question_row(question)
            if about["group"] and not about["other_group"]:
                found.setdefault(str(about.get("attribute", "")), {})[about["group"]] = question.prompt
        yield from found.items()
