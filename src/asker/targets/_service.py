"""What services on the web with a protocol of their own share: keys, addresses, and what an HTTP status stands for."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, quote_plus

import msgspec

from asker.errors import InputError, QuestionFailed, Retryable, TargetError, TargetUnusable
from asker.keys import find_key
from asker.targets._http import Response

WAIT_AND_SEE = {408, 409, 425, 429}  # and all of 5xx


def needed_key(target: str, name: str) -> str:
    """The key of this name, or a sentence that says where it may stand."""
    key = find_key(name)
    if not key:
        how = f"set the environment variable {name}, or put it in the keyring: keyring set asker {name}"
        raise InputError(f"the target '{target}' has no key: {how}")
    return key


def spellings(key: str) -> tuple[str, ...]:
    """A key as it may come back when it went out in an address; each is blotted out."""
    return tuple({key, *(quoted(key, safe=safe) for quoted in (quote, quote_plus) for safe in ("", "/"))})


def address(base_url: str | None, home: str) -> str:
    """Where the service is, without a slash at the end. It is kept with the run, so nothing secret may be in it."""
    if base_url and set(base_url) & set("@?#"):
        how = "keys come from the environment, and everything from '?' or '#' on is left out"
        raise InputError(f"--base-url may hold no name, password or parameters, as it is kept with the run; {how}")
    return (base_url or home).rstrip("/")


def decoded(response: Response) -> dict[str, Any]:
    """The JSON object that a response holds; {} if it holds something else, as proxies send pages of their own."""
    try:
        found = msgspec.json.decode(response.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def trouble(response: Response, said: object, key_names: str) -> TargetError:
    """The error that an HTTP status stands for, in the service's own words."""
    status = response.status
    words = str(said or response.body[:200].decode("utf-8", "replace").strip() or "no reason given")[:300]
    if status in (401, 403):
        return TargetUnusable(f"the service refused the key ({status}): {words}. Check {key_names}")
    if status == 404:
        return TargetUnusable(f"the service does not know this address or chatbot (404): {words}")
    if status in WAIT_AND_SEE or status >= 500:
        return Retryable(f"HTTP {status}: {words}", after=response.retry_after)
    return QuestionFailed(f"HTTP {status}: {words}")


def nonsense(response: Response, what: str) -> Retryable:
    """An answer that is none: may be a proxy's page, so worth another try, and may have been charged."""
    return Retryable(f"the response is not {what}: {response.body[:80]!r}", charged=True)
