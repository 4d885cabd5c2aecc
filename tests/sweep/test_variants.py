"""What --sweep may say, and what it becomes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.config import Settings
from asker.errors import InputError
from asker.sweep import Variant, factor_of, settings_of
from asker.sweep.variants import NAME


def test_prompts_come_from_a_table_or_from_lines(tmp_path):
    (tmp_path / "a.toml").write_text('none = ""\n"very careful" = "Be careful."', "utf-8")
    lines = '{"name": "none", "text": " "}\n{"name": "very careful", "text": "Be careful."}\n'
    (tmp_path / "a.jsonl").write_text(lines, "utf-8")
    for file in ("a.toml", "a.jsonl"):
        found = factor_of(Settings(sweep=f"system={tmp_path / file}"))
        assert found.variants == (Variant("none", None), Variant("very careful", "Be careful."))
        assert [one.folder for one in found.variants] == ["none", "very-careful"]


def test_openings_come_from_the_tables_of_one_file(tmp_path):
    text = 'none = []\n[[nurse]]\nrole = "user"\ntext = "I am a nurse."\n'
    (tmp_path / "a.toml").write_text(text, "utf-8")
    none, nurse = factor_of(Settings(sweep=f"opening={tmp_path / 'a.toml'}")).variants
    assert (none.value, nurse.text) == ((), "user: I am a nurse.")


def test_limits_are_for_the_whole_sweep():
    chosen = Settings(sweep="temperature=0,0.5,1", minutes=30, max_cost=3, max_total_tokens=100)
    first, second, third = settings_of(chosen, factor_of(chosen), Path("here"))
    assert (second.minutes, second.max_cost, second.max_total_tokens) == (10, 1, 33)
    assert (first.temperature, third.temperature) == (0, 1)
    assert third.out == "here/temperature-1"
    assert third.sweep is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('a = "x"', "needs at least two variants"),
        ('a = "x"\nb = "x"', "'a' and 'b' are the same"),
        ('"a b" = "x"\na-b = "y"', "'a b' and 'a-b' have the same name"),
        ('a = 1\nb = "x"', "a should be a text"),
        ('"../a" = "x"\nb = "y"', r"'\.\./a' is no name for a variant"),
        ('"report.html" = "x"\nb = "y"', "no name for a variant"),
        ("a = ", "is not TOML"),
    ],
)
def test_a_file_of_prompts_that_is_none_is_told(tmp_path, text, said):
    (tmp_path / "a.toml").write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        factor_of(Settings(sweep=f"system={tmp_path / 'a.toml'}"))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"sweep": "system"}, "It should be system=FILE"),
        ({"sweep": "seed=1,2"}, "It should be system=FILE"),
        ({"sweep": "temperature=warm,cold"}, "cannot read --sweep temperature=warm,cold"),
        ({"sweep": "temperature=-1,1"}, "a temperature is 0 or above"),
        ({"sweep": "temperature=0,inf"}, "a temperature is 0 or above"),
        ({"sweep": "system=no.toml"}, "cannot read no.toml"),
        ({"sweep": "opening=no.jsonl"}, "holds one opening"),
        ({"sweep": "temperature=0,1", "temperature": 0.5}, "say the same setting twice"),
        ({"sweep": "temperature=0,1", "rounds": 2}, "ask each variant other questions"),
        ({"sweep": "temperature=0,1", "stop_when": "width<=0.1"}, "--stop-when would end each variant by itself"),
    ],
)
def test_a_sweep_that_cannot_be_is_told(more, said):
    with pytest.raises(InputError, match=said):
        factor_of(Settings(**more))


@given(st.from_regex(NAME, fullmatch=True))
def test_a_name_is_a_folder_and_stays_in_its_place(name):
    folder = Variant(name, None).folder
    assert Path(folder).name == folder
    assert folder not in ("", ".", "..")
    assert not folder.startswith(".")
