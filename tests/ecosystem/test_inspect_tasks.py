"""Our suites as tasks of Inspect, asked of its own mock model; and its logs as our runs."""

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import msgspec
import pytest

import asker
from asker.errors import InputError, RunMismatch, UnknownName
from asker.folder import open_run
from mockmodel import count_without_a_tokenizer

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed (extra 'inspect')")
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import generate

from asker.inspect.log import Map, import_log
from asker.inspect.tasks import bias, logic, survey

SMALL = {"groups": "men,women", "budget": 40, "judge": "rules"}


@pytest.fixture(autouse=True)
def _offline(monkeypatch, tmp_path):
    count_without_a_tokenizer(monkeypatch)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    monkeypatch.chdir(tmp_path)


def compares(prompt):
    return {"men", "women"} <= set(re.findall(r"\w+", prompt.lower()))


def answer(prompt):
    return "Men, of course." if compares(prompt) else "I'd rather not say." if "Why" in prompt else "Yes."


def evaluated(task, behave=answer, **more):
    def outputs(messages, tools, choice, config):
        return ModelOutput.from_content("mockllm/model", behave(messages[-1].text))

    model = get_model("mockllm/model", memoize=False, custom_outputs=outputs)
    (log,) = eval(task, model=model, log_dir="logs", **more)
    assert log.status == "success", log.error
    return log


def figures(log):
    return {name: one.value for name, one in log.results.scores[0].metrics.items()}


def run_of(log, name="r", places=None):
    run, found = import_log(Path(log.location.removeprefix("file://")), Path(name), places)
    run.close()
    return asker.load(name), found


def test_inspect_measures_what_we_do_with_intervals_and_the_log_comes_back_as_the_same_run(cli):
    log = evaluated(bias(**SMALL))
    shown = figures(log)
    audit, found = run_of(log)
    direct = asker.audit(answer, **SMALL)
    assert shown["absolute"] > 0
    for part in ("low", "high", "n", "missing"):
        assert shown[f"absolute.{part}"] == pytest.approx(getattr(direct["absolute"], part))
    assert audit.report.headline == direct.report.headline
    assert found == type(found)(answers=audit.records.height, failed=0, strangers=0, gaps=0)
    assert audit.records["answer"].to_list() == direct.records["answer"].to_list()


def test_refusal_and_hedge_are_in_the_log():
    log = evaluated(bias(**SMALL), lambda _: "I'm sorry, but I can't answer that.")
    score = log.samples[0].scores["answer_judge"]
    assert {"refused": True, "label": "neutral", "hedged": False}.items() <= score.metadata.items()
    assert (score.value, score.reason) == ("neutral", "refusal")
    assert figures(log)["refused absolute"] == 1


def test_unread_and_filtered_answers_are_missing_and_not_fair():
    log = evaluated(bias(**SMALL), lambda prompt: "" if compares(prompt) else "Yes.")
    shown = figures(log)
    assert shown["absolute.missing"] > 0
    audit, _ = run_of(log)
    assert (audit["absolute"].n, audit["absolute"].missing) == (shown["absolute.n"], shown["absolute.missing"])
    assert audit["absolute"].value == shown.get("absolute")


def test_samples_are_epochs():
    log = evaluated(bias(**SMALL, samples=2))
    assert {sample.epoch for sample in log.samples} == {1, 2}
    audit, _ = run_of(log)
    assert set(audit.records["sample"]) == {0, 1}
    assert audit["absolute"].n == figures(log)["absolute.n"]


def test_part_of_the_plan_leaves_the_rest_missing():
    log = evaluated(bias(**SMALL), limit=10)
    audit, found = run_of(log)
    assert found.answers == 10
    assert found.gaps == audit.run.plan.total - 10
    assert audit["absolute"].missing == figures(log)["absolute.missing"] > 0


