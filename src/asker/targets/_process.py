"""A program of the user's: started, spoken to, and ended together with everything it has started itself."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

from asker.errors import QuestionFailed, TargetUnusable, shown

LIMIT = 1_000_000  # bytes of one answer
TAIL = 2_000  # bytes of its complaints that are kept
GRACE = 1.0  # seconds that a program gets to end by itself, or its children to let go of its output

UNBUFFERED = {"PYTHONUNBUFFERED": "1"}  # else a Python program keeps its lines to itself until there are many


class Program:
    """One running process, in a process group of its own."""

    def __init__(self, process: Process, name: str) -> None:
        self._process, self._name = process, name
        self._complaints = bytearray()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, command: list[str]) -> Program:
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LIMIT, start_new_session=True,
                env=os.environ | UNBUFFERED,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            raise TargetUnusable(f"cannot start '{command[0]}': {error}") from error
        return cls(process, command[0])

    async def _listen(self) -> None:
        """Read what it complains of, or it would stop when the pipe is full; only the end is kept."""
        while chunk := await self._process.stderr.read(65536):  # type: ignore[union-attr]
            self._complaints += chunk
            del self._complaints[:-TAIL]

    async def write(self, text: str, *, last: bool) -> None:
        """A program may end, or close its ear, before it has heard all: what it says then decides."""
        ear = self._process.stdin
        assert ear is not None
        with suppress(ConnectionError, RuntimeError):
            ear.write(text.encode("utf-8", "replace"))
            await ear.drain()
        if last:
            ear.close()

    async def all_output(self) -> bytes:
        """Everything it says until it ends. Children it leaves behind may hold the pipe: they are not waited for."""
        said = bytearray()
        reading = asyncio.create_task(self._read_into(said))
        ending = asyncio.create_task(self._ended())
        try:
            await asyncio.wait((reading, ending), return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait((reading,), timeout=GRACE)
            if reading.done():
                reading.result()  # too long, perhaps
                await ending
            return bytes(said)
        finally:
            reading.cancel()
            ending.cancel()
            await asyncio.wait((reading, ending))  # only then may another read

    async def _ended(self) -> None:
        # Process.wait() may wait for the pipes too, which children can keep open; the return code does not.
        while self._process.returncode is None:
            await asyncio.sleep(0.02)

    async def _read_into(self, said: bytearray) -> None:
        while chunk := await self._process.stdout.read(65536):  # type: ignore[union-attr]
            said += chunk
            if len(said) > LIMIT:
                raise self._too_long()

    async def line(self) -> bytes:
        """Its next line; empty once it has ended."""
        try:
            return await self._process.stdout.readline()  # type: ignore[union-attr]
        except ValueError as error:  # longer than the limit
            raise self._too_long() from error

    def _too_long(self) -> QuestionFailed:
        return QuestionFailed(f"'{self._name}' wrote more than {LIMIT // 1_000_000} MB for one answer")

    @property
    def code(self) -> int | None:
        return self._process.returncode

    async def how_it_ended(self) -> str:
        """In words, with the last thing it complained of."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self._ended()
                await asyncio.shield(self._listening)
        code = self._process.returncode
        how = "closed its output" if code is None else f"ended with code {code}"
        if code is not None and code < 0:
            how = f"was ended by the signal {_signal(-code)}"
        lines = self._complaints.decode("utf-8", "replace").strip().splitlines()
        return f"'{self._name}' {how}" + (f": {shown(lines[-1], 300)}" if lines else "")

    async def end(self) -> None:
        """Let it end by itself, when it was idle; a second later it is killed."""
        self._process.stdin.close()  # type: ignore[union-attr]
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self._ended()
        await self.kill()

    async def kill(self) -> None:
        """It and all that it started, at once; then the pipes are emptied, so that they close."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.stdin.close()  # type: ignore[union-attr]
        with suppress(TimeoutError, ValueError):
            async with asyncio.timeout(GRACE):  # whoever left the group may hold the pipe for as long as he likes
                while await self._process.stdout.read(65536):  # type: ignore[union-attr]
                    pass
                await self._process.wait()
                await asyncio.shield(self._listening)
        self._listening.cancel()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
