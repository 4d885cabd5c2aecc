"""Reading records page by page, in any of a few orders, without ever holding more than a window of them.

A page goes on after a key, never at a number: the thousandth costs what the first does. What an index cannot find –
words in answers, what a question is about – is looked for in windows of an index, and whoever asks says how far to
look. The statements are plain SQL; only the like-operator and lists of ids differ between databases.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from asker.finding import FAILED, UNREADABLE, Key, Window, Wish
from asker.types import Answer, Verdict

FIELDS = ("question", "sample", "key", "prompt", "text", "error", "asked_at", "seconds", "attempts", "lost",
          "tokens_in", "tokens_out")  # fmt: skip
OF_A = ", ".join(f"a.{name}" for name in FIELDS)
THESE = "json_each(?) j CROSS JOIN answers t ON t.question = j.value"
"""The questions of a list; each database has its own way to say this."""
INDICES = """
    CREATE INDEX answers_by_time ON answers (asked_at);
    CREATE INDEX answers_failed ON answers (question, sample) WHERE error IS NOT NULL;
    CREATE INDEX verdicts_by_label ON verdicts (judge, label, question, sample, refused);
    CREATE INDEX verdicts_by_confidence ON verdicts (judge, confidence, question, sample, label, refused);
    CREATE INDEX verdicts_refused ON verdicts (judge, question, sample) WHERE refused = 1;
"""


class _Source(Struct, frozen=True):
    """Where an order is read from: an index of a table (named t), its key, and what cannot be read off its order."""

    table: str
    key: str
    where: str  # what the index finds at once
    values: tuple[object, ...] = ()
    fits: str = ""  # what has to be looked at entry by entry
    down: bool = False  # from the largest to the smallest

    @property
    def keys(self) -> str:
        return f"{self.key}, t.question, t.sample" if self.key != "t.question" else "t.question, t.sample"

    @property
    def order(self) -> str:
        return ", ".join(f"{part} DESC" if self.down else part for part in self.keys.split(", "))

    def beyond(self, sign: str, key: Key | None) -> tuple[str, tuple[object, ...]]:
        """A condition: further along than this key, or not."""
        if key is None:
            return "", ()
        turned = {">": "<", "<=": ">="}[sign] if self.down else sign
        values: tuple[object, ...] = key if self.key != "t.question" else key[1:]
        return f" AND ({self.keys}) {turned} ({', '.join('?' * len(values))})", values


def window(db: Any, wish: Wish, after: Key | None, size: int, most: int) -> Window:
    """Of the next `size` entries of the index behind this order, those that fit, at most so many."""
    source = _source(wish)
    start, at = source.beyond(">", after)
    where, values = f"FROM {source.table} t WHERE {source.where}{start}", (*source.values, *at)
    probe = f"SELECT {source.key}, t.question, t.sample {where} ORDER BY {source.order} LIMIT 1 OFFSET ?"
    end = db.execute(probe, (*values, size - 1)).fetchone()
    last: Key | None = tuple(end) if end else None
    until, to = source.beyond("<=", last)
    words, patterns = _words(wish, "t" if source.table == "answers" else "")
    fits = f"{source.fits}{words}"
    found = db.execute(
        f"SELECT {source.key}, t.question, t.sample {where}{until}{fits} ORDER BY {source.order} LIMIT ?",
        (*values, *to, *_labels(wish, source), *patterns, most),
    ).fetchall()
    return Window(found, found[-1] if len(found) == most else last)


def among(db: Any, wish: Wish, questions: Sequence[int]) -> list[Key]:
    """Those of these questions' records that fit, in the order wished for."""
    key = {"question": "t.question", "unsure": "v.confidence", "latest": "t.asked_at"}[wish.order]
    down = " DESC" if wish.order == "latest" else ""
    fits, values = _conditions(wish)
    join = " LEFT JOIN verdicts v ON v.judge = ? AND v.question = t.question AND v.sample = t.sample"
    words, patterns = _words(wish, "t")
    found: list[Key] = db.execute(
        f"SELECT {key} AS k, t.question, t.sample FROM {THESE}"
        f"{join if fits else ''} WHERE 1 = 1{fits}{words} ORDER BY k{down}, t.question{down}, t.sample{down}",
        (json.dumps(list(questions)), *((wish.judge,) if fits else ()), *values, *patterns),
    ).fetchall()
    return found


