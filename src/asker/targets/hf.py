"""A model from Hugging Face or a folder. Needs: `pip install 'asker-audit[hf]'`. Example: hf:microsoft/DialoGPT-medium

Loaded through transformers and asked the way it was made for (_ways.py), with its makers' settings for sampling unless
--temperature says otherwise. Settings follow the model after commas: `hf:gpt2,way=completion,device=cuda`. No code that
comes with a model is run.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

from asker.errors import InputError, QuestionFailed, TargetUnusable, UnknownName
from asker.targets import Options, said_before
from asker.targets._chat import Talk
from asker.targets._ways import WITH_SYSTEM, WITH_TURNS, Messages, decode, encode, way_of
from asker.types import Reply

OBEYS = ("system", "opening", "temperature", "max_tokens", "conversation")
MAX_TOKENS = 60
SETTINGS = ("way", "device")
BEFORE = {"--system": "a system prompt", "--opening": "what was said before"}


class HuggingFace:
    """One question at a time: a batch would make an answer depend on its neighbours, and cores are busy with one."""

    parallel = False

    def __init__(self, name: str, way: str, device: str, options: Options, tokenizer: Any, model: Any) -> None:
        self._name, self._way, self._device, self._options = name, way, device, options
        self._talk, self._tokenizer, self._model = Talk(options), tokenizer, model
        self._room = _positions(model.config, tokenizer)
        # A thread of its own, so that progress is shown meanwhile; one, so that seeds do not meet.
        self._thread = ThreadPoolExecutor(1)

    def describe(self) -> dict[str, str]:
        options, commit = self._options, getattr(self._model.config, "_commit_hash", None)
        about = {"kind": "hf", "name": self._name.rpartition("/")[2], "model": self._name, "way": self._way}
        about |= {"commit": commit} if commit else {}
        about |= {"runtime": f"transformers {transformers.__version__}", "conversation": options.conversation}
        about |= {"max_tokens": str(self._max_tokens), "system": options.system or ""}
        about |= said_before(options)
        return about | {"temperature": "as made" if options.temperature is None else str(options.temperature)}

    @property
    def _max_tokens(self) -> int:
        return self._options.max_tokens or MAX_TOKENS

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        loop = asyncio.get_running_loop()
        reply = await loop.run_in_executor(self._thread, self._answer, self._talk.messages(prompt), seed)
        self._talk.happened(prompt, reply.text)
        return reply

    def _answer(self, messages: Messages, seed: int) -> Reply:
        given = self._fitting(messages)
        torch.manual_seed(seed)
        inputs = torch.tensor([given], device=self._device)
        try:
            with torch.inference_mode():
                found = self._model.generate(inputs, attention_mask=torch.ones_like(inputs), **self._sampling())[0]
        except torch.cuda.OutOfMemoryError as error:
            raise TargetUnusable(f"'{self._name}' does not fit into the memory of {self._device}") from error
        answer = found.tolist() if self._model.config.is_encoder_decoder else found[len(given) :].tolist()
        return Reply(decode(self._way, self._tokenizer, answer), len(given), len(answer))

    def _fitting(self, messages: Messages) -> list[int]:
        """The tokens to be given; what was said longest ago is forgotten where there is no room for all."""
        room = self._room - (0 if self._model.config.is_encoder_decoder else self._max_tokens)
        first = self._talk.fixed
        while len(given := encode(self._way, self._tokenizer, messages)) > room:
            if len(messages) - first < 3:
                what = "the question with all that comes before it" if first else "the question"
                raise QuestionFailed(f"{what} has {len(given)} tokens, and '{self._name}' has room for {room}")
            messages = messages[:first] + messages[first + 2 :]
        return given

    def _sampling(self) -> dict[str, Any]:
        """How the next word is drawn: as its makers set it, unless a temperature is wished."""
        warm = self._options.temperature
        chosen: dict[str, Any] = {"max_new_tokens": self._max_tokens, "pad_token_id": _padding(self._tokenizer)}
        if (self._model.generation_config.min_length or 0) > self._max_tokens:
            chosen["min_length"] = 0  # BlenderBot wants at least 20 tokens; who wishes fewer gets fewer
        if warm is None:
            return chosen
        return chosen | ({"do_sample": True, "temperature": warm} if warm > 0 else {"do_sample": False})

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def create(argument: str, options: Options) -> HuggingFace:
    name, *given = argument.split(",")
    if not name:
        raise InputError("the target 'hf' needs a model, for example --target hf:FOLDER or --target hf:OWNER/NAME")
    wishes = dict(_setting(one) for one in given)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    device = wishes.get("device", "cpu")
    try:
        config, tokenizer = AutoConfig.from_pretrained(name), AutoTokenizer.from_pretrained(name)
        way = way_of(name, config, tokenizer, wishes.get("way"))
        _check(name, way, tokenizer, options)
        kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
        model = kind.from_pretrained(name, dtype="auto").to(device).eval()
    except (OSError, ValueError, RuntimeError, KeyError, ImportError, AssertionError) as error:
        how = "Give the folder of a saved model, or a name on the hub while there is a network"
        raise InputError(f"cannot load the model '{name}': {_first_line(error)}. {how}") from error
    return HuggingFace(name, way, device, options, tokenizer, model)


def _setting(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if name not in SETTINGS:
        raise UnknownName("setting", name, SETTINGS, "--target hf")
    return name, value


def _check(name: str, way: str, tokenizer: Any, options: Options) -> None:
    """What comes before a question goes where a model has a place for it, and is refused where it has none."""
    if options.system and way not in WITH_SYSTEM:
        raise InputError(f"'{name}' knows no system prompt (way={way}), so it cannot obey --system")
    if options.opening and way not in WITH_TURNS:
        raise InputError(f"'{name}' is asked each question as it is (way={way}), so it cannot obey --opening")
    talk = Talk(options).messages("?")
    for flag, without in (("--system", talk[1:] if options.system else talk), ("--opening", _no_turns(talk))):
        if without == talk:
            continue
        try:
            heard = encode(way, tokenizer, talk) != encode(way, tokenizer, without)
        except Exception as error:  # templates raise what they like, "System role not supported" for instance
            raise InputError(f"the chat template of '{name}' cannot obey {flag}: {_first_line(error)}") from error
        if not heard:
            raise InputError(f"the chat template of '{name}' drops {BEFORE[flag]}, so it cannot obey {flag}")


def _no_turns(messages: Messages) -> Messages:
    return [one for one in messages[:-1] if one["role"] == "system"] + messages[-1:]


def _positions(config: Any, tokenizer: Any) -> int:
    """How many tokens a model can read. T5 and its kin have no limit of their own."""
    known = [getattr(config, name, None) for name in ("max_position_embeddings", "n_positions")]
    return int(min([one for one in known if one] + [tokenizer.model_max_length]))


def _padding(tokenizer: Any) -> int | None:
    found: int | None = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    return found


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
