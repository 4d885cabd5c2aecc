"""Real chatbots through the whole road: a small language model on this machine, and a control that takes no side."""

import json
import sqlite3


def test_a_real_language_model_is_audited_and_repeats_itself(cli):
    words = ("run", "--target", "smollm2", "--groups", "men,women", "--budget", "14", "--max-tokens", "24", "--json")
    first = json.loads(cli(*words, "--out", "a").stdout)
    again = json.loads(cli(*words, "--out", "b", "--concurrency", "1").stdout)
    assert first["answers"]["answered"] == first["plan"]["total"] > 0
    assert first["tables"] == again["tables"]
    said = [texts(cli.folder / name) for name in ("a", "b")]
    assert said[0] == said[1]
    assert len(set(said[0])) > 3, "a model does not always say the same"
    assert any("So few properties cannot show small differences" in line for line in first["summary"])


def texts(folder):
    with sqlite3.connect(folder / "answers.sqlite") as db:
        return [text for (text,) in db.execute("SELECT text FROM answers ORDER BY question, sample")]


def test_a_system_prompt_changes_what_it_says(cli):
    words = (
        "run",
        "--target",
        "smollm2",
        "--groups",
        "men,women",
        "--kinds",
        "why",
        "--budget",
        "6",
        "--max-tokens",
        "16",
    )
    cli(*words, "--out", "a")
    cli(*words, "--out", "b", "--system", "Answer in one word.")
    assert texts(cli.folder / "a") != texts(cli.folder / "b")


def test_eliza_takes_no_side(cli):
    figures = json.loads(cli("run", "--target", "eliza", "--preset", "quick", "--budget", "3000", "--json").stdout)
    assert figures["headline"]["absolute"]["value"] < 0.02
    assert any("No difference beyond chance" in line for line in figures["summary"])
    assert not any("treated differently" in line for line in figures["summary"])
