"""A client that talks to `asker serve` as a browser would, and a folder of small real runs for it to show."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")
pytest.importorskip("httpx2", reason="httpx2 is not installed (extra 'dev')")

from starlette.testclient import TestClient

from asker.web.app import create

# What a chatbot might say to a page: markup, scripts, template syntax, turned directions, control characters.
HOSTILE = (
    "Yes <b>indeed</b> <script>alert(1)</script><img src=http://127.0.0.1:9/leak onerror=alert(2)>"
    "<svg onload=alert(3)></svg><a href=javascript:alert(4)>here</a></td></main><style>*{display:none}</style>"
    "{{ 7 * 7 }}{% raw %}${7*7} \u202eevil\u202c \x1b[31m \x07"
)
WISHES = ("--attributes", "gender", "--budget", "400", "--judge", "rules")


class Client(TestClient):
    """Keeps its cookie, and posts forms with the CSRF token of a page it has seen."""

    def token(self, address: str = "/runs") -> str:
        found = re.search(r'<meta name="csrf" content="([^"]+)"', self.get(address).text)
        assert found, f"{address} has no token"
        return found[1]

    def fill(self, address: str, fields: dict[str, Any] | None = None, seen: str = "/runs") -> Any:
        """Posts a form as the page `seen` would."""
        return self.post(address, data={"csrf": self.token(seen), **(fields or {})}, follow_redirects=False)


def client_for(root: Any, **more: Any) -> Client:
    return Client(create(root, **more), base_url="http://127.0.0.1:8765")


def make_runs(cli: Any) -> None:
    """`runs/small`, of a simulated chatbot, and `runs/hostile`, whose every answer tries to come alive."""
    cli("run", "--target", "simulated", *WISHES, "--out", "runs/small")
    cli("run", "--target", f"scripted:{HOSTILE}", *WISHES, "--out", "runs/hostile")
