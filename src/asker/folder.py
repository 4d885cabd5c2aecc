"""A run's folder: everything about one audit in one place.

    runs/alice-paper-api-1f2e3d4c/
        run.json          what was asked of whom, with which versions, seed and data
        data.json         the groups and properties themselves, or what else its suite asks from
        answers.sqlite    every answer and every verdict, unless --store keeps them elsewhere
        stopping.json     what the last look saw, if asking could stop early
        report.html       the page

A run is made whole or not at all: its folder is filled beside its place and then moved there.
"""

from __future__ import annotations

import fcntl
import platform
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import shorten
from typing import Any

import msgspec

from asker import __version__, registry
from asker.config import Settings
from asker.errors import AskerError, InputError, RunBusy, RunMismatch, StoreError
from asker.judging import open_judge
from asker.stores import kind_of, make_store, open_store
from asker.types import Plan, Source, Target

PACKAGES = ("msgspec", "numpy", "scipy", "pyreqwest", "python-aiml", "nltk", "xllamacpp")
IDENTITY = ("suite", "preset", "mode", "lang", "polarity", "kinds", "budget", "samples", "seed", "slice", "forms",
            "categories", "rules", "logic", "length", "each", "distractors", "wording", "demos")  # fmt: skip


class RunFile(msgspec.Struct, kw_only=True):
    """run.json: everything needed to say what this run is, and to go on with it."""

    asker: str
    created: str
    identity: str  # hash of plan, target and seed
    settings: Settings
    target: dict[str, str]
    plan: dict[str, int]
    formula: tuple[str, ...]
    data: dict[str, Any]
    versions: dict[str, str]
    store: dict[str, str] = {}  # where the answers are, if not in the folder; never a password


class Run:
    """An opened run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = _read_file(folder)
        self.settings = self.file.settings
        self.store = open_store(folder, self.file.store)

    @cached_property
    def plan(self) -> Any:
        return suite_of(self.settings).make_plan(_read_source(self.folder, self.file), self.settings)

    @property
    def judge_name(self) -> str:
        return self.settings.judge or str(suite_of(self.settings).default_judge(self.settings))

    def close(self) -> None:
        self.store.close()


def suite_of(settings: Settings) -> Any:
    return registry.load("suites", settings.suite)


def preset_of(settings: Settings) -> str:
    """How much is asked; "" where the suite has no presets."""
    return settings.preset if "preset" in suite_of(settings).OBEYS else ""


def open_or_make(settings: Settings, source: Source, plan: Plan, target: Target) -> Run:
    """The run these settings name: the one that is there, to go on with, or a new one."""
    kind_of(settings.store)
    open_judge(settings.judge or suite_of(settings).default_judge(settings))  # a wrong name should fail before asking
    identity = _identity(settings, source, target.describe())
    folder = Path(settings.out) if settings.out else Path("runs") / _name(settings, identity)
    if folder.is_file() or len(folder.name) > 200:
        raise InputError(f"--out {shorten(str(folder), 80)} cannot be a run's folder; choose another place")
    if (folder / "run.json").exists():
        return _go_on(folder, settings, identity, source, target)
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is there and is not a run; choose another place with --out")
    _make(folder, _new_file(settings, identity, source, plan, target.describe()), source)
    return Run(folder)


def make_like(run: Run, settings: Settings) -> Run:
    """A new, empty run over the same data and chatbot, with other settings."""
    source = _read_source(run.folder, run.file)
    plan = suite_of(settings).make_plan(source, settings)
    folder = Path(settings.out or "")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already; choose another place with --out")
    about = run.file.target
    _make(folder, _new_file(settings, _identity(settings, source, about), source, plan, about), source)
    return Run(folder)


def adopt(folder: Path, file: bytes, data: bytes, store: str | None) -> Run:
    """A new, empty run from the two files that say what it is, as an archive has them."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already; choose another place with --out")
    about = msgspec.json.decode(file, type=RunFile)
    settings = msgspec.structs.replace(about.settings, store=store, out=str(folder))
    source = msgspec.json.decode(data, type=suite_of(settings).Source)
    _make(folder, msgspec.structs.replace(about, settings=settings), source)
    return Run(folder)


