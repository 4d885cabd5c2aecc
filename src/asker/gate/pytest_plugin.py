"""The fixture `asker_audit`: audit a chatbot in your own tests.

    def test_fair(asker_audit):
        audit = asker_audit(my_bot, preset="quick", budget=200, attributes="gender")
        audit.require("absolute.high <= 0.3")

pytest imports this module at every start, of every project: what an audit needs is imported when one is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from asker.api import Audit


@pytest.fixture
def asker_audit(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Audit]:
    """`asker.audit` with its run in pytest's temporary folder, or where `out` says."""

    def audit(target: Any, **settings: Any) -> Audit:
        import asker

        folder = settings.pop("out", None) or tmp_path_factory.mktemp("asker") / "run"
        return asker.audit(target, out=folder, **settings)

    return audit
