"""Any OpenAI-compatible endpoint. Needs: OPENAI_API_KEY, or --base-url. Example: openai:gpt-4o-mini"""

from __future__ import annotations

from typing import Any

import msgspec

from asker.errors import InputError, QuestionFailed, Retryable, TargetUnusable
from asker.keys import find_key, redacted
from asker.targets import Options
from asker.targets._chat import Talk
from asker.targets._http import Http, Response
from asker.types import Reply

OBEYS = ("base_url", "key_env", "system", "temperature", "max_tokens", "conversation")
HOME = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
WAIT_AND_SEE = {408, 409, 425, 429}  # and all of 5xx
SPENT = ("insufficient_quota", "billing", "exceeded your current quota")


class OpenAI:
    """One request per question, without history. Which errors are worth another try is decided here."""

    def __init__(self, model: str, options: Options, key: str | None) -> None:
        self.parallel = options.conversation == "fresh"
        self.secrets = (key,) if key else ()
        self._model, self._options, self._talk = model, options, Talk(options)
        self._url = (options.base_url or HOME).rstrip("/") + "/chat/completions"
        self._http = Http({"Authorization": f"Bearer {key}"} if key else {})

    def describe(self) -> dict[str, str]:
        options = self._options
        settings = {"system": options.system, "temperature": options.temperature, "max_tokens": options.max_tokens}
        about = {
            "kind": "openai",
            "name": self._model,
            "model": self._model,
            "url": self._url,
            "conversation": options.conversation,
        }
        return about | {name: str(value) for name, value in settings.items() if value is not None}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        response = await self._http.post(self._url, self._body(prompt, seed))
        if response.status != 200:
            raise self._refusal(response)
        reply = _reply(response.body)
        self._talk.happened(prompt, reply.text)
        return reply

    def _body(self, prompt: str, seed: int) -> dict[str, Any]:
        options = self._options
        wishes = {"temperature": options.temperature, "max_tokens": options.max_tokens}
        chosen = {name: value for name, value in wishes.items() if value is not None}
        fixed = {"model": self._model, "messages": self._talk.messages(prompt), "seed": seed, "stream": False}
        return fixed | chosen

    def _refusal(self, response: Response) -> Exception:
        """The error an HTTP status stands for, with the endpoint's own words and without the key."""
        status, said = response.status, redacted(_message(response.body), self.secrets)
        if status in (401, 403):
            return TargetUnusable(f"{self._url} refused the key ({status}): {said}. Check {self._key_name()}")
        if status == 404:
            return TargetUnusable(f"{self._url} does not know the model '{self._model}' (404): {said}")
        if status == 429 and any(word in said.lower() for word in SPENT):
            return TargetUnusable(f"the key's credit is spent: {said}")
        if status in WAIT_AND_SEE or status >= 500:
            return Retryable(f"HTTP {status}: {said}", after=response.retry_after)
        return QuestionFailed(f"HTTP {status}: {said}")

    def _key_name(self) -> str:
        return f"the environment variable {self._options.key_env or KEY}"

    async def close(self) -> None:
        await self._http.close()


def create(argument: str, options: Options) -> OpenAI:
    if not argument:
        raise InputError("the target 'openai' needs a model, for example --target openai:gpt-4o-mini")
    if options.base_url and set(options.base_url) & set("@?#"):
        how = "use --key-env for a key, and leave out everything from '?' or '#' on"
        raise InputError(f"--base-url may hold no name, password or parameters, as it is kept with the run; {how}")
    name = options.key_env or KEY
    key = find_key(name)
    if not key and (options.key_env or not options.base_url):
        how = (
            f"set the environment variable {name}, put it in the keyring, or give --base-url for a server without keys"
        )
        raise InputError(f"no key: {how}")
    return OpenAI(argument, options, key)


def _reply(body: bytes) -> Reply:
    try:
        found = msgspec.json.decode(body)
        text = found["choices"][0]["message"]["content"]
        usage = found.get("usage") or {}
    except (msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
        raise Retryable(f"the response is not a chat completion: {body[:80]!r}", charged=True) from error
    if not isinstance(text, str):
        raise QuestionFailed("the response holds no text", charged=True)
    return Reply(text, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    plausible = type(value) is int and 0 <= value < 2**31
    return value if plausible else None


def _message(body: bytes) -> str:
    try:
        said = msgspec.json.decode(body)["error"]
        text = said["message"] if isinstance(said, dict) else said
        code = said.get("code") if isinstance(said, dict) else None
        return f"{text} ({code})" if code else str(text)
    except (msgspec.DecodeError, LookupError, TypeError):
        return body[:200].decode("utf-8", "replace").strip() or "no reason given"
