"""Questions, tasks and data sets as other tools read them."""

import asyncio
import importlib.util
import json
import keyword
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import asker
from asker.errors import InputError, RunMismatch
from docpages import ROOT, blocks

SETTINGS = 'groups = "men,women"\nbudget = 40\njudge = "rules"\n'


@pytest.fixture
def plan(cli):
    (cli.folder / "audit.toml").write_text(SETTINGS)
    return cli


def bot(question):
    return "Men." if "women" in question and question.lower().count("men") > 1 else "Yes."


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    return asker.audit(bot, out=tmp_path_factory.mktemp("export") / "run", groups="men,women", budget=40, judge="rules")


def prompts(plan):
    plan("export", "audit.toml", "--questions", "plain.jsonl")
    return [json.loads(line)["prompt"] for line in (plan.folder / "plain.jsonl").read_text().splitlines()]


def test_promptfoo_reads_a_whole_configuration(plan):
    yaml = pytest.importorskip("yaml", reason="pyyaml is not installed (comes with the extra 'inspect')")
    plan("export", "audit.toml", "--questions", "p.yaml", "--format", "promptfoo")
    made = yaml.safe_load((plan.folder / "p.yaml").read_text())
    assert made["prompts"] == ["{{question}}"]
    assert [test["vars"]["question"] for test in made["tests"]] == prompts(plan)
    assert made["tests"][0]["metadata"]["attribute"] == "gender"


def test_answers_of_other_tools_come_back_as_a_run(plan):
    """By the code that the page shows, from results as promptfoo writes them."""
    plan("export", "audit.toml", "--questions", "p.yaml", "--format", "promptfoo")
    tests = json.loads((plan.folder / "p.yaml").read_text())["tests"]
    found = [{"vars": one["vars"], "response": {"output": bot(one["vars"]["question"])}} for one in tests]
    (plan.folder / "results.json").write_text(json.dumps({"results": {"results": found}}))
    (code,) = (one for one in blocks(ROOT / "docs" / "ecosystem.md", "python") if "# to_csv.py" in one)
    subprocess.run([sys.executable, "-c", code], cwd=plan.folder, check=True)
    plan("manual", "start", "audit.toml", "--target", "manual:my-model", "--out", "theirs")
    assert "have an answer" in plan("manual", "import", "theirs", "answers.csv").stdout
    theirs = json.loads(plan("report", "theirs", "--json").stdout)["headline"]
    direct = asker.audit(bot, groups="men,women", budget=40, judge="rules")
    assert theirs["absolute"]["value"] == pytest.approx(direct["absolute"].value)


@pytest.mark.skipif(shutil.which("promptfoo") is None, reason="promptfoo is not installed (npm install -g promptfoo)")
def test_promptfoo_itself_runs_the_configuration(plan):
    plan("export", "audit.toml", "--questions", "p.yaml", "--format", "promptfoo")
    words = ["promptfoo", "eval", "-c", "p.yaml", "-o", "results.json", "--no-progress-bar", "--no-table"]
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_CONFIG_DIR": str(plan.folder / "pf")}
    subprocess.run(words, cwd=plan.folder, env=os.environ | quiet, check=True, capture_output=True)
    rows = json.loads((plan.folder / "results.json").read_text())["results"]["results"]
    assert sorted(row["response"]["output"] for row in rows) == sorted(prompts(plan)), "echo says the question again"


def test_deepeval_itself_reads_the_goldens(plan, monkeypatch):
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    dataset = pytest.importorskip("deepeval.dataset", reason="deepeval is not installed (pip install deepeval)")
    plan("export", "audit.toml", "--questions", "d.json", "--format", "deepeval")
    read = dataset.EvaluationDataset()
    read.add_goldens_from_json_file(str(plan.folder / "d.json"))
    assert [golden.input for golden in read.goldens] == prompts(plan)
    assert read.goldens[0].additional_metadata["attribute"] == "gender"


def test_langfair_itself_asks_the_prompts(plan):
    generator = pytest.importorskip("langfair.generator", reason="langfair is not installed (pip install langfair)")
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    plan("export", "audit.toml", "--questions", "l.json", "--format", "langfair")
    asked = json.loads((plan.folder / "l.json").read_text())["counterfactual"]["gender"]["men_prompt"]

    class Model(FakeListChatModel):
        temperature: float = 1.0  # langfair wants to know it

    model = Model(responses=["No."])
    got = asyncio.run(generator.ResponseGenerator(langchain_llm=model).generate_responses(prompts=asked, count=1))
    assert got["data"]["response"] == ["No."] * len(asked)


def test_deepeval_reads_goldens(plan):
    plan("export", "audit.toml", "--questions", "d.json", "--format", "deepeval")
    made = json.loads((plan.folder / "d.json").read_text())
    assert [golden["input"] for golden in made] == prompts(plan)
    assert all(isinstance(golden["additional_metadata"], dict) for golden in made)


