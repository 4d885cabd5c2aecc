"""How a case is asked: a form, with or without thinking step by step."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from asker.errors import UnknownName
from asker.logic.wording import Told
from asker.suites.logic.about import Truth
from asker.types import Option

TWO_WAY = (
    Option("valid", "the conclusion follows"),
    Option("invalid", "the conclusion does not follow"),
    Option("neutral", "no decision"),
)
THREE_WAY = (
    Option("entailed", "the statement follows"),
    Option("contradicted", "its denial follows"),
    Option("undetermined", "neither follows"),
    Option("neutral", "no decision"),
)
STEPS = "-steps"
DEFAULT = ("valid", "follows")
OWN = "question"  # the form of cases that bring their own question


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: int
    prompt: str
    plain: str
    steps: str
    list: str | None = None  # what stands between premises on one line; without: a numbered line for each


class Asking(msgspec.Struct, frozen=True):
    """A form in one language, ready to be filled."""

    name: str
    form: Form
    how: str

    @property
    def options(self) -> tuple[Option, ...]:
        return TWO_WAY if self.form.options == 2 else THREE_WAY

    def right(self, truth: Truth) -> str:
        """The label of the right answer."""
        if self.form.options == 3:
            return truth
        return "valid" if truth == "entailed" else "invalid"

    def fill(self, case: Told, numbered: bool = True) -> str:
        if not numbered:
            premises = "\n".join(case.premises)
        elif self.form.list is not None:
            premises = self.form.list.join(one.rstrip(".。") for one in case.premises)
        else:
            premises = "\n".join(f"{place}. {one}" for place, one in enumerate(case.premises, 1))
        filled = self.form.prompt.replace("{premises}", premises).replace("{conclusion}", case.conclusion)
        return filled.replace("{how}", self.how).strip()


@cache
def _forms(language: str) -> dict[str, Form]:
    text = (files("asker.suites.logic") / f"forms.{language}.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, Form])


def names(own: bool = False) -> tuple[str, ...]:
    """Of cases that we make; of `own`, those of cases that bring their question."""
    plain = tuple(one for one in _forms("en") if (one == OWN) == own)
    return (*plain, *(f"{one}{STEPS}" for one in plain))


def asking(name: str, language: str, own: bool = False) -> Asking:
    if name not in names(own):
        raise UnknownName("form", name, names(own), "--forms")
    form = _forms(language)[name.removesuffix(STEPS)]
    return Asking(name, form, form.steps if name.endswith(STEPS) else form.plain)
