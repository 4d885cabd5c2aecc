"""What asking costs, and a limit to it that is never passed.

Before a question goes out, the most it can cost is set aside: its prompt in bytes (no tokenizer makes more tokens
than bytes) and the longest answer allowed. When the reply comes, what it really used takes that place. An attempt that
broke off may have been charged for, so what was set aside for it counts as spent.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources

from msgspec import Struct

from asker.errors import InputError
from asker.types import Reply

WRAPPING = 64  # tokens that a chat protocol adds around a message, generously


class Price(Struct, frozen=True):
    """Dollars for a million tokens."""

    input: float
    output: float

    def of(self, tokens_in: float, tokens_out: float) -> float:
        return (tokens_in * self.input + tokens_out * self.output) / 1_000_000


class Usage(Struct):
    """Tokens, in and out."""

    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)

    def __sub__(self, other: Usage) -> Usage:
        return Usage(self.tokens_in - other.tokens_in, self.tokens_out - other.tokens_out)

    @property
    def total(self) -> int:
        return self.tokens_in + self.tokens_out


class Purse:
    """What was spent, what is set aside, and whether another question still fits."""

    def __init__(
        self,
        spent: Usage | None = None,
        *,
        most_tokens: int | None = None,
        most_money: float | None = None,
        price: Price | None = None,
        longest_answer: int | None = None,
        around: int = 0,
        rounds: int = 1,
        reported: Usage | None = None,
    ) -> None:
        if most_money is not None and price is None:
            raise InputError(
                "--max-cost needs to know the price of this model: give it as --price IN,OUT per million tokens"
            )
        if (most_money is not None or most_tokens is not None) and longest_answer is None:
            raise InputError("a limit on cost or tokens needs --max-tokens: without it one answer could pass the limit")
        self.price, self.spent, self._aside = price, spent or Usage(), Usage()
        self.reported = reported or Usage()  # what the chatbot said it used; never more than what counts as spent
        self._around = around + WRAPPING  # what goes out with each question: a system prompt, say
        self._rounds = rounds
        self._most_tokens, self._most_money = most_tokens, most_money
        self._longest = longest_answer or 0

    @property
    def money(self) -> float | None:
        return self.price.of(self.reported.tokens_in, self.reported.tokens_out) if self.price else None

    def worst(self, prompt: str) -> Usage:
        """The most that asking this can use."""
        once = Usage(len(prompt.encode("utf-8", "replace")) + self._around, self._longest)
        return most_of(once, self._rounds)

    def set_aside(self, wish: Usage) -> bool:
        """Make room for one more question, if there is any."""
        after = self.spent + self._aside + wish
        if self._most_tokens is not None and after.total > self._most_tokens:
            return False
        if (
            self._most_money is not None
            and self.price
            and self.price.of(after.tokens_in, after.tokens_out) > self._most_money
        ):
            return False
        self._aside += wish
        return True

    def settle(self, aside: Usage, reply: Reply | None, *, charged: bool) -> None:
        """Put what was really used in the place of what was set aside."""
        self._aside -= aside
        if reply is not None:
            known_in = reply.tokens_in if reply.tokens_in is not None else aside.tokens_in
            known_out = reply.tokens_out if reply.tokens_out is not None else aside.tokens_out
            self.spent += Usage(known_in, known_out)
            self.reported += Usage(reply.tokens_in or 0, reply.tokens_out or 0)
        elif charged:
            self.spent += aside


def most_of(once: Usage, rounds: int) -> Usage:
    """Where a chatbot that speaks for itself is told an opening, each turn may cost as much as the question, and reads
    all that was answered before."""
    return Usage(rounds * (once.tokens_in + (rounds - 1) * once.tokens_out), rounds * once.tokens_out)


def expected(prompts: Iterable[str], count: int, answer: int, before: Iterable[str] = ()) -> Usage:
    """About how many tokens so many questions like these use, with answers of this length, and what comes before."""
    always = sum(_tokens(text) for text in before)
    sizes = [_tokens(prompt) + always for prompt in prompts]
    return Usage(round(count * sum(sizes) / len(sizes)), count * answer)


def _tokens(text: str) -> float:
    return sum(1.0 if ord(letter) > 0x2E80 else 0.25 for letter in text) + 8


@cache
def _prices() -> dict[str, Price]:
    text = (resources.files("asker.data") / "prices.toml").read_text("utf-8")
    return {name: Price(*pair) for name, pair in tomllib.loads(text)["dollars_per_million_tokens"].items()}


def price_of(target: str, given: str | None) -> Price | None:
    """The price a user gave as "IN,OUT", or the one in our table for the longest name that fits the model."""
    if given is not None:
        try:
            first, second = (float(part) for part in given.split(","))
        except ValueError as error:
            raise InputError(f"--price '{given}' should be two numbers: dollars per million tokens in,out") from error
        if not (0 <= first < 1e9 and 0 <= second < 1e9):
            raise InputError(f"--price '{given}' should be two numbers that are not negative")
        return Price(first, second)
    model = target.partition(":")[2].rpartition("/")[2].lower()
    fitting = [name for name in _prices() if model.startswith(name)]
    return _prices()[max(fitting, key=len)] if fitting else None
