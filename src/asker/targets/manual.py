"""A chatbot without an API, asked by people. Needs: people and a spreadsheet. Example: manual:ChatGPT"""

from __future__ import annotations

from asker.errors import TargetUnusable
from asker.targets import Options
from asker.types import Reply


class Manual:
    """A name for the run. Its questions go out and its answers come back with `asker manual`."""

    parallel = False

    def __init__(self, name: str) -> None:
        self._name = name

    def describe(self) -> dict[str, str]:
        return {"kind": "manual", "name": self._name}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        raise TargetUnusable(
            f"{self._name} is asked by people. Write its questions with 'asker manual export RUN questions.csv', "
            "and read the answers back with 'asker manual import'"
        )

    async def close(self) -> None:
        pass


def create(argument: str, options: Options) -> Manual:
    return Manual(argument.strip() or "the chatbot")
