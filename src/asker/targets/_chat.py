"""What chatbots with a chat protocol share: the messages that go out, fresh for each question or as one long talk, and
what of a text that came back was said aloud."""

from __future__ import annotations

from itertools import pairwise

from asker.errors import InputError, QuestionFailed
from asker.targets import Options
from asker.types import Turn

THOUGHTS = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("[THINK]", "[/THINK]"))
"""What models put around their reasoning, where the server leaves it in the answer."""
REMEMBERED = 40  # messages of a shared conversation that are sent again; more would outgrow small models


class Talk:
    """The messages of a conversation."""

    def __init__(self, options: Options) -> None:
        self._first = [{"role": "system", "content": options.system}] if options.system else []
        self._first += [{"role": turn.role, "content": turn.text} for turn in _in_turn(options.opening)]
        self._shared = options.conversation == "shared"
        self._past: list[dict[str, str]] = []

    @property
    def fixed(self) -> int:
        """So many messages come before every question, and are never forgotten."""
        return len(self._first)

    def messages(self, prompt: str) -> list[dict[str, str]]:
        return [*self._first, *self._past, {"role": "user", "content": prompt}]

    def happened(self, prompt: str, said: str) -> None:
        """Remember an exchange, if the conversation is shared."""
        if self._shared:
            self._past += [{"role": "user", "content": prompt}, {"role": "assistant", "content": said}]
            del self._past[:-REMEMBERED]


def _in_turn(opening: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Models are trained on talk in which each has his turn, and many templates refuse any other."""
    for number, (one, other) in enumerate(pairwise(opening), 1):
        if one.role == other.role:
            raise InputError(
                f"turns {number} and {number + 1} of --opening are both the {one.role}'s; they should alternate"
            )
    if opening and opening[-1].role != "assistant":
        raise InputError("--opening ends with the user's turn; end it with the assistant's, as the question comes next")
    return opening


def spoken(text: str) -> str:
    """What was said aloud. Reasoning before an answer weighs both sides, and read as an answer it would take either."""
    said = text
    while (thought := _thought(said)) is not None:
        begin, end = thought
        _, ended, said = said.partition(end)
        if not ended:
            raise QuestionFailed(
                f"the model was still thinking ({begin}) when it was cut off. Raise --max-tokens", charged=True
            )
        said = said.lstrip()
    return said


def _thought(text: str) -> tuple[str, str] | None:
    """The marks of the reasoning this text begins with."""
    for begin, end in THOUGHTS:
        if text.lstrip().startswith(begin):
            return begin, end
    begin, end = THOUGHTS[0]
    # Some chat templates open the mark at the end of the prompt, so that only its end comes back.
    before, found, _ = text.partition(end)
    return (begin, end) if found and begin not in before else None
