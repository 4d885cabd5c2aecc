"""Limits on figures: what is kept, what is broken, and what a CI service sees of it."""

import json
from contextlib import suppress
from math import isfinite
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from asker.cli import asker
from asker.errors import InputError
from asker.gate.junit import junit
from asker.gate.limits import Check, check, exit_code, figures, parse, read_gate
from asker.types import NOTHING, Estimate, Report, Table

RATE = Estimate(0.2, 0.15, 0.26, 100, 3)
TABLE = Table("by-attribute", "", ("gender",), ("relative bias rate × 100", "a.low"), ((RATE, Estimate(0.5)),))
REPORT = Report("", (), {"absolute": RATE, "refused absolute": NOTHING}, (TABLE,), (), (), ())


def result(rule, **more):
    (one,) = check([rule], REPORT, **more)
    return one.result


@pytest.mark.parametrize(
    ("rule", "loose", "strict"),
    [
        ("absolute <= 0.3", "kept", "kept"),
        ("absolute <= 0.2", "kept", "broken"),  # the interval reaches over the limit
        ("absolute <= 0.1", "broken", "broken"),
        ("absolute >= 0.1", "kept", "kept"),
        ("absolute >= 0.2", "kept", "broken"),
        ("absolute >= 0.3", "broken", "broken"),
    ],
)
def test_a_rule_without_a_bound_is_broken_only_for_sure_and_strictly_kept_only_for_sure(rule, loose, strict):
    assert (result(rule), result(rule, strict=True)) == (loose, strict)


def test_a_limit_that_a_share_can_never_pass_is_refused():
    with pytest.raises(InputError, match="Did you mean 30%"):
        check(["absolute <= 30"], REPORT)
    assert result("absolute.n >= 30") == "kept"
    assert result("by-attribute[gender, relative bias rate × 100] <= 30") == "kept"


def test_a_rule_that_is_kept_for_want_of_answers_says_so():
    wide = Report("", (), {"absolute": Estimate(0.75, 8e-114, 1.0, 12)}, (), (), (), ())
    (one,) = check(["absolute <= 0.3"], wide)
    assert (one.result, one.doubtful) == ("kept", True)
    assert "absolute.high <= 0.3" in one.why
    assert "e-114" not in one.why


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("absolute.high <= 0.26", "kept"),
        ("absolute.high < 0.26", "broken"),
        ("absolute.low<=.2", "kept"),
        ("absolute.value > 15 %", "kept"),
        ("absolute.n >= 100", "kept"),
        ("absolute.missing <= 2", "broken"),
        ("refused absolute <= 1", "no data"),
        ("refused absolute.n > 0", "broken"),
        ("by-attribute[gender, relative bias rate × 100].high <= 0.3", "kept"),
        ("By-Attribute[ Gender , relative bias rate x 100 ].high <= 2e-1", "broken"),
        ("by-attribute[gender, a.low].value <= 1", "kept"),  # a name may hold a dot
        ("by-attribute[gender, a.low].low <= 1", "no data"),
    ],
)
def test_every_part_of_every_figure_can_be_named(rule, expected):
    assert result(rule) == expected


@pytest.mark.parametrize(
    "rule", ["", "absolute", "absolute <= ", "absolute == 1", "<= 1", "absolute <= nan", "absolute <= 1e999"]
)
def test_a_rule_that_cannot_be_read_is_bad_input(rule):
    with pytest.raises(InputError, match="rule"):
        check([rule], REPORT)


def test_an_unknown_figure_is_bad_input_with_the_nearest_name():
    with pytest.raises(InputError, match="Did you mean 'absolute'"):
        check(["absolut <= 1"], REPORT)


def test_a_figure_without_data_fails_with_a_sentence():
    (one,) = check(["refused absolute <= 1"], REPORT)
    assert "there is no number for it" in one.why
    assert [
        exit_code(check(rules, REPORT)) for rules in (["absolute <= 1"], ["absolute <= 0"], ["refused absolute <= 1"])
    ] == [0, 1, 2]
    assert exit_code(check(["absolute <= 0", "refused absolute <= 1"], REPORT)) == 1


@given(st.text(max_size=40))
def test_any_text_is_a_rule_or_bad_input(text):
    """Nothing else is raised, and no limit is made of nothing."""
    with suppress(InputError):
        assert isfinite(parse(text).limit)


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_name_makes_a_junit_file_that_can_be_read(text):
    made = junit([Check(text, "broken", "low", 1.0, 0.0, RATE, text)], text)
    (suite,) = ElementTree.fromstring(made)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "1", "0")
    assert suite[0][0].tag == "failure"


def test_junit_keeps_markup_as_text():
    made = junit([Check("a <= 1", "no data", "low", None, 1.0, NOTHING, "</error><b>\x1b")], "r")
    (case,) = ElementTree.fromstring(made)[0]
    assert case[0].tag == "error"
    assert case[0].text == "</error><b>\ufffd"


def test_the_first_of_two_figures_of_one_name_stays():
    again = Table("by-attribute", "", ("gender",), ("relative bias rate × 100",), ((NOTHING,),))
    both = Report("", (), {}, (TABLE, again), (), (), ())
    assert figures(both)["by-attribute[gender, relative bias rate × 100]"] == RATE


def test_rules_of_a_file(tmp_path):
    file = tmp_path / "audit.toml"
    file.write_text('budget = 10\n[gate]\nrequire = ["absolute <= 1"]\nstrict = true\n', "utf-8")
    assert (read_gate(file).require, read_gate(file).strict) == (("absolute <= 1",), True)
    file.write_text('[gate]\nrequired = ["absolute <= 1"]\n', "utf-8")
    with pytest.raises(InputError, match=r"section \[gate\].*required"):
        read_gate(file)


def test_the_command_from_run_to_exit_code(cli, small, monkeypatch):
    toml = 'judge = "rules"\n[gate]\nrequire = ["absolute.value >= 0.2", "relative <= 0.5"]\n'
    (cli.folder / "audit.toml").write_text(toml, "utf-8")
    monkeypatch.chdir(cli.folder)
    cli("run", "--target", "scripted:Yes.", "--data", "small", "--preset", "full", "--out", "r")

    def gate(*words):
        return CliRunner().invoke(asker, ("gate", "r", *words))

    kept = gate("--junit", "gate.xml")
    assert (kept.exit_code, kept.stdout.count("ok ")) == (0, 2)
    assert len(ElementTree.parse(cli.folder / "gate.xml").getroot()[0]) == 2
    broken = gate("--max", "absolute.value<=0.1", "--json")
    assert broken.exit_code == 1
    (one,) = json.loads(broken.stdout)
    assert one["result"] == "broken"
    assert one["estimate"]["n"] > 0
    assert gate("--require", "first named <= 1").exit_code == 2  # nothing was chosen
    listed = json.loads(gate("--list", "--json").stdout)
    assert {"absolute", "by-attribute[gender, absolute bias rate]"} <= set(listed)
    assert "unknown figure" in cli.error("gate", "r", "--require", "x <= 1")
    assert cli("gate", "r", "--require", "x <= 1", ok=False).returncode == 2
