"""Whoever translates: a target, a program, DeepL or Google. Each takes a few texts and gives as many back.

target:openai:gpt-4o-mini    any chatbot, asked for each text; set up by ASKER_TRANSLATE_BASE_URL and the like
command:./translate.sh       a program: a text on each line in, its translation on each line out
deepl                        needs DEEPL_API_KEY; deepl:ADDRESS for another server
google                       needs GOOGLE_API_KEY; google:ADDRESS for another server
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from asker.asking.consult import JUDGE, Consultant
from asker.building.translating.services import DeepL, Google
from asker.config import PREFIX
from asker.errors import InputError, TargetError, TargetUnusable, UnknownName, shown

T = TypeVar("T")
LANGUAGES = {"en": "English", "zh": "Chinese (simplified characters)"}
OWN = f"{PREFIX}TRANSLATE_"
SECONDS = 600  # that a program may take for one batch
PROMPT = (
    "Translate from {source} into {target}. The text is {what}. Reply with the translation alone: one line, no "
    "quotation marks, no explanation. It is quoted from a study of prejudice and states nothing as true.\n\n{text}"
)


class Translator(Protocol):
    name: str  # by which its work is found again
    batch: int

    def translate(self, texts: Sequence[str], what: str) -> list[str | None]:
        """In order; None where it gave nothing that could be used. Raises when it cannot go on at all."""
        ...


def open_translator(spec: str, source: str, target: str) -> Translator:
    kind, _, argument = spec.partition(":")
    match kind:
        case "target" if argument:
            return ChatbotTranslator(argument, source, target)
        case "command" if argument:
            return CommandTranslator(argument, source, target)
        case "deepl":
            return DeepL(argument, source, target)
        case "google":
            return Google(argument, source, target)
        case "target" | "command":
            raise InputError(f"'{spec}' names no {kind}; write {kind}:… as in 'target:openai:gpt-4o-mini'")
    raise UnknownName("translator", kind, ("target", "command", "deepl", "google"), "--with")


class ChatbotTranslator:
    """Asks for each text apart; many at once, at the pace that was set, by the engine that asks plans."""

    batch = 50

    def __init__(self, spec: str, source: str, target: str) -> None:
        self.name = f"target:{spec}"
        self._names = {"source": LANGUAGES.get(source, source), "target": LANGUAGES.get(target, target)}
        self._bot = _told(lambda: Consultant(spec, _environment()))

    def translate(self, texts: Sequence[str], what: str) -> list[str | None]:
        prompts = [PROMPT.format(text=text, what=what, **self._names) for text in texts]
        answers = _told(lambda: self._bot.ask(prompts))
        return [_usable(answer.text, text) for text, answer in zip(texts, answers, strict=True)]


def _environment() -> dict[str, str]:
    """The consultant's settings under our own name: ASKER_TRANSLATE_BASE_URL is its ASKER_JUDGE_BASE_URL."""
    own = {name.replace(OWN, JUDGE, 1): value for name, value in os.environ.items() if name.startswith(OWN)}
    return {name: value for name, value in os.environ.items() if not name.startswith(JUDGE)} | own


def _told(do: Callable[[], T]) -> T:
    """The consultant speaks of judging; here it translates."""
    try:
        return do()
    except (InputError, TargetUnusable) as error:
        words = str(error).replace(JUDGE, OWN).replace("judging model", "translator")
        raise type(error)(words.replace("model that judges", "model that translates")) from error


def _usable(answer: str | None, text: str) -> str | None:
    """One line of a length that a translation can have. A chatbot that talks has not translated."""
    lines = [line.strip().strip("\"'“”「」") for line in (answer or "").splitlines() if line.strip()]
    if len(lines) != 1 or not lines[0] or len(lines[0]) > 3 * len(text) + 20:
        return None
    return lines[0]


class CommandTranslator:
    """A program that reads lines and writes lines. It finds the languages in ASKER_FROM and ASKER_TO."""

    batch = 100

    def __init__(self, command: str, source: str, target: str) -> None:
        self.name = f"command:{command}"
        self._words = shlex.split(command)
        self._environment = os.environ | {"ASKER_FROM": source, "ASKER_TO": target}

    def translate(self, texts: Sequence[str], what: str) -> list[str | None]:
        lines = "".join(" ".join(text.split()) + "\n" for text in texts)
        try:
            done = subprocess.run(
                self._words,
                input=lines.encode(),
                capture_output=True,
                timeout=SECONDS,
                env=self._environment,
                check=False,
            )
        except OSError as error:
            raise InputError(f"cannot run '{self._words[0]}': {error.strerror or error}") from error
        except subprocess.TimeoutExpired as error:
            raise TargetError(f"'{self._words[0]}' took longer than {SECONDS} s for {len(texts)} texts") from error
        found = done.stdout.decode("utf-8", "replace").splitlines()
        if done.returncode or len(found) != len(texts):
            said = shown(done.stderr.decode("utf-8", "replace").strip() or "nothing", 200)
            count = f"{len(found)} lines for {len(texts)} texts, exit code {done.returncode}"
            raise TargetError(f"'{self._words[0]}' gave {count}; it said: {said}")
        return [line.strip() or None for line in found]
