"""One file per chatbot or protocol. To add one, add a file: its name is the target's name.

A target's module has `create(argument, options)`, where `--target openai:gpt-4o` hands "gpt-4o" as the argument, and
`OBEYS`, the names of the options it can fulfil.
"""

from __future__ import annotations

from typing import Literal, cast

from msgspec import Struct
from msgspec.structs import asdict

from asker import registry
from asker.errors import InputError
from asker.types import Target, Turn


class Options(Struct, frozen=True):
    """What a user may set of any target. A target that cannot obey one of them says so."""

    base_url: str | None = None
    key_env: str | None = None  # name of the environment variable that holds the key, never the key
    system: str | None = None
    opening: tuple[Turn, ...] = ()  # said before each question
    temperature: float | None = None
    max_tokens: int | None = None
    conversation: Literal["fresh", "shared"] = "fresh"  # shared: each question comes after all before it


def open_target(spec: str, options: Options | None = None) -> Target:
    """'alice' or 'openai:gpt-4o' -> a chatbot that can be asked."""
    name, _, argument = spec.partition(":")
    module, options = registry.load("targets", name), options or Options()
    _check(name, options, getattr(module, "OBEYS", ()))
    return cast(Target, module.create(argument, options))


def no_argument(target: str, argument: str) -> None:
    """For `create` of a target that has nothing to choose."""
    if argument:
        raise InputError(f"the target '{target}' takes no argument, not '{argument}'. Use --target {target}")


def dialogue(turns: tuple[Turn, ...]) -> str:
    """A line for each turn, and who says it."""
    return "\n".join(f"{turn.role}: {turn.text}" for turn in turns)


def said_before(options: Options) -> dict[str, str]:
    """The opening, for describe()."""
    return {"opening": dialogue(options.opening)} if options.opening else {}


def users_turns(target: str, options: Options) -> tuple[str, ...]:
    """What a chatbot that speaks for itself is told before the question; what the opening lets it say is left out."""
    found = tuple(turn.text for turn in options.opening if turn.role == "user")
    if options.opening and not found:
        raise InputError(f"the target '{target}' is told the user's turns of --opening, and this one has none")
    return found


def _check(name: str, options: Options, obeys: tuple[str, ...]) -> None:
    """A wish that a chatbot cannot fulfil is refused, rather than silently dropped from the experiment."""
    for field, default in asdict(Options()).items():
        if getattr(options, field) != default and field not in obeys:
            known = ", ".join("--" + one.replace("_", "-") for one in obeys) or "none of these settings"
            raise InputError(f"the target '{name}' cannot obey --{field.replace('_', '-')}; it knows {known}")
