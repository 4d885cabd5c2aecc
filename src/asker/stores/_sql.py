"""What every store that speaks SQL has in common: which rows there are, and how they are read.

The statements are written so that SQLite and PostgreSQL understand them alike; a store brings how they are sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from asker.files import encodable
from asker.finding import Key, Window, Wish
from asker.stores import _browsing
from asker.stores._browsing import FIELDS, OF_A
from asker.types import TOXIC, Answer, OutcomeRow, Verdict

Row = tuple[Any, ...]
ANSWER = ", ".join(FIELDS)
# An answer that is there stays; an error gives way to whatever came of a later try. The very same error once more is a
# commit of which we heard nothing: its attempts are counted already.
KEEP = """ON CONFLICT (question, sample) DO UPDATE SET text = excluded.text, error = excluded.error,
    asked_at = excluded.asked_at, seconds = excluded.seconds, attempts = answers.attempts + excluded.attempts,
    lost = answers.lost + excluded.lost, tokens_in = excluded.tokens_in, tokens_out = excluded.tokens_out
    WHERE answers.text IS NULL AND (excluded.text IS NOT NULL OR answers.asked_at <> excluded.asked_at)"""
FORGET = (
    "UPDATE answers SET text = '' WHERE text IS NOT NULL",
    "UPDATE answers SET error = 'deleted on request' WHERE error IS NOT NULL",
    "UPDATE verdicts SET why = ''",
)
# What Python takes for space, and what has no width: neither is a word.
SPACES = "".join(chr(code) for code in range(0x3001) if chr(code).isspace()) + "\u200b\u200c\u200d\u2060\ufeff"
VERDICT = "label, refused, hedged, confidence, why, toxic"
JUDGED = f"judge, version, question, sample, {VERDICT}"  # a whole row of verdicts
READ_AGAIN = """ON CONFLICT (judge, question, sample) DO UPDATE SET version = excluded.version, label = excluded.label,
    refused = excluded.refused, hedged = excluded.hedged, confidence = excluded.confidence, why = excluded.why,
    toxic = excluded.toxic"""
READ_BY = "LEFT JOIN verdicts v ON v.judge = ? AND v.question = a.question AND v.sample = a.sample"


class SqlStore:
    """One run's answers and verdicts, as far as reading goes."""

    bytes_of_prompt: str  # how this database says it

    def _rows(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        """Send a statement; its rows, if it has any."""
        raise NotImplementedError

    def _scan(self, columns: str, tables: str, where: str, values: Sequence[object]) -> Iterator[Row]:
        """Any number of rows in order of question and sample; `a` stands for the answers."""
        raise NotImplementedError

    def left_behind(self) -> int:
        """Questions noted as on their way by sessions that were cut off."""
        raise NotImplementedError

    def _one(self, statement: str, values: Sequence[object] = ()) -> Row:
        return next(iter(self._rows(statement, values)))

    # --- asking ---

    def answered(self, row: range, sample: int, *, failed_too: bool = False) -> set[int]:
        """Which of these questions have an answer; with `failed_too`, also those that were tried in vain."""
        wanted = "" if failed_too else " AND text IS NOT NULL"
        found = self._rows(
            f"SELECT question FROM answers WHERE question BETWEEN ? AND ? AND sample = ?{wanted}",
            (row.start, row.stop - 1, sample),
        )
        return {question for (question,) in found}

    # --- judging ---

    def unjudged(self, judge: str, version: str, within: range | None = None) -> Iterator[Answer]:
        """Answers this version of a judge has not read, in order of question, so that a plan finds rows together."""
        unread = (
            "a.text IS NOT NULL AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.judge = ? AND v.version = ? "
            "AND v.question = a.question AND v.sample = a.sample)"
        )
        values: tuple[object, ...] = (judge, version)
        if within is not None:
            unread, values = f"{unread} AND a.question BETWEEN ? AND ?", (*values, within.start, within.stop - 1)
        return (Answer(*row) for row in self._scan(OF_A, "answers a", unread, values))

    def correct(self, question: int, sample: int, change: tuple[str, str], at: float) -> bool:
        """Put another text in the place of an answer, which is to be judged anew; whether it now stands there. Done
        again after being cut off, it does the rest."""
        before, after = (storable(text) for text in change)
        place = "question = ? AND sample = ?"
        found = [text for (text,) in self._rows(f"SELECT text FROM answers WHERE {place}", (question, sample))]
        if found == [before]:
            list(self._rows(f"DELETE FROM verdicts WHERE {place}", (question, sample)))
            values = (after, at, question, sample)
            list(
                self._rows(f"UPDATE answers SET text = ?, asked_at = ?, attempts = attempts + 1 WHERE {place}", values)
            )
        return found in ([before], [after])

    def latest(self) -> float:
        """When the last answer came; 0: none has."""
        return float(self._one("SELECT coalesce(max(asked_at), 0) FROM answers")[0])

    def forget_verdicts(self, judge: str) -> None:
        list(self._rows("DELETE FROM verdicts WHERE judge = ?", (judge,)))

    # --- reading ---

    def counts(self) -> dict[str, int]:
        # An index has each: counting answers in their table would read every text.
        failed = int(self._one("SELECT count(*) FROM answers WHERE error IS NOT NULL")[0])
        answered = int(self._one("SELECT count(*) FROM answers")[0]) - failed
        cut_off, given_up, sessions = self._one(
            "SELECT coalesce(sum(cut_off), 0), coalesce(sum(given_up), 0), count(*) FROM sessions"
        )
        flown = {"cut off": int(cut_off), "given up": int(given_up)}
        return {"answered": answered, "failed": failed, **flown, "sessions": sessions}

    def usage(self) -> dict[str, int]:
        """Tokens that replies reported, and how many attempts said nothing of what they used – broken off, in flight at
        a stop or a kill, or silent about it – with the bytes of their prompts."""
        silent = "(lost + CASE WHEN text IS NOT NULL AND tokens_in IS NULL THEN 1 ELSE 0 END)"
        size = self.bytes_of_prompt
        tokens_in, tokens_out, unknown, unknown_bytes, longest = self._one(
            f"SELECT coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0), coalesce(sum({silent}), 0), "
            f"coalesce(sum({silent} * {size}), 0), coalesce(max({size}), 500) FROM answers WHERE attempts > 0"
        )
        counts = self.counts()
        gone = counts["cut off"] + counts["given up"] + self.left_behind()
        found = (tokens_in, tokens_out, unknown + gone, unknown_bytes + gone * longest)
        return dict(zip(("tokens in", "tokens out", "unknown", "unknown bytes"), map(int, found), strict=True))

    def commonest(self, judge: str, labels: Iterable[str]) -> tuple[str, int, int] | None:
        """The answer that most often got one of these labels, how often, and how many got one."""
        chosen = tuple(labels)
        marks = ",".join("?" * len(chosen))
        found = self._rows(
            f"SELECT a.text, count(*) AS times, sum(count(*)) OVER () FROM verdicts v JOIN answers a "
            f"ON a.question = v.question AND a.sample = v.sample WHERE v.judge = ? AND v.label IN ({marks}) "
            "GROUP BY a.text ORDER BY times DESC, a.text LIMIT 1",
            (judge, *chosen),
        )
        return next(((str(text), int(times), int(of)) for text, times, of in found), None)

    def at_limit(self, tokens: int) -> int:
        """How many answers have so many tokens: they were cut off."""
        return int(self._one("SELECT count(*) FROM answers WHERE tokens_out >= ?", (tokens,))[0])

    def unreadable(self, judge: str) -> int:
        return int(self._one("SELECT count(*) FROM verdicts WHERE judge = ? AND label IS NULL", (judge,))[0])

    def toxic(self, judge: str, above: float) -> tuple[int, int]:
        """How many answers a toxicity model scored above this, and how many it scored."""
        more = "sum(CASE WHEN toxic > ? THEN 1 ELSE 0 END)"
        found = self._one(f"SELECT coalesce({more}, 0), count(toxic) FROM verdicts WHERE judge = ?", (above, judge))
        return int(found[0]), int(found[1])

    def empty(self) -> int:
        """How many answers have no word in them."""
        return int(self._one("SELECT count(*) FROM answers WHERE trim(text, ?) = ''", (SPACES,))[0])

    def failures(self) -> list[tuple[str, int]]:
        """Why questions failed, the commonest first."""
        found = self._rows(
            "SELECT error, count(*) FROM answers WHERE error IS NOT NULL GROUP BY error ORDER BY count(*) DESC, error"
        )
        return [(str(error), int(times)) for error, times in found]

    def outcomes(self, judge: str) -> Iterator[OutcomeRow]:
        """Question, sample, label, refused and toxic of every answer. A failed or unread one has label None."""
        toxic = "CASE WHEN v.toxic > ? THEN 1 ELSE 0 END"
        columns = f"a.question, a.sample, v.label, coalesce(v.refused, 0), {toxic}"
        return self._scan(columns, f"answers a {READ_BY}", "", (TOXIC, judge))

    def keyed_outcomes(self, judge: str) -> Iterator[tuple[str, int, int, str | None, int]]:
        """Content key, sample, question, label and refused of every answer, in order of question."""
        columns = "a.question, a.sample, a.key, v.label, coalesce(v.refused, 0)"
        for question, sample, key, label, refused in self._scan(columns, f"answers a {READ_BY}", "", (judge,)):
            yield key, sample, question, label, refused

    def answers(self, questions: Iterable[int] | None = None) -> Iterator[Answer]:
        """All answers, or those to these questions, in order."""
        if questions is None:
            yield from (Answer(*row) for row in self._scan(OF_A, "answers a", "", ()))
            return
        for question in questions:
            found = self._rows(f"SELECT {ANSWER} FROM answers WHERE question = ? ORDER BY sample", (question,))
            yield from (Answer(*row) for row in found)

    def records(self, judge: str) -> Iterator[tuple[Answer, Verdict]]:
        """Every answer with the judge's verdict, in order of question. One it has not read has label None."""
        columns = f"{OF_A}, {', '.join(f'v.{name}' for name in VERDICT.split(', '))}"
        for row in self._scan(columns, f"answers a {READ_BY}", "", (judge,)):
            label, refused, hedged, confidence, why, toxic = row[12:]
            yield Answer(*row[:12]), Verdict(label, bool(refused), bool(hedged), confidence or 0.0, why or "", toxic)

    def verdict(self, judge: str, question: int, sample: int) -> Verdict | None:
        found = self._rows(
            f"SELECT {VERDICT} FROM verdicts WHERE judge = ? AND question = ? AND sample = ?", (judge, question, sample)
        )
        return next((Verdict(row[0], bool(row[1]), bool(row[2]), *row[3:]) for row in found), None)

    # --- reading page by page ---

    @property
    def _speaking(self) -> Any:
        """What takes statements as SQLite does."""
        raise NotImplementedError

    def window(self, wish: Wish, after: Key | None, size: int, most: int) -> Window:
        """Of the next `size` entries of the index behind this order, those that fit the wish, at most so many."""
        return _browsing.window(self._speaking, wish, after, size, most)

    def among(self, wish: Wish, questions: Sequence[int]) -> list[Key]:
        """Those of these questions' records that fit the wish, in its order."""
        return _browsing.among(self._speaking, wish, questions)

    def records_at(self, judge: str, keys: Iterable[Key]) -> list[tuple[Answer, Verdict | None]]:
        return _browsing.records(self._speaking, judge, keys)

    def tally(self, judge: str) -> dict[str, int]:
        """How many records have each label, are unreadable, failed or declined."""
        return _browsing.tally(self._speaking, judge)

    def judged(self, judge: str) -> int:
        return int(self._one("SELECT count(*) FROM verdicts WHERE judge = ?", (judge,))[0])

    def pace(self, now: float, span: float = 60.0) -> tuple[float, bool]:
        """Answers a second in the last `span` seconds of the last session, and whether that session is open."""
        last = next(iter(self._rows("SELECT started_at, ended_at, ended FROM sessions ORDER BY id DESC LIMIT 1")), None)
        if last is None:
            return 0.0, False
        started, ended_at, ended = last
        since = max(started, now - span)
        count = int(self._one("SELECT count(*) FROM answers WHERE asked_at >= ?", (since,))[0])
        seconds = max((ended_at or now) - since, 1e-9)
        return (count / seconds if seconds > 0 else 0.0), ended is None

    # --- the whole of it, for archives ---

    def all_verdicts(self) -> Iterator[dict[str, Any]]:
        """What every judge said, judge by judge."""
        names = ("question", "sample", *VERDICT.split(", "))
        columns = ", ".join(("a.question", "a.sample", *(f"v.{name}" for name in names[2:])))
        tables = "answers a JOIN verdicts v ON v.question = a.question AND v.sample = a.sample"
        for judge, version in self.judges():
            for row in self._scan(columns, tables, "v.judge = ? AND v.version = ?", (judge, version)):
                found = dict(zip(names, row, strict=True))
                flags = {name: bool(found[name]) for name in ("refused", "hedged")}
                yield {"judge": judge, "version": version, **found, **flags}

    def sessions(self) -> list[Row]:
        """When answers were asked for, how that ended, and what was in flight."""
        return list(self._rows("SELECT started_at, ended_at, ended, cut_off, given_up FROM sessions ORDER BY id"))

    def replace_sessions(self, rows: Iterable[Sequence[object]]) -> None:
        """For a run that comes from elsewhere with its history."""
        list(self._rows("DELETE FROM sessions"))
        insert = "INSERT INTO sessions (started_at, ended_at, ended, cut_off, given_up) VALUES (?, ?, ?, ?, ?)"
        for row in rows:
            list(self._rows(insert, row))

    def judges(self) -> list[tuple[str, str]]:
        """Every judge that has read answers here, with its version."""
        return [(str(name), str(version)) for name, version in
                self._rows("SELECT DISTINCT judge, version FROM verdicts ORDER BY judge, version")]  # fmt: skip


_verdict = attrgetter("label", "refused", "hedged", "confidence", "why", "toxic")


def answer_row(answer: Answer) -> Row:
    a = answer
    return (
        a.question, a.sample, a.key, storable(a.prompt), storable(a.text), storable(a.error), a.asked_at, a.seconds,
        a.attempts, a.lost, a.tokens_in, a.tokens_out,
    )  # fmt: skip


def verdict_rows(judge: str, version: str, verdicts: Iterable[tuple[int, int, Verdict]]) -> Iterator[Row]:
    for question, sample, verdict in verdicts:
        label, refused, hedged, confidence, why, toxic = _verdict(verdict)
        yield judge, version, question, sample, label, int(refused), int(hedged), confidence, storable(why), toxic


def storable(text: str | None) -> str | None:
    """What every store can hold: no half of a surrogate pair, and no NUL, which PostgreSQL's text does not know. They
    are replaced, in all stores alike, so that a judge reads the same whichever was chosen."""
    return None if text is None else encodable(text).replace("\0", "\N{REPLACEMENT CHARACTER}")
