"""The plan of a task, from the settings that stand in Inspect's log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from asker.api.hosted import Hosted
from asker.config import Settings, resolve
from asker.errors import InputError, UnknownName


def settings_for(suite: str, given: Mapping[str, Any], not_ours: Iterable[str]) -> dict[str, Any]:
    """The settings of a task as plain values, only those that differ from the defaults."""
    for name in given:
        if name in (*not_ours, "target", "out"):
            raise InputError(f"-T {name} is nothing to this task: Inspect does the asking and has its own flags for it")
        if name not in Settings.__struct_fields__ or name == "suite":
            known = set(Settings.__struct_fields__) - {*not_ours, "target", "out", "suite"}
            raise UnknownName("setting", name, known, "-T")
    chosen = msgspec.to_builtins(resolve({**given, "suite": suite}, environment={}))
    plain = msgspec.to_builtins(Settings())
    return {"suite": suite} | {name: value for name, value in chosen.items() if value != plain[name]}


def planned(settings: Mapping[str, Any]) -> Hosted:
    """The plan these settings describe; the same settings are planned once."""
    return _planned(msgspec.json.encode(settings, order="sorted"))


@lru_cache(maxsize=4)
def _planned(settings: bytes) -> Hosted:
    return Hosted.of(msgspec.json.decode(settings))
