"""Any OpenAI-compatible endpoint. Needs: OPENAI_API_KEY, or --base-url. Example: openai:gpt-4o-mini"""

from __future__ import annotations

import json
import os
import time
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp

from asker.errors import InputError, QuestionFailed, Retryable, TargetUnusable
from asker.targets import Options
from asker.types import Reply

HOME = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
LIMIT = 5_000_000  # bytes of one response; an answer of more is not an answer
WAIT_AND_SEE = {408, 409, 425, 429}  # and all of 5xx
SPENT = ("insufficient_quota", "billing", "exceeded your current quota")


class OpenAI:
    """One request per question, without history. Which errors are worth another try is decided here."""

    parallel = True

    def __init__(self, model: str, options: Options, key: str | None) -> None:
        self._model, self._options = model, options
        self._url = (options.base_url or HOME).rstrip("/") + "/chat/completions"
        self._key = key
        self._session: aiohttp.ClientSession | None = None

    def describe(self) -> dict[str, str]:
        options = self._options
        settings = {"system": options.system, "temperature": options.temperature, "max_tokens": options.max_tokens}
        about = {"kind": "openai", "model": self._model, "url": self._url}
        return about | {name: str(value) for name, value in settings.items() if value is not None}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        try:
            async with self._open().post(self._url, json=self._body(prompt, seed)) as response:
                body = await _read(response)
        except TimeoutError as error:
            raise Retryable("no answer in time") from error
        except aiohttp.ClientConnectorError as error:
            raise Retryable(f"nobody listens at {self._url}: {error.os_error}", unreachable=True) from error
        except aiohttp.InvalidURL as error:
            raise TargetUnusable(
                f"'{self._url}' is not an address. Give one like --base-url http://localhost:8080/v1"
            ) from error
        except aiohttp.TooManyRedirects as error:
            raise TargetUnusable(f"{self._url} redirects in a circle") from error
        except aiohttp.ClientError as error:
            raise Retryable(f"the connection broke: {type(error).__name__}") from error
        if response.status != 200:
            raise self._refusal(response, body)
        return _reply(body)

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            connector = aiohttp.TCPConnector(limit=0)
            # The asking engine sets the time limit, so that it counts the same for every chatbot.
            timeout = aiohttp.ClientTimeout(total=None)
            self._session = aiohttp.ClientSession(headers=headers, connector=connector, timeout=timeout)
        return self._session

    def _body(self, prompt: str, seed: int) -> dict[str, Any]:
        options = self._options
        messages = [{"role": "user", "content": prompt}]
        if options.system:
            messages.insert(0, {"role": "system", "content": options.system})
        wishes = {"temperature": options.temperature, "max_tokens": options.max_tokens}
        chosen = {name: value for name, value in wishes.items() if value is not None}
        return {"model": self._model, "messages": messages, "seed": seed, "stream": False, **chosen}

    def _refusal(self, response: aiohttp.ClientResponse, body: bytes) -> Exception:
        """The error an HTTP status stands for, with the endpoint's own words and without the key."""
        status, said = response.status, _message(body)
        if self._key:
            said = said.replace(self._key, "***")
        if status in (401, 403):
            return TargetUnusable(f"{self._url} refused the key ({status}): {said}. Check {self._key_name()}")
        if status == 404:
            return TargetUnusable(f"{self._url} does not know the model '{self._model}' (404): {said}")
        if status == 429 and any(word in said.lower() for word in SPENT):
            return TargetUnusable(f"the key's credit is spent: {said}")
        if status in WAIT_AND_SEE or status >= 500:
            return Retryable(f"HTTP {status}: {said}", after=_retry_after(response))
        return QuestionFailed(f"HTTP {status}: {said}")

    def _key_name(self) -> str:
        return f"the environment variable {self._options.key_env or KEY}"

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()


def create(argument: str, options: Options) -> OpenAI:
    if not argument:
        raise InputError("the target 'openai' needs a model, for example --target openai:gpt-4o-mini")
    if options.base_url and "@" in options.base_url.split("?")[0]:
        raise InputError("--base-url holds a name or password, which would be kept with the run; use --key-env instead")
    name = options.key_env or KEY
    key = os.environ.get(name)
    if not key and (options.key_env or not options.base_url):
        raise InputError(f"no key: set the environment variable {name}, or give --base-url for a server without keys")
    return OpenAI(argument, options, key)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    body = b""
    async for chunk in response.content.iter_chunked(1 << 16):
        body += chunk
        if len(body) > LIMIT:
            response.close()
            raise QuestionFailed(f"the response is larger than {LIMIT // 1_000_000} MB")
    return body


def _reply(body: bytes) -> Reply:
    try:
        found = json.loads(body)
        text = found["choices"][0]["message"]["content"]
        usage = found.get("usage") or {}
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Retryable(f"the response is not a chat completion: {body[:80]!r}") from error
    if not isinstance(text, str):
        raise QuestionFailed("the response holds no text")
    return Reply(text, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) else None


def _message(body: bytes) -> str:
    try:
        said = json.loads(body)["error"]
        text = said["message"] if isinstance(said, dict) else said
        code = said.get("code") if isinstance(said, dict) else None
        return f"{text} ({code})" if code else str(text)
    except (ValueError, LookupError, TypeError):
        return body[:200].decode("utf-8", "replace").strip() or "no reason given"


def _retry_after(response: aiohttp.ClientResponse) -> float | None:
    """Seconds to wait, as the server says it: a number or a date."""
    value = response.headers.get("Retry-After", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
