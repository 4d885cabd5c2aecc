"""Kuki, or any bot at Pandorabots. Needs: PANDORABOTS_BOTKEY, or PANDORABOTS_USER_KEY with kuki:APP/BOT. Example: kuki

One POST a question: `talk?botkey=…&input=…&client_name=…`, or for a bot of one's own account `talk/APP/BOT?user_key=…`.
Pandorabots remembers what a client said, so each question comes from a new one, unless the conversation is shared; an
opening is said by that client first.
"""

from __future__ import annotations

from secrets import token_hex
from typing import Any
from urllib.parse import quote

from asker.errors import InputError, TargetError, TargetUnusable
from asker.targets import Options, said_before, users_turns
from asker.targets._http import Http, Response
from asker.targets._service import address, decoded, needed_key, nonsense, spellings, trouble
from asker.types import Reply

OBEYS = ("base_url", "key_env", "opening", "conversation")
HOME = "https://api.pandorabots.com"
BOT_KEY, USER_KEY = "PANDORABOTS_BOTKEY", "PANDORABOTS_USER_KEY"


class Kuki:
    """A bot of patterns; her answers may hold tags, and are kept as they came."""

    def __init__(self, bot: str, options: Options, key_name: str, key: str) -> None:
        self.parallel = options.conversation == "fresh"
        self.secrets = spellings(key)
        self._bot, self._options, self._key_name = bot, options, key_name
        self._first, self._met = users_turns("kuki", options), False
        self._key = {"user_key" if bot else "botkey": key}
        self._url = address(options.base_url, HOME) + "/talk" + (f"/{quote(bot)}" if bot else "")
        self._client, self._session = _client(), ""
        self._http = Http({})

    def describe(self) -> dict[str, str]:
        name = self._bot.rpartition("/")[2] or "Kuki"
        about = {"kind": "kuki", "name": name, "url": self._url, "conversation": self._options.conversation}
        return about | said_before(self._options)

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        client = _client() if self.parallel else self._client
        for turn in () if self._met else self._first:
            await self._say(turn, client)
        self._met = not self.parallel
        return await self._say(prompt, client)

    async def _say(self, prompt: str, client: str) -> Reply:
        query = self._key | {"input": prompt, "client_name": client}
        if self._session:
            query["sessionid"] = self._session
        response = await self._http.send("POST", self._url, b"", {}, query=query)
        found = decoded(response)
        if response.status != 200 or found.get("status") == "error":
            raise self._refusal(response, found)
        said = found.get("responses")
        if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
            raise nonsense(response, "an answer of Pandorabots")
        if not self.parallel and found.get("sessionid") is not None:
            self._session = str(found["sessionid"])
        return Reply(" ".join(said))

    def _refusal(self, response: Response, found: dict[str, Any]) -> TargetError:
        said = found.get("message")
        if response.status == 412:
            return TargetUnusable(f"the bot '{self._bot}' is not compiled (412): {said}. Compile it at Pandorabots")
        return trouble(response, said, f"the environment variable {self._key_name}")

    async def close(self) -> None:
        await self._http.close()


def create(argument: str, options: Options) -> Kuki:
    parts = argument.split("/")
    if argument and (len(parts) != 2 or not all(parts)):
        raise InputError(f"'{argument}' is no bot at Pandorabots. Use --target kuki, or --target kuki:APP_ID/BOT_NAME")
    name = options.key_env or (USER_KEY if argument else BOT_KEY)
    return Kuki(argument, options, name, needed_key("kuki", name))


def _client() -> str:
    # Drawn anew, not from the seed: a question asked again after a break must not meet what it said before.
    return f"asker{token_hex(8)}"
