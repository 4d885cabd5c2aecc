"""A run that goes to storage and comes back is the same run."""

import json
from contextlib import closing

import pytest

from asker.archive import archive, restore
from asker.errors import InputError
from asker.folder import open_run

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed (extra 'archive')")
WORDS = ("run", "--target", "simulated:men.affirm=0.9,refuse=0.1", "--attributes", "gender", "--budget", "300",
         "--judge", "rules", "--out", "r")  # fmt: skip


def figures(done):
    found = json.loads(done.stdout)
    return {name: found[name] for name in ("headline", "tables", "answers", "plan")}


def test_to_a_folder_and_back(cli):
    before = figures(cli(*WORDS, "--json"))
    url = f"file://{cli.folder}/kept"
    assert "archived at" in cli("export", "r", url).stderr
    assert "holds an archive already" in cli.error("export", "r", url)
    cli("restore", url, "--out", "back")
    assert figures(cli("report", "back", "--json")) == before
    again = cli("ask", "back")
    assert "0 answers" in again.stderr
    assert "is there already" in cli.error("restore", url, "--out", "back")
    part = cli.folder / "kept" / "answers" / "00000.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    assert "cannot read" in cli.error("restore", url, "--out", "torn")
    assert not (cli.folder / "torn").exists()
    assert "no archive.json" in cli.error("restore", f"file://{cli.folder}/nothing", "--out", "x")


@pytest.fixture
def run(cli):
    cli(*WORDS)
    with closing(open_run(cli.folder / "r")) as opened:
        yield opened


def same(one, other):
    judge = one.judge_name
    assert list(one.store.records(judge)) == list(other.store.records(judge))
    assert one.store.counts() == other.store.counts()
    assert one.file.identity == other.file.identity


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
