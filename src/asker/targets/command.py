"""A program of yours. Needs: nothing. Example: command:./mybot --short  or  command:lines:python3 mybot.py

`command:PROGRAM …` starts it for each question, which it finds on standard input or in place of {question}; what it
writes is the answer. `command:lines:PROGRAM …` starts it once: each question is a line of JSON, and so is each answer.
No shell is involved.
"""

from __future__ import annotations

import shlex
import shutil
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from asker.errors import InputError, QuestionFailed, Retryable, TargetUnusable, shown
from asker.targets import Options, dialogue
from asker.targets._chat import spoken
from asker.targets._file import check_places, fill_text, from_environment, places, secrets
from asker.targets._http import count
from asker.targets._process import Program
from asker.types import Reply

OBEYS = ("system", "opening", "temperature", "max_tokens")
PLACES = ("question", "seed", *OBEYS)
LINES = "lines:"
HOW = "Use --target 'command:PROGRAM ARGUMENTS' or 'command:lines:PROGRAM ARGUMENTS'"
LARGEST = 50_000_000  # bytes of a file that is hashed to tell one version of a bot from the next


class Command:
    """What both ways share: the words of the command, and what is told of them."""

    way: str

    def __init__(self, words: list[str], options: Options, environment: dict[str, str]) -> None:
        self.secrets = secrets(environment)
        self._words, self._environment = words, environment
        self._wishes = {name: value for name in OBEYS if (value := getattr(options, name)) not in (None, ())}

    def describe(self) -> dict[str, str]:
        about = {"kind": "command", "name": _name(self._words), "command": shlex.join(self._words)}
        about["way"] = self.way
        about["source"] = _fingerprint(self._words)
        wishes = {name: dialogue(one) if name == "opening" else str(one) for name, one in self._wishes.items()}
        return about | wishes

    async def _start(self, values: dict[str, Any]) -> Program:
        known = values | {"opening": dialogue(self._wishes.get("opening", ()))} | self._environment
        # A place of its own keeps its value whole: whatever a question holds, it is one argument.
        return await Program.start([fill_text(word, known) for word in self._words])


class Once(Command):
    """A process for each question."""

    parallel, way = True, "a process for each question"

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        program = await self._start(self._wishes | {"question": prompt, "seed": seed})
        try:
            on_input = "" if "question" in places(self._words) else prompt
            await program.write(on_input + "\n" if on_input else "", last=True)
            said = await program.all_output()
            if program.code != 0:
                raise QuestionFailed(await program.how_it_ended())
            return Reply(spoken(_decoded(said, self._words[0]).strip("\r\n")))
        finally:
            await program.kill()  # also when nobody waits for the answer any longer

    async def close(self) -> None:
        pass


class Lines(Command):
    """One process that is told a question a line, and answers with a line."""

    parallel, way = False, "one process, a line for each question"

    def __init__(self, words: list[str], options: Options, environment: dict[str, str]) -> None:
        super().__init__(words, options, environment)
        self._program: Program | None = None
        self._answered = False

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        program = self._program or await self._start(self._wishes)
        self._program = None  # until it has answered: half a line of an old answer must not become the next one's
        try:
            request = {"question": prompt, "seed": seed} | self._wishes
            await program.write(msgspec.json.encode(request).decode() + "\n", last=False)
            line = await program.line()
            if not line.endswith(b"\n"):
                raise await self._broke_off(program)
            reply = _reply(line, self._words[0])
        except _Declined as error:
            self._program = program
            raise QuestionFailed(str(error)) from None
        except BaseException:
            await program.kill()
            raise
        self._program, self._answered = program, True
        return reply

    async def _broke_off(self, program: Program) -> Exception:
        how = await program.how_it_ended()
        if self._answered:
            return Retryable(how)
        return TargetUnusable(f"{how}, before it had answered anything. {HOW}")

    async def close(self) -> None:
        if self._program is not None:
            await self._program.end()
            self._program = None


class _Declined(Exception):
    """The program said that it cannot answer this question."""


def create(argument: str, options: Options) -> Command:
    lines, line = argument.startswith(LINES), argument.removeprefix(LINES)
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise InputError(f"cannot read the command '{line}': {error}. {HOW}") from error
    if not words:
        raise InputError(f"'command:{argument}' names no program. {HOW}")
    if shutil.which(words[0]) is None:
        raise InputError(f"there is no program '{words[0]}', or it may not be run. {HOW}")
    used = places(words)
    check_places(used, PLACES, "--target")
    for name in OBEYS:
        if getattr(options, name) not in (None, ()) and not lines and name not in used:
            flag = "--" + name.replace("_", "-")
            raise InputError(f"the command has no place for {flag}. Write {{{name}}} where the program expects it")
    if lines and "question" in used:
        raise InputError("a program that speaks lines is told each question as a line: leave {question} out")
    return (Lines if lines else Once)(words, options, from_environment(used, "--target"))


def _reply(line: bytes, name: str) -> Reply:
    """{"answer": "…"}, with "tokens_in" and "tokens_out" where it counts them; or {"error": "…"}."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise QuestionFailed(f"'{name}' wrote a line that is not JSON: {_shown(line)}. {_EXPECTED}") from error
    if isinstance(found, dict) and isinstance(found.get("error"), str):
        raise _Declined(f"'{name}' says: {shown(found['error'], 300)}")
    if not isinstance(found, dict) or not isinstance(found.get("answer"), str):
        raise QuestionFailed(f"'{name}' wrote a line without an answer: {_shown(line)}. {_EXPECTED}")
    return Reply(spoken(found["answer"]), count(found.get("tokens_in")), count(found.get("tokens_out")))


_EXPECTED = 'It should write {"answer": "…"} for each question, and nothing else'


def _shown(line: bytes) -> str:
    return shown(line[:400].decode("utf-8", "replace"), 120).strip()


def _decoded(said: bytes, name: str) -> str:
    try:
        return said.decode("utf-8")
    except UnicodeDecodeError as error:
        raise QuestionFailed(f"'{name}' wrote what is not UTF-8 text: {_shown(said)}") from error


def _name(words: list[str]) -> str:
    """What the page calls it: the script rather than the interpreter."""
    return next((Path(word).name for word in words[1:] if Path(word).is_file()), Path(words[0]).name)


def _fingerprint(words: list[str]) -> str:
    """A hash of all files the command names: a changed bot is another bot, and its answers another run."""
    found = blake2b(digest_size=6)
    for word in [shutil.which(words[0]) or words[0], *words[1:]]:
        file = Path(word)
        if file.is_file() and file.stat().st_size < LARGEST:
            found.update(file.read_bytes())
    return found.hexdigest()