def records(db: Any, judge: str, keys: Iterable[Key]) -> list[tuple[Answer, Verdict | None]]:
    """Answers and verdicts under these keys, in their order."""
    wanted = [key[1:] for key in keys]
    if not wanted:
        return []
    found = db.execute(
        f"SELECT {OF_A}, v.judge, v.label, v.refused, v.hedged, v.confidence, v.why, v.toxic "
        f"FROM (VALUES {', '.join(['(?, ?)'] * len(wanted))}) AS k CROSS JOIN answers a "
        "LEFT JOIN verdicts v ON v.judge = ? AND v.question = a.question AND v.sample = a.sample "
        "WHERE a.question = k.column1 AND a.sample = k.column2",
        (*(part for key in wanted for part in key), judge),
    ).fetchall()
    rows = {row[:2]: row for row in found}
    return [(Answer(*rows[key][:12]), _verdict(rows[key][12:])) for key in wanted if key in rows]


def tally(db: Any, judge: str) -> dict[str, int]:
    """How many records have each label, are unreadable, failed or declined; by name."""
    found = db.execute("SELECT label, count(*) FROM verdicts WHERE judge = ? GROUP BY label", (judge,))
    labels = {UNREADABLE if label is None else str(label): int(count) for label, count in found}
    failed = db.execute("SELECT count(*) FROM answers WHERE error IS NOT NULL").fetchone()[0]
    refused = db.execute("SELECT count(*) FROM verdicts WHERE judge = ? AND refused = 1", (judge,)).fetchone()[0]
    return labels | {FAILED: int(failed), "refused": int(refused)}


def _verdict(row: Sequence[Any]) -> Verdict | None:
    judge, label, refused, hedged, confidence, why, toxic = row
    return None if judge is None else Verdict(label, bool(refused), bool(hedged), confidence, why, toxic)


def _source(wish: Wish) -> _Source:
    """The index that leaves the least to look through."""
    if wish.label == FAILED:
        return _Source("answers", "t.question", "t.error IS NOT NULL")
    if wish.order == "unsure":
        return _Source("verdicts", "t.confidence", "t.judge = ?", (wish.judge,), _of_label(wish) + _declined(wish))
    if wish.label:
        named = () if wish.label == UNREADABLE else (wish.label,)
        where = f"t.judge = ?{_of_label(wish)}"
        return _Source("verdicts", "t.question", where, (wish.judge, *named), _declined(wish))
    if wish.refused:
        return _Source("verdicts", "t.question", "t.judge = ? AND t.refused = 1", (wish.judge,))
    down = wish.order == "latest"
    return _Source("answers", "t.asked_at" if down else "t.question", "1 = 1", down=down)


def _of_label(wish: Wish, table: str = "t") -> str:
    if not wish.label:
        return ""
    return f" AND {table}.label IS NULL" if wish.label == UNREADABLE else f" AND {table}.label = ?"


def _declined(wish: Wish, table: str = "t") -> str:
    return f" AND {table}.refused = 1" if wish.refused else ""


def _labels(wish: Wish, source: _Source) -> tuple[str, ...]:
    """The label, where the source looks at it entry by entry."""
    return (wish.label,) if "label = ?" in source.fits else ()


def _conditions(wish: Wish) -> tuple[str, tuple[str, ...]]:
    """The same wish for answers joined to their verdicts."""
    if wish.label == FAILED:
        return " AND t.error IS NOT NULL", ()
    read = " AND v.judge IS NOT NULL" if wish.label == UNREADABLE or wish.order == "unsure" else ""
    named = (wish.label,) if wish.label and wish.label != UNREADABLE else ()
    return read + _of_label(wish, "v") + _declined(wish, "v"), named


def _words(wish: Wish, table: str) -> tuple[str, tuple[str, ...]]:
    """A condition on the words of a record, anywhere and whatever the case; % and _ stand for themselves."""
    if not wish.words:
        return "", ()
    plain = wish.words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    have = "({0}.text LIKE ? ESCAPE '\\' OR {0}.prompt LIKE ? ESCAPE '\\')".format(table or "a")
    inside = "SELECT 1 FROM answers a WHERE a.question = t.question AND a.sample = t.sample AND"
    return f" AND {have}" if table else f" AND EXISTS ({inside} {have})", (f"%{plain}%",) * 2
