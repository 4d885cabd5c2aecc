"""DeepL and Google by their web protocols: texts in batches, keys from the environment, and patience."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from asker.errors import Retryable, TargetError, TargetUnusable
from asker.keys import redacted
from asker.targets._http import JSON, Http, Response
from asker.targets._service import address, decoded, needed_key, nonsense, trouble

TRIES = 5
WAIT = 1.0  # seconds before the second try, then twice as long each time
LONGEST_WAIT = 60.0


class Service:
    """A server that is sent texts and a key. What differs is said by those below."""

    name = ""
    key_name = ""
    batch = 50

    def __init__(self, base: str, source: str, target: str) -> None:
        self._key = needed_key(self.name, self.key_name)
        self._url = address(base or None, self.home()) + self.path()
        self._source, self._target = source, target
        self.wait = WAIT

    def home(self) -> str:
        raise NotImplementedError

    def path(self) -> str:
        raise NotImplementedError

    def headers(self) -> dict[str, str]:
        raise NotImplementedError

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        raise NotImplementedError

    def read(self, found: dict[str, Any]) -> list[str]:
        """The translations in a reply, or KeyError and its like where they are not."""
        raise NotImplementedError

    def translate(self, texts: Sequence[str], what: str) -> list[str | None]:
        for number in range(1, TRIES + 1):
            try:
                return self._once(texts)
            except Retryable as error:
                if number == TRIES:
                    raise TargetUnusable(f"{self.name} does not answer, tried {TRIES} times: {error}") from error
                time.sleep(min(error.after or self.wait * 2 ** (number - 1), LONGEST_WAIT))
        raise AssertionError("the last try returns or raises")

    def _once(self, texts: Sequence[str]) -> list[str | None]:
        response = asyncio.run(self._send(texts))
        if response.status != 200:
            raise self.refusal(response)
        try:
            found = self.read(decoded(response))
        except (KeyError, TypeError, AttributeError) as error:
            raise nonsense(response, f"a reply of {self.name}") from error
        if len(found) != len(texts) or not all(isinstance(one, str) for one in found):
            raise nonsense(response, f"{len(texts)} translations")
        return [" ".join(one.split()) or None for one in found]

    async def _send(self, texts: Sequence[str]) -> Response:
        http = Http({})
        try:
            return await http.send("POST", self._url, msgspec.json.encode(self.body(texts)), JSON | self.headers())
        finally:
            await http.close()

    def refusal(self, response: Response) -> TargetError:
        said = decoded(response).get("message") or decoded(response).get("error", "")
        if isinstance(said, dict):
            said = said.get("message", "")
        words = redacted(str(said), [self._key])
        found = trouble(response, words, f"the environment variable {self.key_name}")
        return found if isinstance(found, Retryable) else TargetUnusable(f"{self.name}: {found}")


class DeepL(Service):
    """POST /v2/translate; a key that ends in :fx belongs to the free service, which has an address of its own."""

    name, key_name = "deepl", "DEEPL_API_KEY"
    codes: ClassVar[dict[str, str]] = {"zh": "ZH", "en": "EN"}

    def home(self) -> str:
        return "https://api-free.deepl.com" if self._key.endswith(":fx") else "https://api.deepl.com"

    def path(self) -> str:
        return "/v2/translate"

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"DeepL-Auth-Key {self._key}"}

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        target = "EN-US" if self._target == "en" else self.codes.get(self._target, self._target.upper())
        return {
            "text": list(texts),
            "source_lang": self.codes.get(self._source, self._source.upper()),
            "target_lang": target,
        }

    def read(self, found: dict[str, Any]) -> list[str]:
        return [one["text"] for one in found["translations"]]

    def refusal(self, response: Response) -> TargetError:
        if response.status == 456:
            return TargetUnusable("deepl: the quota of this key is used up (456); what is translated is kept")
        return super().refusal(response)


class Google(Service):
    """POST /language/translate/v2, with the key in a header so that it stands in no address."""

    name, key_name = "google", "GOOGLE_API_KEY"
    batch = 100
    codes: ClassVar[dict[str, str]] = {"zh": "zh-CN"}

    def home(self) -> str:
        return "https://translation.googleapis.com"

    def path(self) -> str:
        return "/language/translate/v2"

    def headers(self) -> dict[str, str]:
        return {"X-Goog-Api-Key": self._key}

    def body(self, texts: Sequence[str]) -> dict[str, Any]:
        codes = [self.codes.get(one, one) for one in (self._source, self._target)]
        return {"q": list(texts), "source": codes[0], "target": codes[1], "format": "text"}

    def read(self, found: dict[str, Any]) -> list[str]:
        return [one["translatedText"] for one in found["data"]["translations"]]
