"""Models through transformers, with tiny ones that are made here: real files, real code, babble for answers."""

from __future__ import annotations

import asyncio

import pytest

from asker.errors import InputError, MissingExtra, QuestionFailed, UnknownName
from asker.targets import Options, open_target
from toychat import DEAF, NO_SYSTEM, TEMPLATE, save_blenderbot, save_causal

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """One of each kind, by name."""
    for package in ("torch", "transformers"):
        pytest.importorskip(package, reason=f"{package} is not installed (extra 'hf')")
    folder = tmp_path_factory.mktemp("models")
    talkative = {"task_specific_params": {"conversational": {"max_length": 1000}}}
    return {
        "chat": save_causal(folder / "chat", TEMPLATE),
        "dialogpt": save_causal(folder / "dialogpt", **talkative),
        "blenderbot": save_blenderbot(folder / "blenderbot"),
        "base": save_causal(folder / "base"),
        "strict": save_causal(folder / "strict", NO_SYSTEM + TEMPLATE),
        "deaf": save_causal(folder / "deaf", DEAF),
    }


def ask(target, *prompts, seed=1):
    async def all_of_them():
        return [await target.ask(prompt, seed=seed) for prompt in prompts]

    return asyncio.run(all_of_them())


def read_by(target, *prompts):
    """What the model itself is given for each prompt, as text."""
    given, generate = [], target._model.generate

    def listening(inputs, **settings):
        given.append(target._tokenizer.decode(inputs[0].tolist()))
        return generate(inputs, **settings)

    target._model.generate = listening
    ask(target, *prompts)
    return given


@pytest.mark.parametrize("name", ["chat", "dialogpt", "blenderbot"])
def test_a_model_says_how_it_is_asked(models, name):
    target = open_target(f"hf:{models[name]}", Options(max_tokens=12))
    assert target.describe()["way"] == name
    (reply,) = ask(target, "Are men smart?")
    assert reply.text
    assert reply.tokens_in > 10
    assert 0 < reply.tokens_out <= 14


def test_each_way_reads_what_its_models_were_taught_with(models):
    wish = Options(max_tokens=3, conversation="shared")
    first, second = read_by(open_target(f"hf:{models['chat']}", wish), "one", "two")
    assert first == "<|user|>one<|end|><|assistant|>"
    assert second.startswith("<|user|>one<|end|><|assistant|>")
    assert second.endswith("<|end|><|user|>two<|end|><|assistant|>")
    first, second = read_by(open_target(f"hf:{models['dialogpt']}", wish), "one", "two")
    assert first == "one<|end|>"
    assert second.startswith("one<|end|>")
    assert second.endswith("<|end|>two<|end|>")
    first, second = read_by(open_target(f"hf:{models['blenderbot']}", wish), "one", "two")
    assert first == " one"
    assert second.startswith(" one  ")
    assert second.endswith("   two")
    (text,) = read_by(open_target(f"hf:{models['base']},way=completion", Options(max_tokens=3)), "Are men smart?")
    assert text.endswith("\n\nQuestion: Are men smart?\nAnswer:")


def test_a_seed_decides_what_is_drawn_and_zero_draws_nothing(models):
    spec = f"hf:{models['chat']}"
    warm, cold = (open_target(spec, Options(max_tokens=12, temperature=warmth)) for warmth in (1.5, 0.0))
    drawn = [ask(warm, "Are men smart?", seed=seed)[0].text for seed in (1, 2, 3, 1)]
    assert drawn[0] == drawn[3]
    assert len(set(drawn)) == 3
    assert len({ask(cold, "Are men smart?", seed=seed)[0].text for seed in (1, 2, 3)}) == 1


def test_a_system_prompt_is_heard_or_refused(models):
    wish = Options(system="Be kind.", max_tokens=3)
    (text,) = read_by(open_target(f"hf:{models['chat']}", wish), "one")
    assert text.startswith("<|system|>Be kind.<|end|>")
    (text,) = read_by(open_target(f"hf:{models['base']},way=completion", wish), "one")
    assert text.startswith("Be kind.\n\n")
    for name, why in (("dialogpt", "knows no system"), ("strict", "System role not supported"), ("deaf", "drops a")):
        with pytest.raises(InputError, match=f"{why}.*"):
            open_target(f"hf:{models[name]}", wish)


def test_what_does_not_fit_is_forgotten_or_refused(models):
    target = open_target(f"hf:{models['dialogpt']}", Options(max_tokens=10, conversation="shared"))
    given = read_by(target, "a" * 300, "b" * 300, "c")
    assert "a" * 300 not in given[1]
    assert given[1].endswith("b" * 300 + "<|end|>")
    with pytest.raises(QuestionFailed, match=r"has 601 tokens, and .* has room for 502"):
        ask(target, "d" * 600)


def test_an_answer_may_be_shorter_than_its_makers_wished(models):
    short, long = (open_target(f"hf:{models['blenderbot']}", Options(max_tokens=most)) for most in (4, 30))
    assert ask(short, "one")[0].tokens_out <= 6
    assert ask(long, "one")[0].tokens_out >= 8


def test_what_cannot_be_opened_is_said(models, tmp_path):
    with pytest.raises(InputError, match="way=completion"):
        open_target(f"hf:{models['base']}")
    with pytest.raises(InputError, match="no chat template"):
        open_target(f"hf:{models['base']},way=chat")
    with pytest.raises(InputError, match="is an encoder-decoder"):
        open_target(f"hf:{models['blenderbot']},way=dialogpt")
    with pytest.raises(UnknownName, match="unknown way 'chatt'"):
        open_target(f"hf:{models['chat']},way=chatt")
    with pytest.raises(UnknownName, match="unknown setting 'wya'"):
        open_target(f"hf:{models['chat']},wya=chat")
    with pytest.raises(InputError, match="cannot load the model"):
        open_target(f"hf:{tmp_path}")
    with pytest.raises(InputError, match="needs a model"):
        open_target("hf:")


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    from asker import registry

    def absent(path):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(registry, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'asker-audit\[hf\]'"):
        open_target("hf:anything")
