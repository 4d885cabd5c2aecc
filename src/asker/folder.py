"""A run's folder: everything about one audit in one place.

    runs/alice-paper-api-1f2e3d4c/
        run.json          what was asked of whom, with which versions, seed and data
        data.json         the groups and properties themselves, or what else its suite asks from
        answers.sqlite    every answer and every verdict, unless --store keeps them elsewhere
        rounds.json       what each round after the first was aimed at, if there is one
        stopping.json     what the last look saw, if asking could stop early
        forgotten.json    when its answers were deleted, if they were
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
from asker.files import written_whole
from asker.judging import open_judge
from asker.stores import kind_of, make_store, open_store
from asker.types import Plan, Source, Target

PACKAGES = ("msgspec", "numpy", "scipy", "pyreqwest", "python-aiml", "nltk", "xllamacpp")
ROUNDS = "rounds.json"
FORGOTTEN = "forgotten.json"
IDENTITY = ("suite", "preset", "mode", "lang", "polarity", "kinds", "budget", "samples", "seed", "slice", "forms",
            "categories", "rules", "logic", "length", "each", "distractors", "wording", "demos")  # fmt: skip
SELECTORS = (
    "data",
    "attributes",
    "groups",
    "properties",
    "controls",
    "inventory",
    "subscales",
    "cases",
)  # what of the data is asked about


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
    def source(self) -> Any:
        return _read_source(self.folder, self.file)

    @cached_property
    def plan(self) -> Any:
        suite = suite_of(self.settings)
        return suite.make_plan(self.source, self.settings, *((self.aims,) if self.aims else ()))

    @cached_property
    def aims(self) -> tuple[Any, ...]:
        """What each round after the first asks about; of most runs there is but one round."""
        file = self.folder / ROUNDS
        if not file.exists():
            return ()
        try:
            rounds = msgspec.json.decode(file.read_bytes())
            return tuple(msgspec.convert(one, suite_of(self.settings).Aim) for one in rounds)
        except (OSError, msgspec.MsgspecError) as error:
            raise InputError(f"cannot read {file}: {error}") from error

    def add_round(self, aim: Any) -> None:
        """Plan another round, after those there are."""
        with writing(self.folder), written_whole(self.folder / ROUNDS, StoreError) as fresh:
            fresh.write_bytes(msgspec.json.encode([*self.aims, aim]))
        del self.aims, self.plan

    @property
    def forgotten(self) -> bool:
        """Whether its answers were deleted (`asker forget`). Verdicts and figures stay."""
        return (self.folder / FORGOTTEN).exists()

    def check_whole(self) -> None:
        if self.forgotten:
            raise InputError(f"the answers of {self.folder} were deleted on request; make a new run instead")

    def check_judged(self, judge: str, *, again: bool) -> None:
        """Of deleted answers only verdicts that are there can be used."""
        if again or not any(label is not None for _, _, label, _, _ in self.store.outcomes(judge)):
            raise InputError(
                f"the answers of {self.folder} were deleted on request, so the judge '{judge}' cannot read them; its "
                f"verdicts by '{self.judge_name}' are still there"
            )

    @property
    def judge_name(self) -> str:
        return self.settings.judge or str(suite_of(self.settings).default_judge(self.settings))

    def close(self) -> None:
        self.store.close()


def suite_of(settings: Settings) -> Any:
    return suite_named(settings.suite)


def suite_named(name: str) -> Any:
    return registry.load("suites", name)


def preset_of(settings: Settings) -> str:
    """How much is asked; "" where the suite has no presets."""
    return settings.preset if "preset" in suite_of(settings).OBEYS else ""


def open_or_make(settings: Settings, source: Source, plan: Plan, target: Target) -> Run:
    """The run these settings name: the one that is there, to go on with, or a new one."""
    kind_of(settings.store)
    open_judge(settings.judge or suite_of(settings).default_judge(settings))  # a wrong name should fail before asking
    identity = _identity(settings, source, target.describe())
    folder = Path(settings.out) if settings.out else Path("runs") / default_name(settings, identity)
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


def is_sweep(folder: Path) -> bool:
    """Whether it holds several runs, one for each variant (sweep/)."""
    return (folder / "sweep.json").is_file()


def open_run(folder: Path) -> Run:
    """A run that is there."""
    if is_sweep(folder):
        inside = ", ".join(sorted(one.parent.name for one in folder.glob("*/run.json")))
        raise InputError(f"{folder} is a sweep of several runs; name one of those in it: {inside}")
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
    chosen = [name for name in SELECTORS if getattr(run.file.settings, name) != getattr(settings, name)]
    if run.file.data["hash"] != source.hash:
        data = f"made from other data (hash {run.file.data['hash']}, this is {source.hash})"
        why = f"made with another {', '.join('--' + name for name in chosen)}" if chosen else data
    elif run.file.target != target.describe():
        why = _other_chatbot(run.file, settings, target.describe())
    else:
        old, new = run.file.settings, settings
        differs = [name for name in IDENTITY if getattr(old, name) != getattr(new, name)]
        why = f"made with another {', '.join(differs)}"
    raise RunMismatch(f"the run in {folder} was {why}. Choose another place with --out, or repeat its settings")


def _other_chatbot(file: RunFile, settings: Settings, now: dict[str, str]) -> str:
    if file.settings.target != settings.target:
        return f"asked another chatbot ({file.settings.target}, not {settings.target})"
    changed = [name for name in {**file.target, **now} if file.target.get(name) != now.get(name)]
    said = {"file": "version of the file", "source": "version of the code"}
    return f"asked with another {', '.join(said.get(name, name) for name in changed)} of {settings.target}"


def _identity(settings: Settings, source: Source, about: dict[str, str]) -> str:
    chosen = {name: getattr(settings, name) for name in IDENTITY}
    content = msgspec.json.encode([chosen, source.hash, about], order="deterministic")
    return blake2b(content, digest_size=8).hexdigest()


def default_name(settings: Settings, identity: str, more: str = "") -> str:
    """What a run is called where --out does not say."""
    bot = "".join(c if c.isascii() and c.isalnum() else "-" for c in settings.target)[:40].strip("-")
    what = preset_of(settings) or settings.suite
    return "-".join(part for part in (bot, what, settings.mode, more, identity[:8]) if part)


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
