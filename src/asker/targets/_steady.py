"""When an answer on a web page is whole: pages write it letter by letter, and seldom say when they are done."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Protocol

LOOK = 0.1  # seconds between two looks
LONGEST = 1_000_000  # letters of an answer that are taken
TEXTS = f"every => every.map(one => (one.innerText || one.textContent || '').slice(0, {LONGEST}))"
SEEN = "every => every.some(one => one.checkVisibility ? one.checkVisibility() : one.offsetParent !== null)"


class Place(Protocol):
    """What is needed of a place on the page; a playwright Locator has it."""

    async def evaluate_all(self, expression: str) -> Any: ...


class Watched:
    """The answers on a page, seen against those that were there before the question."""

    def __init__(self, answers: Place, busy: Place | None, before: list[str]) -> None:
        self._answers, self._busy, self._before = answers, busy, before
        self.text, self.busy = "", False

    async def look(self) -> None:
        texts = await self._answers.evaluate_all(TEXTS)
        self.text = "\n".join(new_texts(texts, self._before)).strip()[:LONGEST]
        self.busy = self._busy is not None and bool(await self._busy.evaluate_all(SEEN))


def new_texts(texts: list[str], before: list[str]) -> list[str]:
    """What came after the question: further answers, or the one place for answers with another text."""
    if len(texts) > len(before):
        return texts[len(before) :]
    return texts[-1:] if texts and texts[-1] not in before[-1:] else []


async def steady_text(watched: Watched, steady: float, wait: float) -> str | None:
    """The text, once it has not changed for so long and the page is not busy; None when that does not come in time."""
    started = since = time.monotonic()
    last = ""
    while (now := time.monotonic()) - started < wait:
        await watched.look()
        if watched.text != last or watched.busy or not watched.text:
            last, since = watched.text, now
        elif now - since >= steady:
            return watched.text
        await asyncio.sleep(LOOK)
    return None


async def settled(answers: Place, steady: float) -> None:
    """Wait until what is there before a question no longer changes; not for ever, as some pages never rest."""
    last, started = None, time.monotonic()
    since = started
    while (now := time.monotonic()) - since < steady and now - started < 5 * steady:
        texts = await answers.evaluate_all(TEXTS)
        if texts != last:
            last, since = texts, now
        await asyncio.sleep(LOOK)
