"""Tencent's chatbot. Needs: TENCENTCLOUD_SECRET_ID, TENCENTCLOUD_SECRET_KEY. Example: tencent:ap-guangzhou

The action ChatBot of the service `nlp`, one signed POST a question, each alone: it has no conversations. It answers in
Chinese, and by itself: no seed reaches it. Errors come with status 200 and a code, which decides what they mean.
"""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import msgspec

from asker.errors import InputError, QuestionFailed, Retryable, TargetError, TargetUnusable
from asker.targets import Options
from asker.targets._http import Http
from asker.targets._service import address, decoded, needed_key, nonsense, trouble
from asker.targets._tc3 import Request, authorization
from asker.types import Reply

OBEYS = ("base_url",)
HOME = "https://nlp.tencentcloudapi.com"
SERVICE, ACTION, VERSION, REGION = "nlp", "ChatBot", "2019-04-08", "ap-guangzhou"
JSON = "application/json; charset=utf-8"
ID, KEY = "TENCENTCLOUD_SECRET_ID", "TENCENTCLOUD_SECRET_KEY"
# What a code begins with; the longest that fits decides. Others are the question's own: a text it will not have.
_PASSES = ("RequestLimitExceeded", "InternalError", "ResourceInUse", "ResourceInsufficient")
_ENDS = (
    "AuthFailure", "UnauthorizedOperation", "UnsupportedRegion", "UnsupportedOperation", "ResourceUnavailable",
    "ResourceNotFound", "LimitExceeded", "ResourceInsufficient.QuotaRunOut", "InvalidParameter.InvalidAction",
    "InvalidAction", "NoSuchVersion", "NoSuchProduct", "IpInBlacklist", "IpNotInWhitelist", "ActionOffline",
)  # fmt: skip


class Tencent:
    """One signed request per question."""

    parallel = True

    def __init__(self, region: str, options: Options, secret_id: str, secret_key: str) -> None:
        self.secrets = (secret_key, secret_id)
        self._region, self._url = region, address(options.base_url, HOME) + "/"
        self._host = urlsplit(self._url).netloc
        self._http = Http({})

    def describe(self) -> dict[str, str]:
        about = {"kind": "tencent", "name": "Tencent Chat", "url": self._url}
        return about | {"action": ACTION, "version": VERSION, "region": self._region}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        body = msgspec.json.encode({"Query": prompt, "Flag": 0})  # 0: for everybody, 1: for children
        response = await self._http.send("POST", self._url, body, self._headers(body))
        found = decoded(response).get("Response")
        if response.status != 200 and not isinstance(found, dict):
            raise trouble(response, None, f"{ID} and {KEY}")
        if not isinstance(found, dict):
            raise nonsense(response, "an answer of Tencent Cloud")
        if isinstance(error := found.get("Error"), dict):
            raise _refusal(str(error.get("Code")), str(error.get("Message"))[:300])
        if not isinstance(said := found.get("Reply"), str):
            raise nonsense(response, "an answer of the action ChatBot")
        return Reply(said)

    def _headers(self, body: bytes) -> dict[str, str]:
        secret_key, secret_id = self.secrets
        request = Request(SERVICE, self._host, JSON, int(time.time()), body)
        return {
            "Content-Type": JSON,
            "Authorization": authorization(request, secret_id, secret_key),
            "X-TC-Action": ACTION,
            "X-TC-Version": VERSION,
            "X-TC-Region": self._region,
            "X-TC-Timestamp": str(request.timestamp),
        }

    async def close(self) -> None:
        await self._http.close()


def create(argument: str, options: Options) -> Tencent:
    if argument and not argument.replace("-", "").isalnum():
        raise InputError(f"'{argument}' is no region of Tencent Cloud. Use --target tencent, or tencent:{REGION}")
    return Tencent(argument or REGION, options, needed_key("tencent", ID), needed_key("tencent", KEY))


def _refusal(code: str, said: str) -> TargetError:
    """The error a code stands for."""
    if code == "AuthFailure.SignatureExpire":
        return TargetUnusable(f"this machine's clock is wrong: requests may be five minutes old ({code}: {said})")
    if code.startswith("AuthFailure"):
        return TargetUnusable(f"the service refused the key ({code}): {said}. Check {ID} and {KEY}")
    fitting = max((one for one in _PASSES + _ENDS if code.startswith(one)), key=len, default="")
    if fitting in _ENDS:
        return TargetUnusable(f"Tencent Cloud will not answer ({code}): {said}")
    return Retryable(f"{code}: {said}") if fitting else QuestionFailed(f"{code}: {said}")
