"""A worker of the Ray engine and what calls it, with a real database and a real chatbot but without a cluster."""

from contextlib import closing
from types import SimpleNamespace

import pytest

from asker.config import Settings
from asker.errors import AskerError
from asker.folder import open_or_make
from asker.judging import judge, open_judge
from asker.plan import content_key
from asker.run import judge_run, plan_for, target_of
from asker.types import Answer

pytest.importorskip("ray", reason="ray is not installed (extra 'ray')")

from asker.engines import _worker
from asker.engines import ray as engine


@pytest.fixture
def run(tmp_path, postgres):
    settings = Settings(target="scripted:Yes.", store=postgres.url, engine="ray", judge="rules", budget=60,
                        out=str(tmp_path / "r"))  # fmt: skip
    source, plan = plan_for(settings)
    with closing(open_or_make(settings, source, plan, target_of(settings, plan))) as made:
        yield made


class Hub:
    """Gives slices to one worker, and answers at once where Ray's would answer later."""

    def __init__(self, slices):
        self._slices = iter(slices)
        self.told = None
        self.next = SimpleNamespace(remote=lambda *_: next(self._slices, None))
        self.tell = SimpleNamespace(remote=self._tell)

    def _tell(self, name, told):
        self.told = told


def test_a_worker_loads_its_chatbot_once_for_all_its_slices(run, monkeypatch):
    """So a model (`hf:`, `smollm2`) is read from disk once by each worker."""
    loaded = []
    monkeypatch.setattr(_worker, "target_of", lambda *given: loaded.append(1) or target_of(*given))
    monkeypatch.setattr(_worker, "ray", SimpleNamespace(get=lambda one: one, wait=lambda some, timeout: (some, [])))
    run.store.begin()
    hub = Hub((False, ((row.start, row.stop),)) for row in run.plan.rows())
    job = engine._job(run, run.store.session, run.file.target)
    outcome = _worker.Worker("w1", job, engine._source(run), hub).run()
    run.store.end("complete")
    assert (outcome.ended, outcome.answered, hub.told.answered) == ("complete", run.plan.total, run.plan.total)
    assert len(list(run.plan.rows())) > 1
    assert len(loaded) == 1


def test_a_worker_asks_again_only_what_failed_before(run, monkeypatch):
    """Slices of the second pass come while answers of the first are on their way to the database."""
    monkeypatch.setattr(_worker, "ray", SimpleNamespace(get=lambda one: one, wait=lambda some, timeout: (some, [])))
    rows = [(row.start, row.stop) for row in run.plan.rows()]
    run.store.begin()
    failed = run.plan.question(rows[0][0])
    run.store.add(Answer(failed.id, 0, content_key(failed), failed.prompt, None, "down", 1.0))
    run.store.end("complete")
    run.store.begin()
    hub = Hub((again, (row,)) for again in (False, True) for row in rows)
    job = engine._job(run, run.store.session, run.file.target)
    outcome = _worker.Worker("w1", job, engine._source(run), hub).run()
    run.store.end("complete")
    assert (outcome.answered, run.store.counts()["failed"]) == (run.plan.total, 0)


def no_cluster(*_, **__):
    raise RuntimeError("a cluster was started")


def test_no_cluster_is_started_to_judge_nothing(run, monkeypatch):
    monkeypatch.setattr(engine.ray, "init", no_cluster)
    assert judge_run(run, quiet=True) == 0
    question = run.plan.question(next(iter(run.plan.rows())).start)
    run.store.begin()
    run.store.add(Answer(question.id, 0, "key", question.prompt, "Yes."))
    run.store.end("complete")
    with pytest.raises(AskerError, match="a cluster was started"):
        judge_run(run, quiet=True)
    assert judge(run.plan, run.store, open_judge("rules"), quiet=True) == 1
    assert judge_run(run, quiet=True) == 0
