"""Any Python function as a chatbot, sync or async. Needs: nothing. Example: python:package.module:function"""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

from asker.errors import InputError, QuestionFailed
from asker.targets import Options, said_before
from asker.types import Reply

OBEYS = ("system", "opening", "temperature", "max_tokens")
HOW = "Use --target python:module:function, with the module on the path or in this folder"


class PythonTarget:
    """Calls the function with the question, and with whatever else it has a parameter for: `seed`, `system`, `opening`,
    `temperature`, `max_tokens`."""

    parallel = True

    def __init__(self, function: Callable[..., Any], name: str, options: Options | None = None) -> None:
        self._function, self._name, self._options = function, name, options or Options()
        takes = _parameters(function)
        self._takes_seed = "seed" in takes
        self._more = {wish: getattr(self._options, wish) for wish in OBEYS if wish in takes}
        for wish in OBEYS:
            if getattr(self._options, wish) != getattr(Options(), wish) and wish not in takes:
                flag = "--" + wish.replace("_", "-")
                raise InputError(
                    f"{name} has no parameter '{wish}', so it cannot obey {flag}. Give it one, or leave it out"
                )

    def describe(self) -> dict[str, str]:
        about = {"kind": "python", "function": self._name, "source": _fingerprint(self._function)}
        wishes = {name: str(value) for name, value in self._more.items() if value is not None and name != "opening"}
        return about | wishes | said_before(self._options)

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        more = self._more | ({"seed": seed} if self._takes_seed else {})
        try:
            if inspect.iscoroutinefunction(self._function):
                said = await self._function(prompt, **more)
            else:
                said = await _in_thread(lambda: self._function(prompt, **more))
            if inspect.isawaitable(said):
                said = await said
        except (Exception, SystemExit) as error:  # a user's function may raise anything; the run goes on and shows it
            raise QuestionFailed(f"{self._name} raised {type(error).__name__}: {str(error)[:500]}") from error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # we were told to stop; else the function raised it itself
            raise QuestionFailed(f"{self._name} raised CancelledError") from None
        if not isinstance(said, str):
            raise QuestionFailed(f"{self._name} returned {type(said).__name__}, not text")
        return Reply(said)

    async def close(self) -> None:
        pass


async def _in_thread(work: Callable[[], Any]) -> Any:
    """Run in a thread that dies with us: one that hangs must not keep the program from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def finish(result: Any, error: BaseException | None) -> None:
        if not done.done():
            done.set_exception(error) if error else done.set_result(result)

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as caught:  # also sys.exit() in a user's function: it is that question's error
            plain = isinstance(caught, Exception) and not isinstance(caught, StopIteration)
            error = caught if plain else RuntimeError(f"{type(caught).__name__}: {caught}")
        with suppress(RuntimeError):  # the loop is gone: nobody waits any more
            loop.call_soon_threadsafe(finish, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await done


def _parameters(function: Callable[..., Any]) -> set[str]:
    """By name; a built-in may not tell."""
    try:
        return set(inspect.signature(function).parameters)
    except ValueError:
        return set()


def _fingerprint(function: Callable[..., Any]) -> str:
    """A hash of the file the function is in: a changed bot is another bot, and its answers another run."""
    try:
        file = inspect.getsourcefile(inspect.unwrap(function))
        return blake2b(Path(file or "").read_bytes(), digest_size=6).hexdigest()
    except (OSError, TypeError):  # typed into a notebook, say: no file, but code
        code = getattr(inspect.unwrap(function), "__code__", None) or getattr(type(function).__call__, "__code__", None)
        return blake2b(repr(_parts(code)).encode(), digest_size=6).hexdigest() if code else "unknown"


def _parts(code: CodeType) -> tuple[object, ...]:
    """What a piece of code does, without where it stands."""
    inner = [_parts(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.co_code, code.co_names, tuple(map(repr, inner))


def create(argument: str, options: Options) -> PythonTarget:
    module, _, name = argument.partition(":")
    if not module or not name:
        raise InputError(f"'python:{argument}' does not name a function. {HOW}")
    sys.path.insert(0, str(Path.cwd()))
    try:
        function = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        whose = f" (which '{module}' imports)" if error.name != module else ""
        raise InputError(f"there is no module '{error.name}'{whose} for python:{argument}. {HOW}") from error
    except AttributeError as error:
        raise InputError(f"the module '{module}' has no '{name}'. {HOW}") from error
    except (Exception, SystemExit) as error:  # whatever a user's module does when it is imported
        raise InputError(f"cannot import '{module}': {type(error).__name__}: {error}. {HOW}") from error
    finally:
        sys.path.pop(0)
    if not callable(function):
        raise InputError(f"'{name}' in '{module}' is not a function. {HOW}")
    return PythonTarget(function, argument, options)
