"""The JSON in which Lee, Madotto and Fung (2019) published the originals: {"1": {"bias_type": "HS", …}, …}.

Their files end objects with a comma, which JSON does not allow. That is read all the same: it can mean only one thing.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from asker.errors import DataError
from asker.suites.survey.inventory import Inventory, Statement, Subscale
from asker.suites.survey.published import inventories, people_of

LOOKS = 'It should look like {"1": {"bias_type": "HS", "biased_stance": "agree", "prompt_text": "…"}, …}'
FIELDS = ("bias_type", "biased_stance", "prompt_text")
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])')


def read_probes(file: Path, text: str) -> Inventory:
    """An inventory from a file of the authors' form; the two they published are known by their codes."""
    probes = _decode(file, text)
    for key, probe in probes.items():
        _check(file, text, key, probe)
    codes = list(dict.fromkeys(probe["bias_type"].strip() for probe in probes.values()))
    name, known = _known(codes)
    subscales = {code: known.get(code, code) for code in codes}
    rows = inventories().get(name, {})
    low, high = rows.get("scale", (1, 5))
    return Inventory(
        name=re.sub(r"[^\w .-]", "-", file.stem),
        title=str(rows.get("title", file.stem)),
        source=str(rows.get("source", file.name)),
        wording="original",
        scale=(float(low), float(high)),  # as they come back from a run's folder
        subscales=tuple(Subscale(one, one.capitalize()) for one in dict.fromkeys(subscales.values())),
        items=tuple(_statement(key, probe, subscales) for key, probe in probes.items()),
        published=name,
        people=people_of(name),
    )


def without_trailing_commas(text: str) -> str:
    """The same text, of the same length, with a blank for each comma before a closing bracket, outside of strings."""
    return _STRING_OR_COMMA.sub(lambda found: " " if found[0] == "," else found[0], text)


def _decode(file: Path, text: str) -> dict[str, Any]:
    try:
        found = json.loads(without_trailing_commas(text), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise DataError(file, f"this is not JSON: {error.msg}. {LOOKS}", error.lineno) from error
    except (_Twice, RecursionError) as error:
        raise DataError(file, f"{error}. {LOOKS}") from error
    if not isinstance(found, dict) or not found:
        raise DataError(file, f"holds no statements. {LOOKS}", 1)
    return found


class _Twice(ValueError):
    pass


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON would silently keep the last of two statements with one number."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Twice(f"'{twice}' is there twice")
    return found


def _check(file: Path, text: str, key: str, probe: Any) -> None:
    line = _line(text, key)
    if not isinstance(probe, dict):
        raise DataError(file, f"the statement '{key}' should be an object. {LOOKS}", line)
    for field in FIELDS:
        if not isinstance(probe.get(field), str) or not probe[field].strip():
            raise DataError(file, f"the statement '{key}' has no {field}. {LOOKS}", line)
    if probe["biased_stance"] not in ("agree", "disagree"):
        stance = probe["biased_stance"]
        raise DataError(file, f"biased_stance of '{key}' is '{stance}', it should be agree or disagree", line)


def _line(text: str, key: str) -> int | None:
    found = re.search(rf"{re.escape(json.dumps(key))}\s*:", text)
    return text.count("\n", 0, found.start()) + 1 if found else None


def _known(codes: list[str]) -> tuple[str, dict[str, str]]:
    """Which published inventory has subscales of these codes."""
    for name, rows in inventories().items():
        if set(codes) <= set(rows["codes"]):
            return name, dict(rows["codes"])
    return "", {}


def _statement(key: str, probe: dict[str, str], subscales: dict[str, str]) -> Statement:
    stance: Any = probe["biased_stance"]
    text = " ".join(probe["prompt_text"].split())
    return Statement(key, subscales[probe["bias_type"].strip()], stance, {"en": text})
