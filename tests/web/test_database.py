"""Pages of a run whose answers are in PostgreSQL: there is no file that would tell that answers came in."""

from contextlib import closing

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

from asker.folder import open_run
from asker.types import Answer
from asker.web.measuring import stamp_of
from webclient import client_for


def test_new_answers_are_noticed(cli, postgres):
    cli("run", "--target", "scripted:Yes.", "--attributes", "gender", "--budget", "60", "--judge", "rules",
        "--out", "runs/far", "--store", postgres.url)  # fmt: skip
    with client_for(cli.folder / "runs") as client, closing(open_run(cli.folder / "runs" / "far")) as run:
        before, stamp = client.get("/api/runs/far").json()["answered"], stamp_of(run)
        question = run.plan.question(next(iter(run.plan.rows())).start)
        run.store.begin()
        run.store.add(Answer(question.id, 9, "key", question.prompt, "No."))
        run.store.end("complete")
        assert client.get("/api/runs/far").json()["answered"] == before + 1
        assert stamp_of(run) != stamp, "the report would not be measured anew"
