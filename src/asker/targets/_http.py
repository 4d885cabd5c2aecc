"""One HTTP request, with every way it can go wrong turned into our errors.

pyreqwest was chosen by measurement (benchmarks/asking.py): on two cores it makes four times the requests of aiohttp and
thirty times those of httpx.
"""

from __future__ import annotations

import time
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec
from msgspec import Struct
from pyreqwest.client import Client, ClientBuilder
from pyreqwest.exceptions import (
    BuilderError,
    ConnectTimeoutError,
    PyreqwestError,
    RedirectError,
)

from asker.errors import QuestionFailed, Retryable, TargetError, TargetUnusable, shown

CONNECT = timedelta(seconds=10)
LIMIT = 5_000_000  # bytes of one response; an answer of more is not an answer
WAIT_AND_SEE = {408, 409, 425, 429}  # and all of 5xx
JSON = {"Content-Type": "application/json"}


class Response(Struct, frozen=True):
    """What came back."""

    status: int
    body: bytes
    retry_after: float | None = None
    location: str | None = None  # where a redirect leads that was not followed


class Http:
    """A client that is opened with the first request, inside the event loop that uses it."""

    def __init__(self, headers: dict[str, str], *, follow: bool = True) -> None:
        self._headers, self._follow = headers, follow
        self._client: Client | None = None

    async def post(self, url: str, body: object) -> Response:
        """Send JSON."""
        return await self.send("POST", url, msgspec.json.encode(body), JSON)

    async def send(
        self,
        method: str,
        url: str,
        body: bytes | None,
        headers: dict[str, str],
        *,
        query: dict[str, str] | None = None,
        called: str = "",
    ) -> Response:
        """Who listens and what is said decide which error a failure is. Errors show the address as it is `called`, and
        never the query: some services want their key there."""
        where = called or url
        try:
            if self._client is None:
                builder = ClientBuilder().default_headers(self._headers).connect_timeout(CONNECT)
                self._client = builder.follow_redirects(self._follow).build()
            request = self._client.request(method, url).headers(headers).query(query or {})
            if body is not None:
                request = request.body_bytes(body)
            async with request.build_streamed() as response:
                wait, location = response.get_header("Retry-After"), response.get_header("Location")
                return Response(response.status, await _read(response), _seconds(wait), location)
        except RedirectError as error:
            raise TargetUnusable(f"{where} redirects in a circle") from error
        except BuilderError as error:
            raise TargetUnusable(f"'{where}' is not an address. Give one like http://localhost:8080/v1") from error
        except PyreqwestError as error:
            causes = _causes(error)
            # The library says ConnectError also when the connection broke later; only its words tell the two apart.
            if isinstance(error, ConnectTimeoutError) or any("(Connect)" in cause for cause in causes):
                raise Retryable(f"nobody listens at {where}: {causes[-1]}", unreachable=True) from error
            raise Retryable(f"the connection broke: {causes[-1]}", charged=True) from error

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None


def failure(response: Response, said: str) -> TargetError:
    """The error an HTTP status stands for, where nothing more is known of the server."""
    if response.status in WAIT_AND_SEE or response.status >= 500:
        return Retryable(f"HTTP {response.status}: {said}", after=response.retry_after)
    return QuestionFailed(f"HTTP {response.status}: {said}")


def count(value: Any) -> int | None:
    """A number of tokens, if it can be one: whatever a server sends ends up in sums."""
    return value if type(value) is int and 0 <= value < 2**31 else None


def quoted(body: bytes, most: int = 200) -> str:
    """The beginning of what a server sent, fit to be shown."""
    return " ".join(shown(body[: 4 * most].decode("utf-8", "replace"), most).split()) or "nothing"


async def _read(response: object) -> bytes:
    body = bytearray()
    while (chunk := await response.body_reader.read_chunk()) is not None:  # type: ignore[attr-defined]
        body += bytes(chunk)
        if len(body) > LIMIT:
            raise QuestionFailed(f"the response is larger than {LIMIT // 1_000_000} MB", charged=True)
    return bytes(body)


def _causes(error: PyreqwestError) -> list[str]:
    """From the outermost to the innermost: "connection refused" says more than "error sending request"."""
    causes = (getattr(error, "details", None) or {}).get("causes") or []
    return [error.message, *(str(cause["message"]) for cause in causes)]


def _seconds(value: str | None) -> float | None:
    """Retry-After, as the server says it: a number of seconds or a date."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
