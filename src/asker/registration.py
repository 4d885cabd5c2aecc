"""Pre-registration: a plan and what one claims of it, hashed before asking and checked after.

    asker plan --register claims.json --claim 'absolute.high <= 0.1' …      before
    asker report RUN --registered claims.json                              after

The file carries a SHA-256 of its content. That finds a careless change; whoever changes the file can also make a new
hash, so publish the fingerprint (a commit, a mail, a time stamp) and give it with --fingerprint.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from asker import __version__
from asker.config import Settings
from asker.errors import InputError
from asker.files import written_whole
from asker.folder import Run, suite_of
from asker.gate.limits import Check, check, parse
from asker.judging import open_judge
from asker.types import Heard, Plan, Report, Source

FREE = ("out", "concurrency", "rate", "token_rate", "minutes", "max_cost", "max_total_tokens", "price", "cache",
        "timeout", "retries", "key_env", "judge")  # fmt: skip
"""Settings that say how fast and where to, not what comes out. The judge is looked at by name and version."""


class Registration(Struct, frozen=True, forbid_unknown_fields=True):
    """What will be asked of whom, how it will be read, and what is claimed."""

    made: str
    asker: str
    settings: dict[str, Any]
    data: str
    questions: dict[str, int]
    judge: str
    judge_version: str
    claims: tuple[str, ...]
    strict: bool = False
    fingerprint: str = ""


class Held(Struct, frozen=True):
    """A run beside its registration."""

    fingerprint: str
    made: str
    changed: tuple[str, ...]  # where the run is not what was registered
    claims: tuple[Check, ...]

    @property
    def kept(self) -> bool:
        return not self.changed and all(one.result == "kept" for one in self.claims)


def register(
    settings: Settings, source: Source, plan: Plan, claims: Sequence[str], *, strict: bool = False
) -> Registration:
    """The registration of a plan. Claims are rules as `asker gate` reads them."""
    judge = settings.judge or str(suite_of(settings).default_judge(settings))
    if claims:  # a claim about a figure that will not be there should fail now
        nothing = Heard(rows=(), record=lambda *_: None, who="", commonest=lambda _: None)
        check(claims, suite_of(settings).measure(plan, nothing, settings))
    made = Registration(
        made=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        asker=__version__,
        settings=_told(settings),
        data=source.hash,
        questions={**plan.counts, "total": plan.total},
        judge=judge,
        judge_version=open_judge(judge).version,
        claims=tuple(parse(claim).text for claim in claims),
        strict=strict,
    )
    return structs.replace(made, fingerprint=_hash(made))


def write(made: Registration, file: Path) -> None:
    if file.exists():
        raise InputError(f"{file} is there already: a registration is not replaced; choose another name")
    with written_whole(file) as fresh:
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")


def read(file: Path, fingerprint: str | None = None) -> Registration:
    """The registration in a file, if it is what it was."""
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Registration)
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(f"{file} cannot be read as a registration: {error}") from error
    if _hash(found) != found.fingerprint:
        raise InputError(f"{file} was changed after it was made: its content does not fit its fingerprint")
    if fingerprint is not None and (len(fingerprint) < 8 or not found.fingerprint.startswith(fingerprint.lower())):
        raise InputError(
            f"{file} is not the registration with the fingerprint {fingerprint}: its own is {found.fingerprint}"
        )
    return found


def held(found: Registration, run: Run, report: Report, judge: str | None = None) -> Held:
    """What of the registration the run kept."""
    checks = check(found.claims, report, strict=found.strict) if found.claims else []
    return Held(found.fingerprint, found.made, tuple(_changes(found, run, judge or run.judge_name)), tuple(checks))


def lines(result: Held) -> list[str]:
    """In words, for the page and the terminal."""
    first = f"Registered on {result.made}, fingerprint {result.fingerprint[:16]}"
    plan = "; ".join(result.changed) if result.changed else "what was registered is what was asked, read and measured"
    said = {"kept": "held", "broken": "did not hold", "no data": "could not be tested"}
    claims = [f"Claim “{one.rule}” {said[one.result]}: {one.why}." for one in result.claims]
    return [f"{first}: {plan}.", *(claims or ["No claim was registered."])]


def with_registration(report: Report, result: Held) -> Report:
    """The report with what was registered and what became of it."""
    return structs.replace(report, summary=(*report.summary, *lines(result)))


def _changes(found: Registration, run: Run, judge: str) -> Iterable[str]:
    now = _told(run.file.settings)
    for name in sorted({*found.settings, *now}):
        if found.settings.get(name) != now.get(name):
            yield f"{name} was {now.get(name)!r}, registered was {found.settings.get(name)!r}"
    if run.file.data["hash"] != found.data:
        yield f"the data had the hash {run.file.data['hash']}, registered was {found.data}"
    if (judge, open_judge(judge).version) != (found.judge, found.judge_version):
        yield f"the judge was {judge} {open_judge(judge).version}, registered was {found.judge} {found.judge_version}"
    if run.file.asker != found.asker:
        yield f"asked by asker {run.file.asker}, registered by {found.asker}"
    if run.file.created < found.made:
        yield f"the run was begun on {run.file.created}, before it was registered"
    yield from _gaps(run)


def _gaps(run: Run) -> Iterable[str]:
    counts, planned = run.store.counts(), run.plan.total * run.settings.samples
    missing = planned - counts["answered"]
    if missing and not run.file.settings.stop_when:
        yield f"{missing:,} of {planned:,} planned answers are missing"


def _told(settings: Settings) -> dict[str, Any]:
    """What comes out depends on these, as plain values, only those that differ from the defaults."""
    plain, chosen = (msgspec.json.decode(msgspec.json.encode(one)) for one in (Settings(), settings))
    return {name: value for name, value in chosen.items() if name not in FREE and value != plain[name]}


def _hash(made: Registration) -> str:
    return sha256(msgspec.json.encode(structs.replace(made, fingerprint=""), order="deterministic")).hexdigest()
