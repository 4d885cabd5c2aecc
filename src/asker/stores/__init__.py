"""Where answers and verdicts are kept, one file per kind of store.

A store's module has `make(folder, url)`, which prepares an empty one and tells where it is, for run.json, and
`create(folder, about)`, which opens it from that. Without --store it is a file in the run's folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from asker import registry
from asker.errors import InputError

SCHEMES = {"postgresql": "postgres", "postgres": "postgres"}


def make_store(folder: Path, url: str | None) -> dict[str, str]:
    """An empty store, and where it is. Nothing secret is in that."""
    return cast(dict[str, str], registry.load("stores", kind_of(url)).make(folder, url or ""))


def open_store(folder: Path, about: dict[str, str]) -> Any:
    """The store of the run in this folder."""
    return registry.load("stores", about.get("kind", "sqlite")).create(folder, about)


def kind_of(url: str | None) -> str:
    if not url:
        return "sqlite"
    scheme, colon, _ = url.partition("://")
    if not colon or scheme not in SCHEMES:
        raise InputError(
            f"--store '{url}' should be postgresql://USER@HOST/DATABASE; leave it out for a file in the run's folder"
        )
    return SCHEMES[scheme]
