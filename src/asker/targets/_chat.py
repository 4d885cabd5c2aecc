"""What chatbots with a chat protocol share: the messages that go out, fresh for each question or as one long talk."""

from __future__ import annotations

from asker.targets import Options

REMEMBERED = 40  # messages of a shared conversation that are sent again; more would outgrow small models


class Talk:
    """The messages of a conversation."""

    def __init__(self, options: Options) -> None:
        self._system = [{"role": "system", "content": options.system}] if options.system else []
        self._shared = options.conversation == "shared"
        self._past: list[dict[str, str]] = []

    def messages(self, prompt: str) -> list[dict[str, str]]:
        return [*self._system, *self._past, {"role": "user", "content": prompt}]

    def happened(self, prompt: str, said: str) -> None:
        """Remember an exchange, if the conversation is shared."""
        if self._shared:
            self._past += [{"role": "user", "content": prompt}, {"role": "assistant", "content": said}]
            del self._past[:-REMEMBERED]
