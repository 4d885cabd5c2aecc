"""From a run to its page on disk."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from asker.config import Settings
from asker.errors import StoreError
from asker.judging import open_judge
from asker.report.page import About, render
from asker.types import Report

if TYPE_CHECKING:
    from asker.run import Run

ALWAYS = ("target", "preset", "mode", "seed")
NEVER = ("out", "concurrency", "rate", "timeout", "retries")  # change how fast it goes, not what comes out


def write_page(run: Run, report: Report, judge: str | None = None) -> Path:
    """Draw the report; whoever has the old page open keeps it until the new one is whole."""
    page = run.folder / "report.html"
    fresh = page.with_suffix(".html.new")
    try:
        fresh.write_text(render(report, about(run, judge)), "utf-8")
        os.replace(fresh, page)
    except OSError as error:
        raise StoreError(f"cannot write {page}: {error.strerror}") from error
    return page


def about(run: Run, judge: str | None = None) -> About:
    from asker.run import bot_name, suite_of  # run stands above us; only here do we look up

    file, settings = run.file, run.settings
    reader = open_judge(judge or run.judge_name)
    return About(
        who=bot_name(run),
        target=file.target,
        created=file.created,
        mode=settings.mode,
        mode_about=suite_of(settings).MODES[settings.mode].about,
        preset=settings.preset,
        languages=settings.lang,
        seed=settings.seed,
        samples=settings.samples,
        plan=file.plan,
        formula=file.formula,
        data=file.data,
        versions=file.versions,
        asker=file.asker,
        judge=reader.name,
        judge_version=reader.version,
        answers=run.store.counts(),
        failures=tuple(run.store.failures()),
        command=command_for(settings),
    )


def command_for(settings: Settings) -> str:
    """The command that would make this run again: what was chosen, and what matters most."""
    default = Settings()
    words = ["asker", "run"]
    for name in Settings.__struct_fields__:
        value = getattr(settings, name)
        if name in NEVER or (name not in ALWAYS and value == getattr(default, name)):
            continue
        words += ["--" + name.replace("_", "-"), _word(name, value)]
    return " ".join(words)


def _word(name: str, value: object) -> str:
    text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return shlex.quote(_without_login(text) if name == "base_url" else text)


def _without_login(url: str) -> str:
    """The page is sent around; a name and password in an address should not be."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
