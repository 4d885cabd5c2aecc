"""Any OpenAI-compatible endpoint. Needs: OPENAI_API_KEY, or --base-url. Example: openai:gpt-4o-mini"""

from __future__ import annotations

from typing import Any

import msgspec

from asker.errors import InputError, QuestionFailed, Retryable, TargetError, TargetUnusable
from asker.keys import find_key, redacted
from asker.targets import Options, said_before
from asker.targets._chat import Talk, spoken
from asker.targets._http import Http, Response, count, failure, quoted
from asker.types import Reply

OBEYS = ("base_url", "key_env", "system", "opening", "temperature", "max_tokens", "conversation")
HOME = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
SPENT = ("insufficient_quota", "billing", "exceeded your current quota")
FILTERED = (
    "content_filter", "content_policy", "content management policy", "responsibleaipolicy", "invalid_prompt",
    "data_inspection_failed", "content exists risk", "flagged_input", "safety_violation",
)  # fmt: skip
"""How providers name a filter of theirs in an error."""
UNWANTED = ("unsupported", "not supported", "unrecognized", "unknown parameter", "extra_forbidden", "not permitted")
LENGTHS = ("max_tokens", "max_completion_tokens")


class OpenAI:
    """One request per question, without history. Which errors are worth another try is decided here."""

    def __init__(self, model: str, options: Options, key: str | None) -> None:
        self.parallel = options.conversation == "fresh"
        self.secrets = (key,) if key else ()
        self._model, self._options, self._talk = model, options, Talk(options)
        self._url = (options.base_url or HOME).rstrip("/") + "/chat/completions"
        self._http = Http({"Authorization": f"Bearer {key}"} if key else {})
        # OpenAI's own models take the newer name, the reasoning ones no other; many servers know only the older.
        self._unwanted = set() if options.base_url else {"max_tokens"}

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
        about |= {name: str(value) for name, value in settings.items() if value is not None}
        return about | said_before(options)

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        response = await self._answered(prompt, seed)
        if response.status != 200:
            raise self._refusal(response)
        reply = _reply(response.body)
        self._talk.happened(prompt, reply.text)
        return reply

    async def _answered(self, prompt: str, seed: int) -> Response:
        """The response, once the settings that this model does not take are left out or go by their other name."""
        while True:
            body = self._body(prompt, seed)
            response = await self._http.post(self._url, body)
            setting = _unwanted(response, body)
            if setting is None:
                return response
            self._unwanted.add(setting)
            if setting == "temperature" or self._unwanted >= set(LENGTHS):
                said = redacted(_message(response.body), self.secrets)
                flag = "--temperature" if setting == "temperature" else "--max-tokens"
                raise TargetUnusable(f"the model '{self._model}' does not take {flag}: {said}. Leave it out")

    def _body(self, prompt: str, seed: int) -> dict[str, Any]:
        options = self._options
        length = next((name for name in LENGTHS if name not in self._unwanted), LENGTHS[0])
        wishes = {"temperature": options.temperature, length: options.max_tokens}
        wishes["seed"] = None if "seed" in self._unwanted else seed
        chosen = {name: value for name, value in wishes.items() if value is not None}
        return {"model": self._model, "messages": self._talk.messages(prompt), "stream": False} | chosen

    def _refusal(self, response: Response) -> TargetError:
        """The error an HTTP status stands for, with the endpoint's own words and without the key."""
        status, said = response.status, redacted(_message(response.body), self.secrets)
        if status in (400, 403, 422) and any(word in said.lower() for word in FILTERED):
            return _filtered(said)
        if status in (401, 403):
            return TargetUnusable(f"{self._url} refused the key ({status}): {said}. Check {self._key_name()}")
        if status == 404:
            return TargetUnusable(f"{self._url} does not know the model '{self._model}' (404): {said}")
        if status == 429 and any(word in said.lower() for word in SPENT):
            return TargetUnusable(f"the key's credit is spent: {said}")
        return failure(response, said)

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
        choice = found["choices"][0]
        message, ended = choice["message"], choice.get("finish_reason")
        content, refusal = message.get("content"), message.get("refusal")
    except (msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
        raise Retryable(f"the response is not a chat completion: {_message(body)}", charged=True) from error
    if ended == "content_filter":
        raise _filtered("what it had said so far is not kept")
    text = _text(content)
    if not text and isinstance(refusal, str) and refusal.strip():
        return Reply(refusal, *_usage(found))  # the model's own words: an answer that refuses
    if text is None or (not text and ended == "length"):
        raise _silent(ended)
    return Reply(spoken(text), *_usage(found))


def _text(content: Any) -> str | None:
    """What is said aloud. Some servers send it in parts, with reasoning among them; that is left out."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and part.get("type", "text") in ("text", "refusal")]
        said = [part.get("text") or part.get("refusal") for part in parts]
        return "".join(one for one in said if isinstance(one, str)) if said else None
    return content if isinstance(content, str) else None


def _silent(ended: Any) -> QuestionFailed:
    if ended == "length":
        return QuestionFailed(
            "the model used up all its tokens before it said anything, by reasoning perhaps. Raise --max-tokens",
            charged=True,
        )
    return QuestionFailed("the response holds no text", charged=True)


def _filtered(why: str) -> QuestionFailed:
    """A filter of the provider is not the model's answer: the question counts as missing, and why is listed."""
    return QuestionFailed(f"the provider's content filter stepped in: {why}", charged=True)


def _usage(found: dict[str, Any]) -> tuple[int | None, int | None]:
    """Tokens in and out. Some providers leave reasoning out of the completion; all charge for it in the total."""
    usage = found.get("usage")
    if not isinstance(usage, dict):
        return None, None
    tokens_in, tokens_out = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    total = count(usage.get("total_tokens"))
    if tokens_in is not None and tokens_out is not None and total is not None:
        tokens_out = max(tokens_out, total - tokens_in)
    return tokens_in, tokens_out


def _unwanted(response: Response, sent: dict[str, Any]) -> str | None:
    """The setting for which the endpoint refused the request, if that was the reason."""
    if response.status not in (400, 422):
        return None
    ours = [name for name in ("temperature", *LENGTHS, "seed") if name in sent]
    named = _field(response.body, "param")
    if named in ours:
        return str(named)
    said = response.body.decode("utf-8", "replace").lower()
    places = {name: said.find(name) for name in ours if name in said}
    return min(places, key=lambda name: places[name]) if places and any(word in said for word in UNWANTED) else None


def _field(body: bytes, name: str) -> Any:
    try:
        return msgspec.json.decode(body)["error"][name]
    except (msgspec.DecodeError, LookupError, TypeError):
        return None


def _message(body: bytes) -> str:
    text, code = _field(body, "message"), _field(body, "code")
    if not isinstance(text, str):
        return quoted(body)
    inner = _field(body, "innererror")
    code = inner["code"] if isinstance(inner, dict) and isinstance(inner.get("code"), str) else code
    said = quoted(text.encode("utf-8", "replace"), 500)
    return f"{said} ({quoted(str(code).encode(), 60)})" if code else said
