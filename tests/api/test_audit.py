"""The house from Python: audits of functions, runs as frames, figures that show themselves."""

import asyncio
import subprocess
import sys
import typing
from pathlib import Path

import polars as pl
import pytest

import asker
from asker.api import figures as showing
from asker.api.wishes import NOT_OURS, Wishes
from asker.config import Settings
from asker.errors import InputError, LimitBroken, MissingExtra, RunMismatch, TargetUnusable

QUICK = {"groups": "men,women", "budget": 60, "judge": "rules"}


def yes(question):
    return "Yes."


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    return asker.audit(yes, out=tmp_path_factory.mktemp("api") / "run", **QUICK)


def test_importing_costs_nothing_and_the_names_are_there():
    code = "import sys, asker; print([m for m in ('numpy','msgspec','polars') if m in sys.modules]); asker.audit"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert {"audit", "load", "Audit"} <= set(dir(asker))
    with pytest.raises(AttributeError, match="audit, load"):
        asker.adit  # noqa: B018


def test_every_setting_of_a_run_is_a_typed_keyword():
    assert set(typing.get_type_hints(Wishes)) == set(Settings.__struct_fields__) - set(NOT_OURS)


def test_sync_and_async_functions_give_the_same_also_inside_a_loop(audit):
    async def later(question, seed):
        await asyncio.sleep(0)
        return "Yes."

    async def inside():
        return asker.audit(later, **QUICK)

    assert asyncio.run(inside())["absolute"] == audit["absolute"] == asker.audit(later, **QUICK)["absolute"]


def test_nothing_of_the_surroundings_counts_and_nothing_is_left_in_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASKER_BUDGET", "nonsense")
    Path("audit.toml").write_text("budget = 1")
    found = asker.audit(yes, **QUICK)
    assert found.report.headline["absolute"].n > 0
    assert [one.name for one in tmp_path.iterdir()] == ["audit.toml"]


def test_the_same_call_asks_nothing_again_and_a_changed_function_is_another_bot(tmp_path):
    asked = []

    def counted(question):
        asked.append(question)
        return "No."

    asker.audit(counted, out=tmp_path / "r", **QUICK)
    before = len(asked)
    assert before == len(set(asked)) > 0
    asker.audit(counted, out=tmp_path / "r", **QUICK)
    assert len(asked) == before
    typed, changed = {}, {}
    exec("def bot(question): return 'Yes.'", typed)  # as in a notebook: there is no file
    exec("def bot(question): return 'No.'", changed)
    asker.audit(typed["bot"], out=tmp_path / "typed", **QUICK)
    with pytest.raises(RunMismatch, match="another version of the code of"):
        asker.audit(changed["bot"], out=tmp_path / "typed", **QUICK)


def test_limits_are_assertions_and_mistakes_are_sentences(audit):
    audit.require("absolute.high <= 1")
    with pytest.raises(AssertionError, match=r"is not <= 0\.01") as caught:
        audit.require("absolute.high <= 0.01")
    assert isinstance(caught.value, LimitBroken)
    assert str(audit.page) in str(caught.value)
    with pytest.raises(InputError, match="Did you mean 'budget'"):
        asker.audit(yes, buget=3)
    with pytest.raises(InputError, match="not int"):
        asker.audit(3, **QUICK)

    with pytest.raises(InputError, match="no parameter 'system'"):
        asker.audit(yes, system="Be kind.", **QUICK)

    with pytest.raises(InputError, match="cannot obey 'base_url'"):
        asker.audit(yes, base_url="http://localhost", **QUICK)

    def broken(question):
        raise ValueError("no")

    with pytest.raises(TargetUnusable, match="ValueError"):
        asker.audit(broken, **QUICK)


def test_a_run_loads_as_frames_with_every_number(audit):
    found = asker.load(audit.folder)
    assert isinstance(found.records, pl.DataFrame)
    assert found.records.height == found.records["id"].n_unique() <= 60
    assert set(found.records["answer"]) == {"Yes."}
    headline = found.measures.filter(pl.col("figure") == "absolute").to_dicts()[0]
    one = found["absolute"]
    assert (headline["value"], headline["low"], headline["high"]) == (one.value, one.low, one.high)
    assert (headline["n"], headline["missing"]) == (one.n, one.missing)
    cell = found.measures.filter(pl.col("table") == "by-attribute").to_dicts()[0]
    assert found[cell["figure"]].value == cell["value"]


def test_a_run_that_cannot_be_written_to_can_be_read(audit, monkeypatch):
    monkeypatch.setattr("asker.api.auditing.judge_run", None)  # nothing is left to judge, so nothing is written
    assert asker.load(audit.folder)["absolute"] == audit["absolute"]
    with pytest.raises(InputError, match="is not a run"):
        asker.load(audit.folder.parent)


def test_figures_show_themselves_with_and_without_the_extra(audit, monkeypatch):
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed (extra 'figures')")
    figure = audit.figures["by-attribute"]
    assert len(audit.figures) == len({table.name for table in audit.report.tables})
    shown = figure._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg")
    assert shown[showing.VEGA]["$schema"].endswith("v5.json")

    def missing(*_):
        raise MissingExtra("drawing figures", "pip install 'asker-audit[figures]'")

    monkeypatch.setattr("asker.report.charts.altair", missing)
    assert "<table>" in figure._repr_mimebundle_()["text/html"]


def test_what_a_notebook_shows_of_names_is_escaped():
    one = asker.types.Estimate(0.5, 0.4, 0.6, 10, 1)
    table = asker.types.Table("t", "<script>1</script>", ("<b>",), ("c",), ((one,),))
    html = showing.Figure(table, [table]).html
    assert "<script>" not in html
    assert "&lt;b&gt;, c" in html


def test_an_audit_shows_its_words(audit):
    assert audit.report.summary[0] in str(audit)
    assert "<table>" in audit._repr_html_()
