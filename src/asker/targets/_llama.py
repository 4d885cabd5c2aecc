"""Small language models on this machine, through llama.cpp.

One model with one thread for each slot. Slots that shared a model would share a batch, and then an answer could depend
on what else was being asked; two threads on busy cores are slower than one. So each slot has a model of its own,
loaded in half a second.
"""

from __future__ import annotations

import asyncio
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import xllamacpp

from asker.errors import QuestionFailed
from asker.targets import Options, said_before
from asker.targets._chat import Talk
from asker.types import Reply

CONTEXT = 2048
MAX_TOKENS = 60
TEMPERATURE = 0.7
SLOTS = max(1, min(4, os.cpu_count() or 1))


class Local:
    """A model of weights on this machine. Whoever inherits says what it is, and how a question becomes a request."""

    about: ClassVar[dict[str, str]]

    def __init__(self, weights: Path, options: Options) -> None:
        self.parallel = options.conversation == "fresh"
        self._options, self._talk = options, Talk(options)
        self._weights, self._slots = weights, Slots(weights)

    def describe(self) -> dict[str, str]:
        runtime = {"weights": self._weights.name, "runtime": f"xllamacpp {version('xllamacpp')}"}
        return self.about | runtime | settings(self._options)

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        reply = await self._answer(self._talk.messages(prompt), sampling(self._options, seed))
        self._talk.happened(prompt, reply.text)
        return reply

    async def _answer(self, messages: list[dict[str, str]], how: dict[str, Any]) -> Reply:
        raise NotImplementedError

    async def close(self) -> None:
        self._slots.close()


class Slots:
    """Copies of a model, each of which answers one question at a time."""

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._free: asyncio.Queue[Any] | None = None

    async def ask(self, method: str, body: dict[str, Any]) -> Reply:
        """What the first free slot answers."""
        slots = self._slots()
        server = await slots.get()
        answering = asyncio.ensure_future(asyncio.to_thread(getattr(server, method), body))
        # Whoever asked may give up; the thread cannot, and its slot is only free when it is done.
        answering.add_done_callback(lambda _: slots.put_nowait(server))
        return _reply(await asyncio.shield(answering))

    def _slots(self) -> asyncio.Queue[Any]:
        if self._free is None:
            self._free = asyncio.Queue()
            for _ in range(SLOTS):
                self._free.put_nowait(xllamacpp.Server(_parameters(self._weights)))
        return self._free

    def close(self) -> None:
        self._free = None


def sampling(options: Options, seed: int) -> dict[str, Any]:
    """The settings of a request that make it the same each time."""
    return {
        "max_tokens": options.max_tokens or MAX_TOKENS,
        "temperature": TEMPERATURE if options.temperature is None else options.temperature,
        "seed": seed,
        "cache_prompt": False,  # an answer must not depend on the one before it
    }


def settings(options: Options) -> dict[str, str]:
    """What was set, for the run's file."""
    chosen = sampling(options, 0)
    return {
        "temperature": str(chosen["temperature"]),
        "max_tokens": str(chosen["max_tokens"]),
        "system": options.system or "",
        "conversation": options.conversation,
        **said_before(options),
    }


def _parameters(weights: Path) -> Any:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx, parameters.n_parallel = CONTEXT, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.warmup, parameters.verbosity = False, -1
    return parameters


def _reply(found: Any) -> Reply:
    try:
        choice, usage = found["choices"][0], found.get("usage", {})
        text = choice["message"]["content"] if "message" in choice else choice["text"]
    except (LookupError, TypeError) as error:
        raise QuestionFailed(f"the model gave no answer: {str(found)[:80]}") from error
    return Reply(text, usage.get("prompt_tokens"), usage.get("completion_tokens"))
