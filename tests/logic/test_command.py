"""asker logic prove: a file in, a verdict a line out, in order, whatever a line holds."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from asker.cli import asker
from asker.logic.published import Unreadable, verdicts

pytest.importorskip("pysat", reason="python-sat is not installed")
pytest.importorskip("z3", reason="z3-solver is not installed")

LINES = [
    {"id": 7, "premises": ["∀x (Man(x) → Mortal(x))", "Man(socrates)", "r"], "conclusion": "Mortal(socrates)"},
    {"premises": ["p -> q", "q"], "conclusion": "p", "label": "Uncertain"},
    {"premises": ["p -> q", "p"], "conclusion": "~q", "label": "True"},
    {"premises": ["p", "r", "~p"], "conclusion": "q"},
    {"premises": ["p &"], "conclusion": "q"},
    {"premises-FOL": "∀x P(x)\n∀x Q(x)", "premises": ["All are p."], "conclusion-FOL": "P(a)", "conclusion": "A is p."},
    {"premises": ["∀x ∃y R(x,y)", "∀x ¬R(x,x)", "∀x∀y∀z (R(x,y) ∧ R(y,z) → R(x,z))"], "conclusion": "p"},
]


def run(content, *flags):
    if not isinstance(content, bytes):
        content = "\n".join(json.dumps(one) for one in content).encode()
    return CliRunner().invoke(asker, ["logic", "prove", "-", "--timeout", "0.2", *flags], input=content)


def told(content):
    return [json.loads(line) for line in run(content, "--json").stdout.splitlines()]


def test_every_line_gets_its_result_in_order():
    out = told(LINES)
    results = ["entailed", "undetermined", "contradicted", "inconsistent", None, "entailed", "unknown"]
    assert [one["result"] for one in out] == results
    assert [one["line"] for one in out] == [1, 2, 3, 4, 5, 6, 7]
    assert (out[0]["id"], out[0]["core"], out[3]["core"]) == (7, [0, 1], [0, 2])


def test_undetermined_comes_with_a_model_each_way():
    one = told(LINES)[1]
    assert one["model"] == {"propositions": {"p": True, "q": True}}
    assert one["counter_model"] == {"propositions": {"p": False, "q": True}}


def test_labels_of_the_file_are_compared():
    assert [one.get("agrees") for one in told(LINES)[:4]] == [None, True, False, None]
    assert "1 of 2 labels agree" in run(LINES).stdout


def test_a_line_that_cannot_be_read_is_told_and_the_exit_code_says_so():
    done = run(LINES)
    assert done.exit_code == 1
    assert "line 5: premises[0], column 4: the formula ends where a statement is missing" in done.stdout
    assert run(LINES[:4]).exit_code == 0


def test_broken_json_and_wrong_fields_do_not_stop_the_rest():
    lines = [b"{", b"[]", b'{"premises": 3, "conclusion": "p"}', b'{"premises": []}', b"", b"\xff\xfe{}"]
    good = b'{"premises": ["p"], "conclusion": "p"}'
    out = told(b"\xef\xbb\xbf" + b"\n".join([*lines, good]))
    assert [one["result"] for one in out] == [None] * 5 + ["entailed"]
    assert all(one["column"] >= 1 and one["reason"] for one in out[:-1])
    assert out[-1]["line"] == 7


def test_a_counter_model_is_readable_in_plain_text():
    done = run([{"premises": ["∃x Tall(x)"], "conclusion": "Tall(ann)"}])
    assert "false if things ann, thing2; Tall: thing2" in done.stdout


def test_a_formula_cannot_command_the_terminal():
    done = run([{"premises": ['"\x1b[2J"'], "conclusion": "\x1b"}])
    assert "\x1b" not in done.stdout


def as_line(text):
    return json.dumps({"premises": [text], "conclusion": text}).encode()


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=40).map(as_line))
def test_whatever_the_bytes_every_line_is_answered(content):
    for one in verdicts(content.splitlines(), 0.05):
        json.dumps(one.as_json())
        assert isinstance(one, Unreadable) or one.proof.result
