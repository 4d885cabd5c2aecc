"""Services on loopback that speak as Cleverbot, Pandorabots and Tencent Cloud do, and refuse what those refuse."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from datetime import UTC, datetime

from aiohttp import web

from loopback import Loopback


class Service(Loopback):
    """Every path is its own business. `mood` makes it misbehave: a status to answer with, or None to cut the line."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[web.Request] = []
        self.mood: list[int | None] = []  # one for each request to come; then all is well

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.requests.append(request)
        if self.mood:
            mood = self.mood.pop(0)
            if mood is not None:
                return web.Response(status=mood, text=f"trouble at {request.url}", headers={"Retry-After": "0"})
            assert request.transport is not None
            request.transport.abort()
        return self.reply(request, body)

    def reply(self, request: web.Request, body: bytes) -> web.StreamResponse:
        raise NotImplementedError


class Cleverbot(Service):
    """The state it hands out holds all that was said, as the real one's does."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key

    def reply(self, request: web.Request, body: bytes) -> web.StreamResponse:
        asked = request.query
        if request.path != "/getreply" or request.method != "GET":
            return _refuse(404, "API not found")
        if asked.get("key") != self.key:
            return _refuse(401, "Missing or invalid API key")
        if len(str(request.url)) > 65536:
            return _refuse(413, "Request too large")
        past = json.loads(base64.urlsafe_b64decode(asked["cs"])) if asked.get("cs") else []
        said = f"You said {asked['input']}" + (f" after {past[-1]}" if past else "")
        state = base64.urlsafe_b64encode(json.dumps([*past, asked["input"]]).encode()).decode()
        return web.json_response({"cs": state, "output": said, "interaction_count": str(len(past) + 1)})


def _refuse(status: int, said: str) -> web.Response:
    return web.json_response({"status": str(status), "error": said}, status=status)


class Pandorabots(Service):
    """One bot for everybody with its key, and one of an account. It knows its clients again."""

    def __init__(self, botkey: str, user_key: str) -> None:
        super().__init__()
        self.keys = {"/talk": ("botkey", botkey), "/talk/app1/mine": ("user_key", user_key)}
        self.compiled = True
        self.clients: list[str] = []

    def reply(self, request: web.Request, body: bytes) -> web.StreamResponse:
        asked = request.query
        if request.path not in self.keys:
            return _error(404, "Bot not found")
        name, key = self.keys[request.path]
        if asked.get(name) != key:
            return _error(401, "unauthorized")
        if request.method != "POST" or not asked.get("input"):
            return _error(400, "input required")
        if not self.compiled:
            return _error(412, "Bot needs to be verified")
        client = asked.get("client_name", "")
        said = (
            [f"You said {asked['input']}.", "And we have met."] if client in self.clients else ["Hello.", "New here?"]
        )
        self.clients.append(client)
        return web.json_response({"status": "ok", "responses": said, "sessionid": 7, "client_name": client})


def _error(status: int, said: str) -> web.Response:
    return web.json_response({"status": "error", "message": said}, status=status)


class TencentCloud(Service):
    """Checks each signature from what came over the wire, step by step as "Signature v3" describes it."""

    def __init__(self, secret_id: str, secret_key: str) -> None:
        super().__init__()
        self.secret_id, self.secret_key = secret_id, secret_key
        self.clock = time.time
        self.codes: list[str] = []  # of errors to answer with

    def reply(self, request: web.Request, body: bytes) -> web.StreamResponse:
        wrong = self._wrong(request, body) or (self.codes.pop(0) if self.codes else None)
        if wrong:
            return web.json_response({"Response": {"Error": {"Code": wrong, "Message": "no"}, "RequestId": "1"}})
        asked = json.loads(body)["Query"]
        return web.json_response({"Response": {"Reply": f"你说{asked}", "Confidence": 0.9, "RequestId": "1"}})

    def _wrong(self, request: web.Request, body: bytes) -> str | None:
        if abs(self.clock() - int(request.headers["X-TC-Timestamp"])) > 300:
            return "AuthFailure.SignatureExpire"
        if f"Credential={self.secret_id}/" not in request.headers["Authorization"]:
            return "AuthFailure.SecretIdNotFound"
        headers = {name.lower(): value for name, value in request.headers.items()}
        if not well_signed(request.method, request.query_string, headers, body, self.secret_key):
            return "AuthFailure.SignatureFailure"
        if (request.headers["X-TC-Action"], request.headers["X-TC-Version"]) != ("ChatBot", "2019-04-08"):
            return "InvalidAction"
        return None if request.headers.get("X-TC-Region") else "MissingParameter"


def well_signed(method: str, query: str, headers: dict[str, str], body: bytes, secret_key: str) -> bool:
    """Whether the header Authorization fits the request; nothing of ours is used here but the published algorithm."""
    algorithm, _, rest = headers["authorization"].partition(" ")
    credential, signed_headers, signature = (part.split("=", 1)[1] for part in rest.split(", "))
    _, date, service, last = credential.rsplit("/", 3)
    lines = [method, "/", query]
    lines += [f"{name}:{headers[name].strip().lower()}" for name in signed_headers.split(";")]
    lines += ["", signed_headers, hashlib.sha256(body).hexdigest()]
    request = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    told = "\n".join([algorithm, headers["x-tc-timestamp"], f"{date}/{service}/{last}", request])
    by_date = hmac.digest(b"TC3" + secret_key.encode(), date.encode(), "sha256")
    by_service = hmac.digest(by_date, service.encode(), "sha256")
    expected = hmac.digest(hmac.digest(by_service, last.encode(), "sha256"), told.encode(), "sha256").hex()
    day = datetime.fromtimestamp(int(headers["x-tc-timestamp"]), UTC).date().isoformat()
    return algorithm == "TC3-HMAC-SHA256" and day == date and hmac.compare_digest(expected, signature)
