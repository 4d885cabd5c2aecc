"""A sweep's folder: a run for each variant, and what they share.

runs/openai-m-quick-sound-system-1f2e3d4c/
    sweep.json        which setting varies, and how
    none/             a run like any other
    careful/
    report.html       the page that compares them
"""

from __future__ import annotations

import time
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from asker.config import Settings
from asker.errors import InputError, RunMismatch, StoreError
from asker.files import written_whole
from asker.folder import IDENTITY, default_name, is_sweep
from asker.sweep.variants import Factor, plain

FILE = "sweep.json"


class Kept(Struct, frozen=True):
    """One variant as sweep.json holds it."""

    name: str
    folder: str
    text: str
    value: Any


class SweepFile(Struct, frozen=True, kw_only=True):
    """sweep.json."""

    created: str
    identity: str
    setting: str
    target: str
    suite: str
    command: str
    variants: tuple[Kept, ...]


def place_of(settings: Settings, factor: Factor, data: str) -> Path:
    """Where the sweep of these settings is kept: --out, or a name that follows from plan, target and variants."""
    if settings.out:
        return Path(settings.out)
    return Path("runs") / default_name(settings, identity_of(settings, factor, data), factor.setting)


def identity_of(settings: Settings, factor: Factor, data: str) -> str:
    chosen = {name: getattr(settings, name) for name in (*IDENTITY, "target", "base_url", "system", "opening",
                                                         "temperature", "max_tokens", "conversation")}  # fmt: skip
    variants = [[one.name, plain(one.value)] for one in factor.variants]
    content = msgspec.json.encode([chosen, data, factor.setting, variants], order="deterministic")
    return blake2b(content, digest_size=8).hexdigest()


def open_sweep(folder: Path, settings: Settings, factor: Factor, data: str, command: str) -> SweepFile:
    """The sweep in this folder: the one that is there, if it is the same, or a new one."""
    fresh = _file(settings, factor, identity_of(settings, factor, data), command)
    if is_sweep(folder):
        found = variants_in(folder)
        if found.identity != fresh.identity:
            raise RunMismatch(f"the sweep in {folder} {_why(found, fresh)}. Choose another place with --out")
        return found
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there and is not a sweep; choose another place with --out")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot write to {folder}: {error.strerror}. Choose another place with --out") from error
    with written_whole(folder / FILE, StoreError) as file:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(fresh), indent=2) + b"\n")
    return fresh


def variants_in(folder: Path) -> SweepFile:
    """What a sweep's folder says it holds."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=SweepFile)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"cannot read {folder / FILE}: {error}") from error


def _file(settings: Settings, factor: Factor, identity: str, command: str) -> SweepFile:
    return SweepFile(
        created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        identity=identity,
        setting=factor.setting,
        target=settings.target,
        suite=settings.suite,
        command=command,
        variants=tuple(Kept(one.name, one.folder, one.text, plain(one.value)) for one in factor.variants),
    )


def _why(old: SweepFile, new: SweepFile) -> str:
    if old.setting != new.setting:
        return f"varies {old.setting}, not {new.setting}"
    before, now = ({one.name: one.text for one in file.variants} for file in (old, new))
    changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if changed:
        return f"has other variants: {', '.join(changed)} changed"
    return "asked other questions, or another chatbot"
