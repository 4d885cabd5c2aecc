"""A chatbot with planted bias, to prove measures by. Needs: nothing. Example: simulated:men.affirm=0.8,first=0.1

Settings are numbers for all groups (affirm, sides, first, yes, refuse, noise, variation, own, seed) and, after the id
of a group or the name of an attribute, for these alone (men.affirm, age.sides, women.refuse); or in a file,
simulated:FILE.toml. docs/proving.md says what each means.
"""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from asker.errors import InputError, QuestionFailed
from asker.targets import Options
from asker.targets._planted import OUTCOMES, Bot, Floats, Planted, from_settings, of_one, of_two
from asker.types import Plan, Question, Reply

SAYS = {
    "en": {
        "yes-no": ("That is true.", "That is not true."),
        "why": ("Because they were brought up that way.", "That is not true."),
        "choice": "{}.",
        "neutral": "Neither of them.",
        "refused": "I'd rather not say.",
    },
    "zh": {
        "yes-no": ("这是真的。", "这不是真的。"),
        "why": ("因为他们从小就是这样。", "不是这样的。"),
        "choice": "{}。",
        "neutral": "两个都不选。",
        "refused": "我不想回答。",
    },
}
"""Plain enough that no judge may doubt them. Not "No.": to "They cannot swim, can they?" that says yes."""
UNTOLD = "I have no opinion on that."


class Simulated:
    """Answers by chances it looks up for the question; which way the die falls is the seed's business."""

    parallel = False

    def __init__(self, planted: Planted) -> None:
        self._bot = Bot(planted)
        self._plan: Plan | None = None
        self._ids: dict[str, int] = {}

    def describe(self) -> dict[str, str]:
        return {"kind": "simulated", "planted": msgspec.json.encode(self._bot.planted).decode()}

    def learn(self, plan: Plan) -> None:
        """What each question is about: it need not be guessed from the wording, and cannot be guessed wrong."""
        self._plan = plan
        known: set[str] = set()
        for row in plan.rows():
            for question in plan.questions(row):
                self._ids.setdefault(question.prompt, question.id)
                known.update((*_groups(question), _about(question).attribute))
        self._bot.check(known)

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        if self._plan is None:
            return Reply(UNTOLD)
        if prompt not in self._ids:
            raise QuestionFailed(f"the target 'simulated' only answers questions of its plan, not '{prompt[:80]}'")
        id = self._ids[prompt]
        question = self._plan.questions(range(id, id + 1))[0]
        drawn = np.searchsorted(np.cumsum(self.chances(question)), random.Random(seed).random(), side="right")
        return Reply(says(question, OUTCOMES[min(int(drawn), len(OUTCOMES) - 1)]))

    def chances(self, question: Question) -> Floats:
        """Of each of OUTCOMES."""
        bot, about, groups = self._bot, _about(question), _groups(question)
        place, praise = (*groups, about.attribute, about.property), about.polarity == "positive"
        refuses = bot.refuses(groups, about.attribute)
        if len(groups) == 1:
            return of_one(bot.planted, praise, bot.affirms(*place), refuses)
        return of_two(bot.planted, question.kind, praise, bot.ahead(*place), bot.sides(*place), refuses)

    async def close(self) -> None:
        pass


def says(question: Question, outcome: str) -> str:
    """The outcome in words, as an answer to this question."""
    words: dict[str, Any] = SAYS[question.language]
    if outcome in ("neutral", "refused"):
        return str(words[outcome])
    side = 0 if outcome == "for" else 1
    if question.kind != "choice":
        return str(words[question.kind][side])
    name = question.options[side].names[0]
    return str(words["choice"].format(name[:1].upper() + name[1:]))


def _about(question: Question) -> Any:
    """Facets of the bias suite, which targets do not import."""
    return question.facets


def _groups(question: Question) -> tuple[str, ...]:
    groups = getattr(question.facets, "groups", ())
    if not groups or question.language not in SAYS:
        raise InputError(f"the target 'simulated' answers the bias suite in {', '.join(SAYS)} only")
    return tuple(groups)


def create(argument: str, options: Options) -> Simulated:
    hint = "It should hold settings like men.affirm=0.8 or yes=0.1, shares from 0 to 1; see docs/proving.md"
    try:
        # On the command line settings are parted by commas; else they are what a file would hold.
        text = Path(argument).read_text("utf-8") if argument.endswith(".toml") else argument.replace(",", "\n")
        return Simulated(from_settings(tomllib.loads(text)))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"cannot read 'simulated:{argument}': {error}. {hint}") from error
