"""A target asked prompts outside of any run, by the engine that asks plans: many at once, at the pace that was set,
with retries, a limit on cost, and a cache, so that the same prompt is paid for once.

A model that judges is handed one of these. The environment sets it up, by the names of `asker run` with JUDGE in them:
ASKER_JUDGE_BASE_URL, ASKER_JUDGE_CONCURRENCY, ASKER_JUDGE_MAX_COST, ASKER_JUDGE_CACHE, …
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, structs

from asker import registry
from asker.asking.cache import AnswerCache
from asker.asking.pacing import Limits
from asker.asking.session import ask
from asker.asking.spending import Purse, price_of
from asker.config import PREFIX, Settings, resolve
from asker.errors import InputError, TargetUnusable
from asker.targets import Options, open_target
from asker.types import Answer, Item, Question, Target

JUDGE = f"{PREFIX}JUDGE_"


class Consultant:
    """Answers prompts in order. Opening one asks nothing, but finds out whether it could."""

    def __init__(self, spec: str, environment: Mapping[str, str] | None = None) -> None:
        environment = os.environ if environment is None else environment
        self._spec, self._settings = spec, _settings(environment)
        self._options = _options(spec, self._settings)
        self._cache = Path(self._settings.cache) if self._settings.cache else _usual_cache(environment)
        self._purse = _purse(spec, self._settings)
        self.about = self._open().describe()

    def ask(self, prompts: Sequence[str]) -> list[Answer]:
        """An answer or an error for each. Raises when the chatbot as a whole cannot be asked."""
        sheet, desk = _Sheet(prompts), _Desk()
        if sheet.total:
            self._fill(sheet, desk)
        return [desk.answers[sheet.places[prompt]] for prompt in prompts]

    def _fill(self, sheet: _Sheet, desk: _Desk) -> None:
        # The engine closes target and cache when it is done, so each time has its own.
        target, cache = self._open(), AnswerCache(self._cache, self.about)
        limits, seed = _limits(self._settings), self._settings.seed
        outcome = ask(sheet, target, desk, limits, seed=seed, purse=self._purse, cache=cache, quiet=True)
        if outcome.ended == "stopped":
            raise KeyboardInterrupt
        if outcome.ended != "complete":
            kept = "What it has replied is kept and will not be asked for again"
            raise TargetUnusable(f"the judging model '{self._spec}' cannot go on ({outcome.reason}). {kept}")

    def _open(self) -> Target:
        try:
            return self._opened()
        except InputError as error:
            how = f"For a model that judges, set flags in the environment: --base-url is {JUDGE}BASE_URL"
            raise InputError(f"{error}. {how}") from error

    def _opened(self) -> Target:
        try:
            return open_target(self._spec, self._options)
        except InputError as error:
            if self._settings.temperature is not None or "--temperature" not in str(error):
                raise
            # To be cold was our wish, nobody else's, and this chatbot has no place for it.
            self._options = structs.replace(self._options, temperature=None)
            return open_target(self._spec, self._options)


class _Nothing(Struct, frozen=True):
    """A prompt has no facets."""


class _Sheet:
    """The prompts as the engine wants them: a plan of one row."""

    formula: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    about = "prompts outside of any run"

    def __init__(self, prompts: Sequence[str]) -> None:
        self.places = {prompt: place for place, prompt in enumerate(dict.fromkeys(prompts))}
        self.total = self.whole = len(self.places)
        self.counts = {"prompts": self.total}

    def rows(self) -> Iterator[range]:
        yield range(self.total)

    def row_of(self, index: int) -> range:
        return range(index, index + 1)  # they have nothing to do with each other: ten failures in a row are a pattern

    def questions(self, row: range) -> list[Question]:
        return [Question(place, prompt, "statement", "", (), _Nothing()) for prompt, place in self.places.items()]

    def item(self, question: Question, answer: str) -> Item:
        return Item(question.kind, question.prompt, answer)


class _Desk:
    """A store that lives as long as the asking does; the cache is what stays."""

    def __init__(self) -> None:
        self.answers: dict[int, Answer] = {}

    def begin(self) -> int:
        return 0

    def end(self, how: str) -> None:
        pass

    def starting(self, question: int, sample: int) -> None:
        pass

    def not_sent(self, question: int, sample: int) -> None:
        pass

    def add(self, answer: Answer) -> None:
        self.answers[answer.question] = answer

    def answered(self, row: range, sample: int, *, failed_too: bool = False) -> set[int]:
        return set(self.answers)

    def counts(self) -> dict[str, int]:
        return {"answered": 0, "failed": 0}


def _settings(environment: Mapping[str, str]) -> Settings:
    """The settings of a run, of which only whom and how matter here."""
    given = {name.replace(JUDGE, PREFIX, 1): value for name, value in environment.items() if name.startswith(JUDGE)}
    try:
        return resolve({}, None, given)
    except InputError as error:
        raise InputError(str(error).replace(f"in {PREFIX}", f"in {JUDGE}")) from error


def _options(spec: str, settings: Settings) -> Options:
    """Without luck where the target can do without: a judge should say the same twice."""
    can_be_cold = "temperature" in getattr(registry.load("targets", spec.partition(":")[0]), "OBEYS", ())
    temperature = 0.0 if settings.temperature is None and can_be_cold else settings.temperature
    return Options(
        settings.base_url, settings.key_env, settings.system, settings.opening, temperature, settings.max_tokens
    )


def _limits(settings: Settings) -> Limits:
    return Limits(settings.concurrency, settings.rate, settings.token_rate, settings.timeout, settings.retries)


def _purse(spec: str, settings: Settings) -> Purse:
    return Purse(
        most_tokens=settings.max_total_tokens,
        most_money=settings.max_cost,
        price=price_of(spec, settings.price),
        longest_answer=settings.max_tokens,
        around=len((settings.system or "").encode()),
    )


def _usual_cache(environment: Mapping[str, str]) -> Path:
    home = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "asker" / "judged.cache"
