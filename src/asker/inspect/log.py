"""A log of Inspect AI as a run: `asker import inspect LOG.eval --out RUN`.

A log of our own tasks says itself which plan it followed. One of another task needs a map: where in a sample question
and answer stand, and the settings of the plan whose questions these are; what is not in the plan is left aside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from msgspec import Struct, structs

from asker.config import Settings, read_toml, resolve
from asker.errors import InputError, RunMismatch
from asker.export.rows import questions_in
from asker.folder import Run, open_or_make, writing
from asker.plan import content_key
from asker.run import plan_for
from asker.types import Answer, Question


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """Where things are in a sample of another task, as dotted paths, and which plan its questions are from."""

    question: str = "input"
    answer: str = "output.completion"
    settings: dict[str, Any] = {}


class Imported(Struct, frozen=True):
    """What became of the samples of a log."""

    answers: int
    failed: int
    strangers: int  # samples whose question is not in the plan
    gaps: int  # questions of the plan without an answer


class _Logged:
    """The model as the log describes it. It is not asked."""

    parallel = False

    def __init__(self, log: EvalLog) -> None:
        config = log.eval.model_generate_config
        wishes = {"temperature": config.temperature, "max_tokens": config.max_tokens, "system": config.system_message}
        model = log.eval.model
        self._about = {"kind": "inspect", "name": model.rpartition("/")[2], "model": model, "conversation": "fresh"}
        self._about |= {"url": log.eval.model_base_url} if log.eval.model_base_url else {}
        self._about |= {name: str(value) for name, value in wishes.items() if value is not None}
        self._about |= {"log": log.eval.eval_id}

    def describe(self) -> dict[str, str]:
        return self._about

    async def ask(self, prompt: str, *, seed: int) -> Any:
        raise NotImplementedError

    async def close(self) -> None:
        pass


def read_map(file: Path) -> Map:
    try:
        return msgspec.convert(read_toml(file), Map)
    except msgspec.ValidationError as error:
        raise InputError(f"{file}: {error}. It has question, answer and [settings]; see docs/ecosystem.md") from error


def import_log(file: Path, out: Path, places: Map | None = None) -> tuple[Run, Imported]:
    """A run with the answers of the log, not yet judged. The caller closes it."""
    log = _read(file)
    ours = {} if places else dict((log.eval.metadata or {}).get("asker", {}))
    places, settings = _plan_of(log, places, file)
    epochs = max((sample.epoch for sample in log.samples or ()), default=1)
    settings = structs.replace(
        settings, target=f"inspect:{log.eval.model}", out=str(out), samples=max(settings.samples, epochs)
    )
    source, plan = plan_for(settings)
    if ours.get("data", source.hash) != source.hash:
        raise RunMismatch(
            f"{file} was asked from other data (hash {ours['data']}, this is {source.hash}); use the version of asker "
            f"that made it, {ours.get('asker')}, and put a data set of your own where it was"
        )
    run = open_or_make(settings, source, plan, _Logged(log))
    try:
        with writing(run.folder):
            return run, _take(run, log, places)
    except BaseException:
        run.close()
        raise


def _read(file: Path) -> EvalLog:
    if not file.is_file():
        raise InputError(f"there is no log {file}; Inspect writes them into logs/ as .eval or .json")
    try:
        return read_eval_log(str(file), resolve_attachments=True)
    except Exception as error:  # whatever a damaged archive or another format raises
        raise InputError(f"{file} cannot be read as a log of Inspect: {str(error)[:200]}") from error


def _plan_of(log: EvalLog, places: Map | None, file: Path) -> tuple[Map, Settings]:
    ours = (log.eval.metadata or {}).get("asker")
    if places is not None:
        return places, resolve(places.settings, environment={})
    if not isinstance(ours, Mapping) or "settings" not in ours:
        raise InputError(
            f"{file} is of the task '{log.eval.task}', which is not ours: say with --map FILE.toml where its questions "
            "and answers stand and which plan they are from; see docs/ecosystem.md"
        )
    try:
        return Map(), msgspec.convert(ours["settings"], Settings)
    except msgspec.ValidationError as error:
        raise InputError(f"{file} was written by another version of asker: {error}") from error


def _take(run: Run, log: EvalLog, places: Map) -> Imported:
    by_prompt: dict[str, list[Question]] = {}
    for question in questions_in(run.plan):  # two properties may be worded alike: one answer is for both
        by_prompt.setdefault(_plain(question.prompt), []).append(question)
    strangers = 0
    run.store.begin()
    try:
        for sample in log.samples or ():
            found = _questions(sample, by_prompt, places)
            strangers += not found
            for answer in _answers(sample, found, places):
                run.store.add(answer)
    finally:
        run.store.end("imported")
    counts = run.store.counts()
    gaps = run.plan.total * run.settings.samples - counts["answered"]
    return Imported(counts["answered"], counts["failed"], strangers, gaps)


def _questions(sample: EvalSample, by_prompt: dict[str, list[Question]], places: Map) -> list[Question]:
    """Those with this wording; where ids tell twins apart, as in our own tasks, only the one that was asked."""
    found = by_prompt.get(_plain(_text(_at(sample, places.question))), [])
    return [one for one in found if one.id == sample.id] or found


def _answers(sample: EvalSample, questions: list[Question], places: Map) -> Iterator[Answer]:
    text, error = _said(sample, places)
    usage = sample.output.usage
    for question in questions:
        yield Answer(
            question=question.id,
            sample=sample.epoch - 1,
            key=content_key(question),
            prompt=question.prompt,
            text=text,
            error=error,
            asked_at=_moment(sample.started_at),
            seconds=sample.total_time or 0.0,
            tokens_in=usage.input_tokens if usage else None,
            tokens_out=usage.output_tokens if usage else None,
        )


def _said(sample: EvalSample, places: Map) -> tuple[str | None, str | None]:
    """Text or error, never both. What a filter kept back is no answer."""
    if sample.error is not None:
        return None, sample.error.message or "the sample failed in Inspect"
    if sample.output.stop_reason == "content_filter":
        return None, "the provider's content filter kept the answer back"
    answer = _at(sample, places.answer)
    return (None, f"the log has no {places.answer}") if answer is None else (_text(answer), None)


def _at(sample: EvalSample, path: str) -> Any:
    """What stands at a dotted path of a sample; None if nothing does."""
    found: Any = sample
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else getattr(found, part, None)
    return found


def _text(found: Any) -> str:
    """A text as it is; of a conversation what the user said last."""
    if isinstance(found, list):
        return next((one.text for one in reversed(found) if getattr(one, "role", "") == "user"), "")
    return found if isinstance(found, str) else "" if found is None else str(found)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _moment(written: str | None) -> float:
    return datetime.fromisoformat(written).timestamp() if written else 0.0
