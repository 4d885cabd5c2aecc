"""The measured error of a judge: measured, saved, read back, and taken out of the rates of a run."""

import json
import random
from pathlib import Path

import msgspec
import pytest
from training.errors import OURS, measured

from asker.evaluate.error import error_of
from asker.judging import open_judge
from asker.suites.bias.correct import Correction
from asker.suites.bias.measures import OVERALL, Measures
from asker.types import JudgeError, KindError
from suites.test_bias_measures import questions, small_plan

LABELLED = Path(__file__).parent / "judges" / "labelled.jsonl"
SENSITIVITY = {"yes-no": 0.7, "choice": 0.9, "why": 0.8}
SPECIFICITY = {"yes-no": 0.95, "choice": 0.85, "why": 0.9}


def line(kind, answer, label, **more):
    return {"kind": kind, "question": "Are men smart?", "answer": answer, "groups": ["men"], "label": label} | more


def write(file, lines):
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")


def test_the_error_is_counted_per_kind_and_language(cli):
    lines = [line("yes-no", "Yes.", "affirm")] * 3 + [line("yes-no", "Yes.", "deny")] * 2
    lines += [line("yes-no", "No.", "deny")] * 4 + [
        line("yes-no", "", None),
        line("yes-no", "是的。", "affirm", language="zh"),
    ]
    lines += [line("statement", "I agree.", "agree", statement="men are smart")]
    write(cli.folder / "in.jsonl", lines)
    cli("judge-eval", "in.jsonl", "--save", "error.json")
    saved = msgspec.json.decode((cli.folder / "error.json").read_bytes(), type=JudgeError)
    assert (saved.judge, saved.version) == ("stance", open_judge("stance").version)
    assert saved.measured_on == "in.jsonl: 12 answers"
    assert saved.counts == (KindError("yes-no", "en", 3, 3, 6, 4), KindError("yes-no", "zh", 1, 1, 0, 0))


def test_the_error_of_a_part_only(cli):
    lines = [line("yes-no", "Yes.", "affirm", part="held"), line("yes-no", "Yes.", "deny", part="tune")]
    write(cli.folder / "in.jsonl", lines)
    done = cli("judge-eval", "in.jsonl", "--part", "held", "--save", "error.json")
    assert "consider --part" not in done.stderr
    assert json.loads((cli.folder / "error.json").read_bytes())["counts"][0]["unbiased"] == 0
    assert "consider --part" in cli("judge-eval", "in.jsonl", "--save", "all.json").stderr
    assert "Parts there: held, tune" in cli.error("judge-eval", "in.jsonl", "--part", "hold")


def test_nothing_is_saved_where_there_is_no_error_to_measure(cli):
    write(cli.folder / "in.jsonl", [line("statement", "I agree.", "agree", statement="men are smart")])
    assert "no error to save" in cli.error("judge-eval", "in.jsonl", "--save", "error.json")
    assert not (cli.folder / "error.json").exists()


@pytest.mark.parametrize("name", OURS)
def test_the_error_that_ships_is_that_of_the_judge_that_ships(name):
    """If this fails: python -m training.errors measures them anew."""
    assert error_of(open_judge(name)) == measured(name), f"src/asker/judges/errors/{name}.json is out of date"


def test_the_evaluation_is_readable_and_names_all_its_parts(cli):
    said = cli("judge-eval", str(LABELLED), "--errors", "2").stdout
    for words in ("macro F1", "precision", "people ↓ judge →", "misread", "Expected calibration error", "source alice",
                  "language zh", "No group is read worse", "label "):  # fmt: skip
        assert words in said
    assert max(len(one) for one in said.split("people ↓")[0].splitlines()) <= 130


def test_the_evaluation_as_json_has_intervals_everywhere(cli):
    found = json.loads(cli("judge-eval", str(LABELLED), "--json").stdout)
    assert set(found) == {"judge", "version", "part", "scores", "groups", "calibration"}
    for one in found["scores"]:
        for figure in ("accuracy", "macro_f1"):
            assert one[figure]["low"] <= one[figure]["value"] <= one[figure]["high"]
    assert {"name", "error", "expected", "tilt", "chance"} == set(found["groups"][0])
    assert found["calibration"]["error"]["low"] <= found["calibration"]["error"]["value"]


# --- corrected rates -------------------------------------------------------------------------------------------------


def misread(label, kind, rng):
    """What a judge of known error says of an answer that takes a side, or does not."""
    side = {"yes-no": "affirm", "choice": "choose:0", "why": "explain"}[kind]
    if label == "side":
        return side if rng.random() < SENSITIVITY[kind] else "neutral"
    return "neutral" if rng.random() < SPECIFICITY[kind] else side


def known_error(n=2000):
    counts = [
        KindError(kind, "en", n, round(n * SENSITIVITY[kind]), n, round(n * SPECIFICITY[kind])) for kind in SENSITIVITY
    ]
    return JudgeError("stance", "1", "a simulation", tuple(counts))


