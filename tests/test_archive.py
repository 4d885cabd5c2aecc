"""A run that goes to storage and comes back is the same run."""

from contextlib import closing

import pytest

from asker.archive import archive, restore
from asker.config import Settings
from asker.errors import InputError
from asker.folder import open_or_make, open_run
from asker.run import ask_run, judge_run, measure_run, plan_for, target_of

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed (extra 'archive')")


@pytest.fixture
def run(tmp_path):
    settings = Settings(
        target="simulated:men.affirm=0.9,refuse=0.1", attributes=("gender",), budget=300, judge="rules",
        out=str(tmp_path / "r"),
    )  # fmt: skip
    dataset, plan = plan_for(settings)
    target = target_of(settings, plan)
    with closing(open_or_make(settings, dataset, plan, target)) as opened:
        ask_run(opened, target, quiet=True)
        judge_run(opened, quiet=True)
        yield opened


def same(one, other):
    judge = one.judge_name
    assert list(one.store.records(judge)) == list(other.store.records(judge))
    assert one.store.counts() == other.store.counts()
    assert one.file.identity == other.file.identity


def test_to_a_folder_and_back_by_the_commands(run, cli):
    url = f"file://{cli.folder}/kept"
    assert "archived at" in cli("export", "r", url).stderr
    cli("restore", url, "--out", "back")
    with closing(open_run(cli.folder / "back")) as back:
        same(run, back)
        assert measure_run(back) == measure_run(run)


def test_what_is_no_archive_or_a_torn_one_is_a_sentence_and_leaves_nothing(run, tmp_path):
    url = f"file://{tmp_path}/kept"
    with pytest.raises(InputError, match=r"no archive\.json"):
        restore(url, tmp_path / "x")
    archive(run, url)
    with pytest.raises(InputError, match="holds an archive already"):
        archive(run, url)
    with pytest.raises(InputError, match="is there already"):
        restore(url, tmp_path / "r")
    part = tmp_path / "kept" / "answers" / "00000.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(InputError, match="cannot read"):
        restore(url, tmp_path / "torn")
    assert not (tmp_path / "torn").exists()


@pytest.fixture
def s3(monkeypatch):
    moto = pytest.importorskip("moto.server", reason="moto is not installed")
    s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem(endpoint_url=f"http://{host}:{port}").mkdir("audits")
    yield "s3://audits/one"
    server.stop()
    s3fs.S3FileSystem.clear_instance_cache()


def test_to_memory_and_to_s3_and_back_in_small_parts(run, tmp_path, s3, monkeypatch):
    monkeypatch.setattr("asker.archive.PART", 100)
    for number, url in enumerate(("memory://audits/one", s3)):
        found = archive(run, url)
        assert found.parts["answers"] == -(-found.answers // 100) > 1
        restore(url, tmp_path / f"back{number}")
        with closing(open_run(tmp_path / f"back{number}")) as back:
            same(run, back)


def test_into_postgres_and_back_out(run, tmp_path, postgres):
    archive(run, "memory://audits/pg1")
    restore("memory://audits/pg1", tmp_path / "there", postgres.url)
    with closing(open_run(tmp_path / "there")) as there:
        same(run, there)
        archive(there, "memory://audits/pg2")
        assert postgres.url.encode() not in fsspec.filesystem("memory").cat_file("audits/pg2/run.json")
    restore("memory://audits/pg2", tmp_path / "back")
    with closing(open_run(tmp_path / "back")) as back:
        same(run, back)


def test_a_kind_of_storage_nobody_knows(run):
    with pytest.raises(InputError, match="cannot use"):
        archive(run, "floppy://a/b")