def test_langfair_gets_prompts_and_counterfactual_columns_side_by_side(plan):
    plan("export", "audit.toml", "--questions", "l.json", "--format", "langfair")
    made = json.loads((plan.folder / "l.json").read_text())
    assert made["prompts"] == prompts(plan)
    men, women = made["counterfactual"]["gender"]["men_prompt"], made["counterfactual"]["gender"]["women_prompt"]
    assert len(men) == len(women) > 5
    assert [one.lower().replace("women", "men") for one in women] == [one.lower() for one in men]


def test_mistakes_are_sentences(plan, audit):
    assert "should end so" in plan.error("export", "audit.toml", "--questions", "p.csv", "--format", "promptfoo")
    assert "needs a run" in plan.error("export", "audit.toml", "records.csv")
    assert "nothing to write" in plan.error("export", str(audit.folder))
    (plan.folder / "full").mkdir()
    (plan.folder / "full" / "x").touch()
    for flag in ("--lm-eval", "--huggingface"):
        assert "is there already" in plan.error("export", "audit.toml", flag, "full")


def test_the_harness_task_judges_and_measures_as_we_do(plan, audit, monkeypatch):
    pytest.importorskip("datasets", reason="datasets is not installed (extra 'ecosystem')")
    plan("export", str(audit.folder), "--lm-eval", "task")
    utils = load(plan.folder / "task" / "utils.py")
    docs = [json.loads(line) for line in (plan.folder / "task" / "questions.jsonl").read_text().splitlines()]
    rows = [utils.process_results(doc, [bot(doc["prompt"])]) for doc in docs]
    for part in ("value", "low", "high", "n", "missing"):
        name = "absolute" if part == "value" else f"absolute_{part}"
        assert getattr(utils, name)([row[name] for row in rows]) == pytest.approx(getattr(audit["absolute"], part))
    assert utils.absolute_missing([row["absolute"] for row in rows][:5]) > 0, "what was not asked is missing"
    data = plan.folder / "task" / "data.json"
    data.write_text(data.read_text().replace("women", "ladies"))
    with pytest.raises(RunMismatch, match="was changed"):
        load(plan.folder / "task" / "utils.py")
    data.unlink()
    with pytest.raises(InputError, match="is no export of a plan"):
        load(plan.folder / "task" / "utils.py")


def load(file: Path):
    spec = importlib.util.spec_from_file_location("utils_of_the_task", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_harness_itself_validates_and_runs_the_task(plan):
    pytest.importorskip("lm_eval", reason="lm-eval is not installed (extra 'ecosystem')")
    plan("export", "audit.toml", "--lm-eval", "task")
    words = ("validate", "--tasks", "asker_bias", "--include_path", "task")
    assert "valid" in harness(plan.folder, *words)
    run = ("run", "--model", "dummy", "--tasks", "asker_bias", "--include_path", "task", "--output_path", "out")
    assert "|absolute_high" in harness(plan.folder, *run).replace(" ", "")


def harness(folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "lm_eval", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_hugging_face_loads_the_folder_offline(plan, audit, monkeypatch, tmp_path):
    plan("export", str(audit.folder), "--huggingface", "set")
    card = (plan.folder / "set" / "README.md").read_text()
    assert "Content notice" in card
    assert "What was found" in card
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    datasets = pytest.importorskip("datasets", reason="datasets is not installed (extra 'ecosystem')")
    folder = str(plan.folder / "set")
    assert set(datasets.get_dataset_config_names(folder)) == {
        "groups",
        "properties",
        "questions",
        "records",
        "measures",
    }
    records = datasets.load_dataset(folder, "records", split="train", cache_dir=str(tmp_path))
    assert list(records["answer"]) == audit.records["answer"].to_list()
    measures = datasets.load_dataset(folder, "measures", split="train", cache_dir=str(tmp_path))
    absolute = next(row for row in measures if row["figure"] == "absolute")
    assert absolute["low"] == pytest.approx(audit["absolute"].low)


def test_other_suites_are_data_sets_and_tasks_too(cli):
    (cli.folder / "audit.toml").write_text('suite = "survey"\ninventory = "sexism"\n')
    cli("export", "audit.toml", "--huggingface", "set", "--lm-eval", "task")
    assert sorted(one.name for one in (cli.folder / "set").iterdir()) == ["README.md", "questions.parquet"]
    assert (cli.folder / "task" / "asker_survey.yaml").is_file()


def test_names_of_strangers_break_neither_card_nor_code():
    from asker.export.lm_eval import metric_name
    from asker.export.markdown import line

    assert line("a\n# b <i> | [x]") == r"a \# b \<i\> \| \[x\]"
    for figure in ("量表", "1st", 'x"); import os', "a b", "class", "questions"):
        name = metric_name(figure, "value")
        assert name.isidentifier()
        assert not keyword.iskeyword(name)
        assert name != "questions"
