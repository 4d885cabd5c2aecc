"""One HTTP request, with every way it can go wrong turned into our errors.

pyreqwest was chosen by measurement (benchmarks/asking.py): on two cores it makes four times the requests of aiohttp and
thirty times those of httpx.
"""

from __future__ import annotations

import time
from datetime import timedelta
from email.utils import parsedate_to_datetime

import msgspec
from msgspec import Struct
from pyreqwest.client import Client, ClientBuilder
from pyreqwest.exceptions import (
    BuilderError,
    ConnectTimeoutError,
    PyreqwestError,
    RedirectError,
)

from asker.errors import QuestionFailed, Retryable, TargetUnusable

CONNECT = timedelta(seconds=10)
LIMIT = 5_000_000  # bytes of one response; an answer of more is not an answer


class Response(Struct, frozen=True):
    """What came back."""

    status: int
    body: bytes
    retry_after: float | None = None


class Http:
    """A client that is opened with the first request, inside the event loop that uses it."""

    def __init__(self, headers: dict[str, str]) -> None:
        self._headers = headers
        self._client: Client | None = None

    async def post(self, url: str, body: object) -> Response:
        """Send JSON."""
        return await self.send("POST", url, {"Content-Type": "application/json"}, body=msgspec.json.encode(body))

    async def send(
        self, method: str, url: str, headers: dict[str, str], *, query: dict[str, str] | None = None, body: bytes = b""
    ) -> Response:
        """Who listens and what is said decide which error a failure is. Errors name the address without its query: some
        services want their key there."""
        try:
            if self._client is None:
                self._client = ClientBuilder().default_headers(self._headers).connect_timeout(CONNECT).build()
            request = self._client.request(method, url).headers(headers).query(query or {})
            async with request.body_bytes(body).build_streamed() as response:
                return Response(response.status, await _read(response), _seconds(response.get_header("Retry-After")))
        except RedirectError as error:
            raise TargetUnusable(f"{url} redirects in a circle") from error
        except BuilderError as error:
            raise TargetUnusable(f"'{url}' is not an address. Give one like http://localhost:8080/v1") from error
        except PyreqwestError as error:
            causes = _causes(error)
            # The library says ConnectError also when the connection broke later; only its words tell the two apart.
            if isinstance(error, ConnectTimeoutError) or any("(Connect)" in cause for cause in causes):
                raise Retryable(f"nobody listens at {url}: {causes[-1]}", unreachable=True) from error
            raise Retryable(f"the connection broke: {causes[-1]}", charged=True) from error

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None


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