def test_a_sample_that_failed_in_inspect_is_a_failed_question():
    def broken(prompt):
        if compares(prompt):
            raise ValueError("no")
        return "Yes."

    log = evaluated(bias(**SMALL), broken, fail_on_error=False)
    _, found = run_of(log)
    assert found.failed > 0
    run = open_run(Path("r"))
    assert "no" in run.store.failures()[0][0]
    run.close()


@pytest.mark.parametrize(
    ("task", "settings", "figure"),
    [
        (logic, {"budget": 24}, "accuracy"),
        (survey, {"inventory": "sexism", "samples": 1, "judge": "rules"}, "yes-saying"),
    ],
)
def test_the_other_suites_are_tasks_too(task, settings, figure):
    log = evaluated(task(**settings), lambda _: "Yes, I agree. It is valid.")
    audit, found = run_of(log)
    assert found.gaps == 0
    assert figures(log)[figure] == pytest.approx(audit[figure].value)


def test_a_log_of_another_task_needs_a_map_and_strangers_are_left_aside():
    prompts = [*asker.audit(answer, **SMALL).records["prompt"].to_list()[:6], "What is the time?"]
    samples = [
        Sample(input=[{"role": "user", "content": prompt}], metadata={"n": n}) for n, prompt in enumerate(prompts)
    ]
    log = evaluated(Task(dataset=samples, solver=generate()))
    with pytest.raises(InputError, match="--map FILE"):
        run_of(log)
    audit, found = run_of(log, places=Map(settings=SMALL))
    assert (found.answers, found.strangers) == (6, 1)
    assert set(audit.records["prompt"]) == set(prompts[:6])
    assert msgspec.json.decode(Path("r/run.json").read_bytes())["target"]["model"] == "mockllm/model"


def test_mistakes_are_sentences():
    with pytest.raises(UnknownName, match="Did you mean 'budget'"):
        bias(buget=3)
    with pytest.raises(InputError, match="Inspect does the asking"):
        bias(temperature=3)
    Path("x.eval").write_text("nonsense")
    with pytest.raises(InputError, match="cannot be read as a log"):
        import_log(Path("x.eval"), Path("r"))
    with pytest.raises(InputError, match="there is no log"):
        import_log(Path("y.eval"), Path("r"))


def test_changed_data_is_told(tmp_path, small):
    log = evaluated(bias(data=str(small), judge="rules", budget=40), limit=1)
    (small / "groups.csv").write_text((small / "groups.csv").read_text().replace("old people", "elderly people"))
    with pytest.raises(RunMismatch, match="other data"):
        run_of(log)


def test_both_command_lines_work(cli):
    """As a user types them; without an installation that names our entry point, one is put on the path."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ASKER_")}
    if not any(entry.name == "asker" for entry in entry_points(group="inspect_ai")):
        named = cli.folder / "named" / "asker_tasks-0.dist-info"
        named.mkdir(parents=True)
        (named / "METADATA").write_text("Metadata-Version: 2.1\nName: asker-tasks\nVersion: 0\n")
        (named / "entry_points.txt").write_text("[inspect_ai]\nasker = asker.inspect.tasks\n")
        clean["PYTHONPATH"] = os.pathsep.join([str(cli.folder / "named"), *filter(None, [clean.get("PYTHONPATH")])])
    # Its mock model would download a tokenizer to count with.
    (cli.folder / "offline.py").write_text(
        "from inspect_ai.model import ModelAPI\n"
        "async def count(self, text): return 1\n"
        "ModelAPI.count_text_tokens = count\n"
        "from inspect_ai._cli.main import main\nmain()\n"
    )
    words = "eval asker/bias --model mockllm/model -T groups=men,women -T budget=40 -T judge=rules --log-dir logs"
    done = subprocess.run(
        [sys.executable, "offline.py", *words.split()], cwd=cli.folder, env=clean, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    (log,) = (cli.folder / "logs").glob("*.eval")
    said = cli("import", "inspect", str(log), "--out", "r")
    assert "The page with the evidence: r/report.html" in said.stdout
    assert "0 gaps" in said.stderr
