"""Cleverbot, by its API. Needs: CLEVERBOT_API_KEY. Example: cleverbot

One GET a question: `getreply?key=…&input=…`. The reply carries `cs`, the whole state of the conversation; it is
handed back with the next question only where the conversation is shared, or after an opening. Its answers are its own:
no seed reaches it.
"""

from __future__ import annotations

from asker.errors import TargetError, TargetUnusable
from asker.targets import Options, no_argument, said_before, users_turns
from asker.targets._http import Http, Response
from asker.targets._service import address, decoded, needed_key, nonsense, spellings, trouble
from asker.types import Reply

OBEYS = ("base_url", "key_env", "opening", "conversation")
HOME = "https://www.cleverbot.com"
KEY = "CLEVERBOT_API_KEY"


class Cleverbot:
    """Answers by what people once said to it."""

    def __init__(self, options: Options, key: str) -> None:
        self.parallel = options.conversation == "fresh"
        self.secrets = spellings(key)
        self._options, self._key, self._state = options, key, ""
        self._first = users_turns("cleverbot", options)
        self._url = address(options.base_url, HOME) + "/getreply"
        self._http = Http({})

    def describe(self) -> dict[str, str]:
        talk = self._options.conversation
        about = {"kind": "cleverbot", "name": "Cleverbot", "url": self._url, "conversation": talk}
        return about | said_before(self._options)

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        state = self._state
        for turn in () if state else self._first:
            _, state = await self._say(turn, state)
        said, state = await self._say(prompt, state)
        if not self.parallel:
            self._state = state
        return Reply(said)

    async def _say(self, text: str, state: str) -> tuple[str, str]:
        """What it answers, and the conversation so far."""
        query = {"key": self._key, "input": text, "wrapper": "asker"} | ({"cs": state} if state else {})
        response = await self._http.send("GET", self._url, None, {}, query=query)
        if response.status != 200:
            raise self._refusal(response)
        found = decoded(response)
        said, now = found.get("output"), found.get("cs")
        if not isinstance(said, str):
            raise nonsense(response, "a reply of Cleverbot")
        return said, now if isinstance(now, str) else state

    def _refusal(self, response: Response) -> TargetError:
        said = decoded(response).get("error")
        if response.status == 404:
            return TargetUnusable(f"there is no Cleverbot at {self._url} (404). Check --base-url")
        return trouble(response, said, f"the environment variable {self._options.key_env or KEY}")

    async def close(self) -> None:
        await self._http.close()


def create(argument: str, options: Options) -> Cleverbot:
    no_argument("cleverbot", argument)
    return Cleverbot(options, needed_key("cleverbot", options.key_env or KEY))
