"""What `asker.audit` takes by keyword: the settings of `asker run`, typed for editors and type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from asker.config import Settings, resolve
from asker.errors import UnknownName
from asker.types import Kind, Polarity

Names = str | Sequence[str]
"""One name, several as "a,b", or a list of them."""


NOT_OURS = ("target", "out", "sweep")  # given apart; and a sweep is many runs


class Wishes(TypedDict, total=False):
    """The settings of `asker run`, by the same names and with the same defaults."""

    suite: str
    preset: str
    mode: str
    attributes: Names
    groups: Names
    categories: Names
    properties: Names
    lang: Names
    polarity: Polarity | Sequence[Polarity]
    kinds: Kind | Sequence[Kind]
    budget: int
    samples: int
    seed: int
    slice: str
    data: str
    controls: bool
    inventory: Names
    subscales: Names
    forms: Names
    rules: Names
    logic: Names
    length: str
    each: int
    distractors: int
    wording: Names
    demos: str
    cases: str
    rounds: int
    base_url: str
    key_env: str
    system: str
    opening: str | Sequence[Mapping[str, str]]
    temperature: float
    max_tokens: int
    conversation: Literal["fresh", "shared"]
    concurrency: int
    rate: float
    token_rate: float
    minutes: float
    stop_when: str
    max_cost: float
    max_total_tokens: int
    price: str
    cache: str
    timeout: float
    retries: int
    judge: str
    store: str
    engine: str
    address: str
    workers: int
    important: float
    margin: float


def settings_of(wishes: Mapping[str, Any], target: str, out: str) -> Settings:
    """Only what was given counts: neither the environment nor an audit.toml is read."""
    for name in wishes:
        if name not in Settings.__struct_fields__ or name in NOT_OURS:
            known = [one for one in Settings.__struct_fields__ if one not in NOT_OURS]
            raise UnknownName("setting", name, known, "audit()")
    return resolve({**wishes, "target": target, "out": out}, environment={})
