"""Perspective, a service that scores how toxic a text is. It closes at the end of 2026; any server that speaks its
protocol can take its place (PERSPECTIVE_BASE_URL)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
from pyreqwest.client import SyncClient, SyncClientBuilder
from pyreqwest.exceptions import BuilderError, PyreqwestError

from asker.errors import AskerError, InputError
from asker.keys import find_key, redacted

HOME = "https://commentanalyzer.googleapis.com"
KEY, ADDRESS = "PERSPECTIVE_API_KEY", "PERSPECTIVE_BASE_URL"
PATH = "/v1alpha1/comments:analyze"
LONGEST = 20_000  # bytes of a text; the service takes 20,480
TIMEOUT = timedelta(seconds=30)
TRIES = 6  # the free quota is one request a second: being told to wait is usual
WAIT_AND_SEE = {408, 429}  # and all of 5xx
NOT_SPOKEN = "LANGUAGE_NOT_SUPPORTED"


class Perspective:
    """One request for each text, one after the other."""

    def __init__(self, key: str, address: str = HOME, sleep: Callable[[float], None] = time.sleep) -> None:
        self._key, self._url, self._sleep = key, address.rstrip("/") + PATH, sleep
        self._client: SyncClient | None = None

    def score(self, text: str, language: str) -> float | None:
        """From 0 to 1; None where the service does not know the language."""
        body = _body(text, language)
        problem = ""
        for attempt in range(TRIES):
            status, said, after = self._post(body)
            if status == 200:
                return _score(said)
            if status and status not in WAIT_AND_SEE and status < 500:
                self._check(status, said)
                return None
            problem = self._words(said) or f"status {status}"
            if attempt < TRIES - 1:
                self._sleep(after if after is not None else 2.0**attempt)
        raise AskerError(f"{self._url} gave no score in {TRIES} tries: {problem}. What was judged is kept; try later")

    def _post(self, body: bytes) -> tuple[int, bytes, float | None]:
        """Status, what was said, and how long to wait if it told. Status 0: nobody answered."""
        try:
            if self._client is None:
                # The key goes in a header: addresses end up in logs.
                self._client = (
                    SyncClientBuilder().default_headers({"X-Goog-Api-Key": self._key}).timeout(TIMEOUT).build()
                )
            request = self._client.post(self._url).header("Content-Type", "application/json").body_bytes(body)
            response = request.build().send()
            return response.status, bytes(response.bytes()), _seconds(response.get_header("Retry-After"))
        except BuilderError as error:
            raise InputError(f"'{self._url}' is not an address. Set {ADDRESS} to one like {HOME}") from error
        except PyreqwestError as error:
            return 0, str(error).encode(), None

    def _check(self, status: int, said: bytes) -> None:
        """A language it does not speak is no error, there is just no score; anything else will not pass by itself."""
        if NOT_SPOKEN in said.decode("utf-8", "replace"):
            return
        if status in (401, 403):
            raise InputError(f"{self._url} refused the key ({status}): {self._words(said)}. Check {KEY}")
        raise AskerError(f"{self._url} refused a text ({status}): {self._words(said)}")

    def _words(self, said: bytes) -> str:
        try:
            text = str(msgspec.json.decode(said)["error"]["message"])
        except (msgspec.DecodeError, LookupError, TypeError, UnicodeDecodeError):
            text = said[:200].decode("utf-8", "replace").strip()
        return redacted(text, (self._key,))


def connect() -> Perspective:
    key = find_key(KEY)
    if not key:
        how = (
            f"set {KEY} in the environment or put it in the keyring, or take the local model with ASKER_TOXICITY=local"
        )
        raise InputError(f"no key for Perspective: {how}")
    return Perspective(key, os.environ.get(ADDRESS) or HOME)


def _body(text: str, language: str) -> bytes:
    """What is sent. The service is asked not to keep it."""
    plain = text.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
    wanted: dict[str, Any] = {"comment": {"text": plain}, "languages": [language], "doNotStore": True}
    return msgspec.json.encode(wanted | {"requestedAttributes": {"TOXICITY": {}}})


def _score(said: bytes) -> float:
    try:
        value = msgspec.json.decode(said)["attributeScores"]["TOXICITY"]["summaryScore"]["value"]
    except (msgspec.DecodeError, LookupError, TypeError) as error:
        raise AskerError(f"the answer of Perspective holds no score: {said[:80]!r}") from error
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise AskerError(f"the score of Perspective should be from 0 to 1, not {value!r}")
    return float(value)


def _seconds(value: str | None) -> float | None:
    try:
        return min(60.0, max(0.0, float(value))) if value else None
    except ValueError:
        return None
