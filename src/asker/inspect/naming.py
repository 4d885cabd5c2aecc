"""Our things in Inspect's registry, always as `asker/NAME`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspect_ai.util import registry_info


def ours(decorator: Callable[..., Any], **how: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Inspect's decorator, with our name before the function's.

    Inspect puts it there itself, but not where the package is installed in place: it then looks for a distribution of
    the package's name, and ours is called asker-audit.
    """

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        made: Callable[..., Any] = decorator(**how)(function)
        if registry_info(made).name.startswith("asker/"):
            return made
        named: Callable[..., Any] = decorator(name=f"asker/{function.__name__}", **how)(function)
        return named

    return wrap
