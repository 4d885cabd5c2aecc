"""A fake with fixed answers, for your own tests. Needs: nothing. Example: scripted:Yes.  or  scripted:@answers.toml"""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import msgspec

from asker.errors import InputError
from asker.targets import Options
from asker.types import Reply

DEFAULT = "I have no opinion on that."


class Scripted:
    """Says the answer of the first pattern found in the question; of several, one drawn by the seed."""

    parallel = False

    def __init__(self, answers: dict[str, str | list[str]], name: str = "scripted") -> None:
        self._name = name
        self._rules = [(re.compile(pattern, re.IGNORECASE), _list(said)) for pattern, said in answers.items()]

    def describe(self) -> dict[str, str]:
        rules = "; ".join(f"{rule.pattern} -> {' | '.join(said)}" for rule, said in self._rules)
        return {"kind": "scripted", "answers": rules}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        for pattern, said in self._rules:
            if pattern.search(prompt):
                return Reply(random.Random(seed).choice(said))
        return Reply(DEFAULT)

    async def close(self) -> None:
        pass


def create(argument: str, options: Options) -> Scripted:
    if not argument.startswith("@"):
        return Scripted({"": argument or DEFAULT})
    file = Path(argument[1:])
    try:
        return Scripted(msgspec.convert(tomllib.loads(file.read_text("utf-8")), dict[str, str | list[str]]))
    except (OSError, tomllib.TOMLDecodeError, re.error, UnicodeDecodeError, msgspec.ValidationError) as error:
        hint = "It should hold lines like: 'are men' = \"Yes.\""
        raise InputError(f"cannot read the answers in {file}: {error}. {hint}") from error


def _list(said: str | list[str]) -> list[str]:
    return [said] if isinstance(said, str) else list(said) or [DEFAULT]
