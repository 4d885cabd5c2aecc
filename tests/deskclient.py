"""Runs and people for the pages on which people work: made in this process, as starting `asker` takes a second each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from asker.config import resolve
from asker.folder import Run, open_or_make
from asker.run import ask_run, judge_run, plan_for, target_of
from asker.web.login import Door, hashed
from webclient import HOSTILE, Client, client_for

TOKEN = "a-token-drawn-at-random"
PEOPLE = ("ada", "bob", "cyd")


def make_run(folder: Path, target: str, budget: int = 60, **more: Any) -> Path:
    wishes = {"target": target, "attributes": "gender", "budget": budget, "judge": "rules", "out": str(folder)} | more
    settings = resolve({name: str(value) for name, value in wishes.items()})
    source, plan = plan_for(settings)
    chatbot = target_of(settings, plan)
    run: Run = open_or_make(settings, source, plan, chatbot)
    try:
        if not target.startswith("manual"):
            ask_run(run, chatbot, quiet=True)
            judge_run(run, quiet=True)
    finally:
        run.close()
    return folder


def door() -> Door:
    return Door(TOKEN, {})


def signed_in(root: Path, person: str, app: Any = None) -> Client:
    """A client of someone who has signed in; with `app`, of the same server."""
    client = Client(app, base_url="http://127.0.0.1:8765") if app else client_for(root, door=door())
    done = client.fill("/login", {"user": person, "word": TOKEN, "to": "/runs"}, seen="/login")
    assert done.status_code == 303
    return client


__all__ = ["HOSTILE", "PEOPLE", "TOKEN", "door", "hashed", "make_run", "signed_in"]