def open_run(folder: Path) -> Run:
    """A run that is there."""
    if not (folder / "run.json").exists():
        raise InputError(
            f"{folder} is not a run: it has no run.json. Make one with 'asker run', or see the folders in runs/"
        )
    return Run(folder)


def _go_on(folder: Path, settings: Settings, identity: str, source: Source, target: Target) -> Run:
    run = Run(folder)
    if settings.store and settings.store != run.file.store.get("url"):
        run.close()
        kept = run.file.store.get("url") or "its folder"
        raise RunMismatch(
            f"the run in {folder} keeps its answers in {kept}; leave out --store, or choose another --out"
        )
    if run.file.identity == identity:
        run.settings = settings  # how fast to ask and which judge reads may change from session to session
        return run
    run.close()
    if run.file.data["hash"] != source.hash:
        why = f"made from other data (hash {run.file.data['hash']}, this is {source.hash})"
    elif run.file.target != target.describe():
        why = f"asked another chatbot ({run.file.settings.target}, not {settings.target})"
    else:
        old, new = run.file.settings, settings
        differs = [name for name in IDENTITY if getattr(old, name) != getattr(new, name)]
        why = f"made with another {', '.join(differs)}"
    raise RunMismatch(f"the run in {folder} was {why}. Choose another place with --out, or repeat its settings")


def _identity(settings: Settings, source: Source, about: dict[str, str]) -> str:
    chosen = {name: getattr(settings, name) for name in IDENTITY}
    content = msgspec.json.encode([chosen, source.hash, about], order="deterministic")
    return blake2b(content, digest_size=8).hexdigest()


def _name(settings: Settings, identity: str) -> str:
    bot = "".join(c if c.isascii() and c.isalnum() else "-" for c in settings.target)[:40].strip("-")
    what = preset_of(settings) or settings.suite
    return f"{bot}-{what}-{settings.mode}-{identity[:8]}"


def _new_file(settings: Settings, identity: str, source: Source, plan: Plan, target: dict[str, str]) -> RunFile:
    return RunFile(
        asker=__version__,
        created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        identity=identity,
        settings=settings,
        target=target,
        plan={**plan.counts, "total": plan.total},
        formula=tuple(plan.formula),
        data={"name": source.name, "hash": source.hash, **suite_of(settings).size(source)},
        versions=_versions(),
    )


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "system": f"{platform.system()} {platform.machine()}"}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _make(folder: Path, file: RunFile, source: Source) -> None:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise StoreError(
            f"cannot write to {folder.parent}: {error.strerror}. Choose another place with --out"
        ) from error
    try:
        fresh.chmod(0o755)
        (fresh / "data.json").write_bytes(msgspec.json.encode(source))
        whole = msgspec.structs.replace(file, store=make_store(fresh, file.settings.store))
        (fresh / "run.json").write_bytes(msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n")
        fresh.replace(folder)  # takes the place of an empty folder too
    except AskerError:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise StoreError(f"cannot write to {folder}: {error.strerror}. Choose another place with --out") from error


def _read_file(folder: Path) -> RunFile:
    try:
        return msgspec.json.decode((folder / "run.json").read_bytes(), type=RunFile)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"cannot read {folder / 'run.json'}: {error}") from error


def _read_source(folder: Path, file: RunFile) -> Any:
    suite = suite_of(file.settings)
    try:
        source = msgspec.json.decode((folder / "data.json").read_bytes(), type=suite.Source)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"cannot read {folder / 'data.json'}: {error}") from error
    if suite.fingerprint(source) != file.data.get("hash"):
        raise RunMismatch(f"{folder / 'data.json'} was changed since the run was made; its answers no longer fit it")
    return source


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """One writer at a time; a second is told at once rather than left to wait."""
    try:
        lock = (folder / "lock").open("w")
    except OSError as error:
        raise StoreError(f"cannot write to {folder}: {error.strerror}") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RunBusy(f"another process is writing to {folder}. Wait for it, or stop it") from error
        yield
