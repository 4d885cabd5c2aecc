"""A provider Inspect AI knows. Needs: `pip install 'asker-audit[inspect]'`. Example: inspect:groq/llama-3.1-8b-instant

Each provider wants its own package and key besides, as Inspect's documents list them; what is missing is said. Retries,
limits and caches are ours: Inspect's are turned off, or a question would be tried many times unseen.
"""

from __future__ import annotations

import re
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from tenacity import RetryError

from asker.errors import InputError, QuestionFailed, Retryable, TargetError, TargetUnusable
from asker.keys import find_key, redacted
from asker.targets import Options, said_before
from asker.targets._chat import Talk
from asker.targets._service import address
from asker.types import Reply

OBEYS = ("base_url", "key_env", "system", "opening", "temperature", "max_tokens", "conversation")
AT_ONCE = 1000  # how many are asked at once is for our engine to say
WORTH_A_TRY = {408, 409, 425, 429}  # and all of 5xx
SPENT = ("insufficient_quota", "billing", "credit balance", "exceeded your current quota")
_ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


class Inspect:
    """One call of Inspect's model API per question."""

    def __init__(self, name: str, options: Options, key: str | None) -> None:
        self.parallel = options.conversation == "fresh"
        self.secrets: tuple[str, ...] = (key,) if key else ()
        self._name, self._options, self._key, self._talk = name, options, key, Talk(options)
        self._model = self._opened()

    def _opened(self) -> Any:
        options = self._options
        config = GenerateConfig(
            temperature=options.temperature, max_tokens=options.max_tokens, max_retries=0, max_connections=AT_ONCE
        )
        url = address(options.base_url, "") or None
        try:
            model = get_model(self._name, config=config, base_url=url, api_key=self._key, memoize=False)
        except Exception as error:  # an unknown provider, a package or a key that is missing: it says which
            raise InputError(f"Inspect cannot open '{self._name}': {_words(error)}") from error
        self.secrets += tuple(key for key in (getattr(model.api, "api_key", None),) if isinstance(key, str) and key)
        client: Any = getattr(model.api, "client", None)
        if hasattr(client, "max_retries"):
            client.max_retries = 0  # the providers' own clients try again too
        return model

    def describe(self) -> dict[str, str]:
        options = self._options
        wishes = {"system": options.system, "temperature": options.temperature, "max_tokens": options.max_tokens}
        about = {"kind": "inspect", "name": self._name.rpartition("/")[2], "model": self._name}
        about |= {"url": options.base_url} if options.base_url else {}
        about |= {"conversation": options.conversation} | said_before(options)
        return about | {name: str(value) for name, value in wishes.items() if value is not None}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        messages = [_message(one) for one in self._talk.messages(prompt)]
        try:
            output = await self._model.generate(messages, config=GenerateConfig(seed=seed), cache=False)
        except Exception as error:
            raise self._trouble(error) from error
        reply = _reply(output)
        self._talk.happened(prompt, reply.text)
        return reply

    def _trouble(self, error: BaseException) -> TargetError:
        """What a provider's exception stands for. Each has classes of its own; Inspect tells which may pass."""
        again = isinstance(error, RetryError)  # Inspect's way to say that it would have tried again
        if isinstance(error, RetryError):
            error = error.last_attempt.exception() or error
        causes, absent = _causes(error), _unreachable(error)
        telling = next((one for one in causes if _status(one)), causes[-1])
        said, status = redacted(_words(telling), self.secrets), _status(telling)
        if self._model.api.is_auth_failure(error) or status in (401, 403):
            return TargetUnusable(f"'{self._name}' refused the key: {said}")
        if any(word in f"{said} {getattr(telling, 'code', '')}".lower() for word in SPENT):
            return TargetUnusable(f"the key's credit is spent: {said}")
        if status == 404:
            return TargetUnusable(f"the provider does not know the model '{self._name}': {said}")
        charged = status is None and not absent  # it may have answered, and been misunderstood
        if again or status in WORTH_A_TRY or (status or 0) >= 500:
            return Retryable(said, after=_after(telling), unreachable=absent, charged=charged)
        return QuestionFailed(said, charged=charged)

    async def close(self) -> None:
        await self._model.api.aclose()


def create(argument: str, options: Options) -> Inspect:
    provider, _, model = argument.partition("/")
    if not provider or not model:
        how = "for example --target inspect:mistral/mistral-large-latest"
        raise InputError(f"the target 'inspect' needs a provider and a model, {how}")
    key = find_key(options.key_env) if options.key_env else None
    if options.key_env and not key:
        raise InputError(f"no key: set the environment variable {options.key_env}, or put it in the keyring")
    return Inspect(argument, options, key)


def _message(one: dict[str, str]) -> ChatMessage:
    made: ChatMessage = _ROLES[one["role"]](content=one["content"])
    return made


def _reply(output: ModelOutput) -> Reply:
    """The text and what it cost. An answer that was filtered away is none, whoever filtered it."""
    if output.error:
        raise QuestionFailed(output.error, charged=True)
    if output.stop_reason == "content_filter":
        raise QuestionFailed("the provider's content filter kept the answer back", charged=True)
    usage = output.usage
    if usage is None:
        return Reply(output.completion)
    # What was read from or written to a provider's cache is counted apart there, and was sent all the same.
    sent = usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return Reply(output.completion, sent, usage.output_tokens)


def _status(error: BaseException) -> int | None:
    """The HTTP status, wherever the provider's library keeps it."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):  # Amazon's
        response = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    found = (
        getattr(error, "status_code", None),
        getattr(error, "code", None),
        getattr(response, "status_code", response),
    )
    return next((place for place in found if isinstance(place, int) and 100 <= place < 600), None)


def _after(error: BaseException) -> float | None:
    """The seconds a provider asks to wait."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after")))
    except (TypeError, ValueError, AttributeError):
        return None


def _causes(error: BaseException) -> list[BaseException]:
    """From the outermost to the innermost."""
    causes = [error]
    while (inner := causes[-1].__cause__ or causes[-1].__context__) is not None and inner not in causes:
        causes.append(inner)
    return causes


def _unreachable(error: BaseException) -> bool:
    """Whether nobody was there: a refused connection somewhere down the chain of causes."""
    return any(
        isinstance(one, ConnectionRefusedError) or type(one).__name__ == "ConnectError" for one in _causes(error)
    )


def _words(error: BaseException) -> str:
    """What an exception says, on one line and without the marks for colour that Inspect puts in."""
    # Of a refused request Inspect repeats the whole; what was wrong with it stands in the last line.
    said = re.sub(r"\[/?[a-z]+\]", "", str(getattr(error, "message", "") or error)).removeprefix("ERROR: ")
    said = said.strip().splitlines()[-1] if said.startswith("Request:") else " ".join(said.split())
    return said[:300] or f"{type(error).__name__}, without words"
