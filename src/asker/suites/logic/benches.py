"""Files of cases opened: one JSON object on a line, a list of them, or LogicBench's objects with many in each.

LogicBench has a rule, samples and, in each, either pairs of question and answer or one question with choices. A
choice becomes a case of its own: whether it follows, "yes" for the right one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from asker.errors import InputError

Placed = tuple[str, Any]  # file and line or place, and what stands there: an object, or why it cannot be read
ENDINGS = (".json", ".jsonl", ".ndjson")


def opened(path: Path) -> Iterator[Placed]:
    """Every object of a file, or of all files in a folder, in order of their names."""
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.suffix in ENDINGS and one.is_file())
        if not files:
            raise InputError(f"--cases {path} is a folder without {', '.join(ENDINGS)} files")
        for file in files:
            yield from _file(file, str(file.relative_to(path)))
    else:
        yield from _file(path, path.name)


def _file(file: Path, name: str) -> Iterator[Placed]:
    try:
        content = file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise InputError(f"cannot read --cases {file}: {error.strerror}") from error
    try:
        whole = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        yield from _lines(content, name)  # not one JSON: then one on each line
        return
    for number, one in enumerate(whole if isinstance(whole, list) else [whole], 1):
        place = f"{name}, case {number}" if isinstance(whole, list) else name
        yield from _unpacked(place, one)


def _lines(content: bytes, name: str) -> Iterator[Placed]:
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip():
            try:
                yield from _unpacked(f"{name}, line {number}", msgspec.json.decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                yield f"{name}, line {number}", error


def _unpacked(place: str, one: Any) -> Iterator[Placed]:
    """A sample of LogicBench holds several cases; anything else is one."""
    samples = one.get("samples", one.get("data_samples")) if isinstance(one, dict) else None
    if not isinstance(samples, list):
        yield place, one
        return
    strata = {"rule": one.get("axiom", "unknown"), "logic": _logic(str(one.get("type", "")))}
    for sample in samples:
        if not isinstance(sample, dict):
            yield f"{place}, samples", sample
            continue
        inner = f"{place}, sample {sample.get('id', '?')}"
        yield from ((inner, strata | fields) for fields in _sample(sample))


def _sample(sample: dict[str, Any]) -> Iterator[dict[str, Any]]:
    context = {"context": sample.get("context", "")}
    if isinstance(sample.get("qa_pairs"), list):
        for pair in sample["qa_pairs"]:
            yield context | (pair if isinstance(pair, dict) else {})
    elif isinstance(sample.get("choices"), dict):
        for name, choice in sample["choices"].items():
            label = "yes" if name == sample.get("answer") else "no"
            wrong = {"label": f"{sample.get('answer')}"} if sample.get("answer") not in sample["choices"] else {}
            yield context | {"statement": choice, "label": label} | wrong
    else:
        yield context | {name: sample[name] for name in ("question", "answer", "label") if name in sample}


def _logic(kind: str) -> str:
    return {"propositional_logic": "propositional", "first_order_logic": "predicate"}.get(kind, kind or "unknown")
