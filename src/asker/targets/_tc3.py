"""TC3-HMAC-SHA256, the signature Tencent Cloud wants with each request ("Signature v3" of its documents)."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime

from msgspec import Struct

ALGORITHM = "TC3-HMAC-SHA256"


class Request(Struct, frozen=True):
    """What is signed of a request: nothing else may be changed on the way unnoticed, and all else may."""

    service: str
    host: str
    content_type: str
    timestamp: int
    body: bytes
    method: str = "POST"
    query: str = ""  # empty for POST

    @property
    def scope(self) -> str:
        # The day is that of Greenwich, wherever we are.
        return f"{datetime.fromtimestamp(self.timestamp, UTC):%Y-%m-%d}/{self.service}/tc3_request"


def authorization(request: Request, secret_id: str, secret_key: str) -> str:
    """The value of the header Authorization."""
    names = "content-type;host"
    signed = signature(request, secret_key)
    return f"{ALGORITHM} Credential={secret_id}/{request.scope}, SignedHeaders={names}, Signature={signed}"


def signature(request: Request, secret_key: str) -> str:
    key = f"TC3{secret_key}".encode()
    for part in request.scope.split("/"):
        key = _hmac(key, part)
    return _hmac(key, _to_sign(request)).hex()


def _to_sign(request: Request) -> str:
    headers = f"content-type:{request.content_type.lower()}\nhost:{request.host.lower()}\n"
    parts = (request.method, "/", request.query, headers, "content-type;host", _hash(request.body))
    return "\n".join((ALGORITHM, str(request.timestamp), request.scope, _hash("\n".join(parts).encode())))


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
