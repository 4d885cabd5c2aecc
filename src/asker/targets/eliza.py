"""ELIZA, who turns every question back: a control that takes no side. Needs: asker-audit[eliza]. Example: eliza"""

from __future__ import annotations

import random
import sys
from importlib.metadata import version

from nltk.chat import eliza as rules
from nltk.chat.util import Chat

from asker.targets import Options, no_argument
from asker.types import Reply


class Eliza:
    """Answers at once from Weizenbaum's kind of patterns, as nltk ships them."""

    parallel = False

    def __init__(self) -> None:
        self._random = random.Random()
        # The library draws from the module `random`; give it a generator of ours, so that a seed decides.
        sys.modules[Chat.__module__].random = self._random  # type: ignore[attr-defined]
        self._chat = Chat(rules.pairs, rules.reflections)

    def describe(self) -> dict[str, str]:
        return {"kind": "eliza", "name": "ELIZA", "patterns": "nltk", "version": version("nltk")}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        self._random.seed(seed)
        return Reply(self._chat.respond(prompt) or "")

    async def close(self) -> None:
        pass


def create(argument: str, options: Options) -> Eliza:
    no_argument("eliza", argument)
    return Eliza()
