"""Work in a process of its own, to see the most memory that it takes."""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Callable
from typing import Any


def apart(work: Callable[..., Any], *arguments: object) -> tuple[Any, float]:
    """What the work gave, and the most memory of its process, in MB. It starts from nothing: a fork would have ours."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, work, arguments))
    process.start()
    theirs.close()
    try:
        found: tuple[Any, float] = ours.recv()
    except EOFError as error:
        raise RuntimeError(f"{work.__name__} failed: see above") from error
    finally:
        process.join()
    return found


def _work(pipe: Any, work: Callable[..., Any], arguments: tuple[object, ...]) -> None:
    found = work(*arguments)
    pipe.send((found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000))  # kilobytes, on Linux
