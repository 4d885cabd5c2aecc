"""What a case is, as far as figures and pages go, whoever made it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from asker.logic.model import Model, in_words
from asker.logic.prove import Proof, Result

Truth = Result | Literal["not entailed"]  # the last: somebody says "no", and not which kind of no
UNKNOWN = "unknown"


class About(Struct, frozen=True, gc=False):
    """One case: to which strata it belongs, and what is true of it."""

    number: int
    cluster: int  # cases with the same cluster are no independent evidence
    category: str
    rule: str
    rules: tuple[str, ...]
    logic: str
    length: int  # 0: nobody says
    truth: Truth
    round: int = 1
    proven: bool = True  # False: its author says so
    distractors: int = 0


class Facets(Struct, frozen=True, gc=False):
    """What a logic question is about, and what is known of it."""

    case: int
    cluster: int
    round: int
    category: str
    rule: str
    rules: tuple[str, ...]
    logic: str
    length: int
    distractors: int
    wording: str
    form: str
    truth: Truth
    proven: bool
    right: str  # the label of the right answer
    premises: tuple[str, ...]  # in signs, where there are any
    conclusion: str
    proof: str  # how it is known
    model: str  # a model that shows it; empty where none is needed


def how_known(proof: Proof) -> str:
    """The proof's status, in a sentence."""
    if proof.result == "undetermined":
        return "undetermined: the premises can be true with the conclusion, and also without it"
    used = ", ".join(str(place + 1) for place in proof.core)
    rest = f"premises {used}" if len(proof.core) > 1 else f"premise {used}" if used else "no premise at all"
    what = "entailed: the denial of the conclusion" if proof.result == "entailed" else "contradicted: the conclusion"
    return (
        f"{what} cannot be true together with {rest}" if used else f"{what} cannot be true, whatever the premises say"
    )


def models(proof: Proof) -> str:
    """The model that shows why a conclusion does not follow."""
    return _said(proof.counter_model) if proof.result != "entailed" else ""


def _said(model: Model | None) -> str:
    return in_words(model) if model else ""
