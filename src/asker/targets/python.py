"""Any Python function as a chatbot, sync or async. Needs: nothing. Example: python:package.module:function"""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from asker.errors import InputError, QuestionFailed
from asker.targets import Options
from asker.types import Reply

HOW = "Use --target python:module:function, with the module on the path or in this folder"


class PythonTarget:
    """Calls the function with the question. Seeds are its own business: it may take one as `seed`."""

    parallel = True

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function, self._name = function, name
        self._takes_seed = "seed" in inspect.signature(function).parameters

    def describe(self) -> dict[str, str]:
        return {"kind": "python", "function": self._name}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        more = {"seed": seed} if self._takes_seed else {}
        try:
            if inspect.iscoroutinefunction(self._function):
                said = await self._function(prompt, **more)
            else:
                said = await asyncio.to_thread(self._function, prompt, **more)
        except Exception as error:  # a user's function may raise anything; the run goes on and shows it
            raise QuestionFailed(f"{self._name} raised {type(error).__name__}: {error}") from error
        if not isinstance(said, str):
            raise QuestionFailed(f"{self._name} returned {type(said).__name__}, not text")
        return Reply(said)

    async def close(self) -> None:
        pass


def create(argument: str, options: Options) -> PythonTarget:
    module, _, name = argument.partition(":")
    if not module or not name:
        raise InputError(f"'python:{argument}' does not name a function. {HOW}")
    sys.path.insert(0, str(Path.cwd()))
    try:
        function = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise InputError(f"there is no module '{error.name}' for python:{argument}. {HOW}") from error
    except AttributeError as error:
        raise InputError(f"the module '{module}' has no '{name}'. {HOW}") from error
    finally:
        sys.path.pop(0)
    if not callable(function):
        raise InputError(f"'{name}' in '{module}' is not a function. {HOW}")
    return PythonTarget(function, argument)