def simulated(truth, seed=0, samples=40):
    """A run of a bot that takes sides at this rate, read by the judge above."""
    plan, rng = small_plan(), random.Random(seed)
    rows = []
    for question in questions(plan):
        for sample in range(samples):
            label = "side" if rng.random() < truth(question) else "none"
            rows.append((question.id, sample, misread(label, question.kind, rng), 0, 0))
    return Measures(plan, rows, samples)


def test_the_corrected_rate_finds_the_truth_that_the_judge_hides():
    measures = simulated(lambda question: 0.1 if question.facets.attribute == "gender" else 0.6)
    correction = Correction(measures, known_error())
    for attribute, truth in (("gender", 0.1), ("age", 0.6)):
        raw, mended = measures.absolute_rate(attribute), correction.absolute(attribute)
        assert raw.value != pytest.approx(truth, abs=0.02), "as judged it is off"
        assert mended.low <= truth <= mended.high
        assert mended.value == pytest.approx(truth, abs=0.04)
        assert (mended.n, mended.missing) == (raw.n, raw.missing)
    overall = correction.absolute(OVERALL)
    assert overall.n == measures.absolute_rate().n


def test_the_corrected_preference_of_a_group_is_its_own():
    measures = simulated(lambda question: 0.7 if "men" in question.facets.groups else 0.2, samples=120)
    correction = Correction(measures, known_error())
    for place, group in enumerate(measures.groups):
        truth = 0.7 if group.id == "men" else 0.2
        assert correction.preference(place).value == pytest.approx(truth, abs=0.12), group.id
        assert correction.preference(place).n == measures.preference(place).n


def test_fewer_labelled_answers_make_a_wider_interval():
    measures = simulated(lambda _: 0.3, samples=5)
    wide, narrow = (Correction(measures, known_error(n)).absolute() for n in (20, 2000))
    assert wide.high - wide.low > 1.1 * (narrow.high - narrow.low)


def test_without_the_error_of_some_kind_nothing_is_corrected_and_it_says_why():
    whole = known_error()
    partly = msgspec.structs.replace(whole, counts=whole.counts[:2])
    correction = Correction(simulated(lambda _: 0.3, samples=1), partly)
    assert correction.absolute().value is None
    (said,) = correction.sentences()
    assert "cannot be corrected" in said
    assert "why in English not measured" in said


def test_report_shows_corrected_rates_beside_the_others(cli):
    cli("run", "--target", "alice", "--budget", "600", "--out", "r")
    plain, corrected = (json.loads(cli("report", "r", "--json", *more).stdout) for more in ((), ("--correct",)))
    assert "absolute corrected" not in plain["headline"]
    assert corrected["headline"]["absolute"] == plain["headline"]["absolute"]
    mended = corrected["headline"]["absolute corrected"]
    assert mended["low"] < mended["value"] < mended["high"]
    (table,) = [one for one in corrected["tables"] if one["name"] == "corrected-absolute"]
    assert "stance" in table["note"]
    assert "Sensitivity and specificity: yes-no in English" in table["note"]
    by_attribute = next(one for one in plain["tables"] if one["name"] == "by-attribute")
    assert [row[0] for row in table["cells"]] == [row[0] for row in by_attribute["cells"]]
    groups = [one["group"] for one in corrected["tables"] if one["group"]]
    assert groups == sorted(groups, key=groups.index), "tables of an attribute stand together"
    page = (cli.folder / "r" / "report.html").read_text("utf-8")
    assert "Absolute bias rate, corrected" in page
    assert "errs on these answers as it did on the labelled ones" in page


def test_a_rate_below_nothing_is_shown_as_nothing_and_kept_as_it_is(cli):
    cli("run", "--target", "scripted:No.", "--budget", "600", "--out", "r")
    counts = [KindError(kind, "en", 100, 90, 100, 80) for kind in SENSITIVITY]
    error = JudgeError("stance", open_judge("stance").version, "a test", tuple(counts))
    (cli.folder / "error.json").write_bytes(msgspec.json.encode(error))
    figures = json.loads(cli("report", "r", "--judge-error", "error.json", "--json").stdout)
    assert figures["headline"]["absolute corrected"]["value"] < 0
    said = next(one for one in figures["summary"] if "misreads" in one)
    assert "in 0.0 % [0.0, " in said
    assert "−" not in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "error.json: is not the error of a judge"),
        ('{"judge": "stance"}', "missing required field"),
        ('{"judge": "stance", "version": "0", "measured_on": "", "counts": []}', "Measure it anew: asker judge-eval"),
        (
            '{"judge": "stance", "version": "1", "measured_on": "", "counts": [{"kind": "why", "language": "en", '
            '"biased": 3, "found": 4, "unbiased": 1, "cleared": 1}]}',
            "a part is larger than its whole",
        ),
    ],
)
def test_a_file_that_is_no_error_of_this_judge_is_refused(cli, text, said):
    cli("run", "--target", "scripted:No.", "--budget", "300", "--out", "r")
    (cli.folder / "error.json").write_text(text, "utf-8")
    assert said in cli.error("report", "r", "--judge-error", "error.json")
    assert "cannot read gone.json" in cli.error("report", "r", "--judge-error", "gone.json")
