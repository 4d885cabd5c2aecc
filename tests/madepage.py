"""A made-up report as a page, and the page taken apart again."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any, NamedTuple

from msgspec import Struct, structs

from asker.report import About, render
from asker.types import Answer, Estimate, Evidence, Option, Pair, Question, Record, Report, Table, Verdict

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Node(NamedTuple):
    tag: str
    attributes: dict[str, str | None]
    inside: tuple[str, ...]
    at: int


class Parsed(HTMLParser):
    """Elements in order, text with the elements it stands in, and whether everything that was opened was closed."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.nodes: list[Node] = []
        self.texts: list[tuple[str, tuple[str, ...], int]] = []
        self.feed(page)
        self.close()
        assert self.open == [], f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"attribute twice in {tag}"
        self.nodes.append(Node(tag, dict(attrs), tuple(self.open), len(self.nodes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.texts.append((data, tuple(self.open), len(self.nodes)))

    def all(self, tag: str) -> list[Node]:
        return [node for node in self.nodes if node.tag == tag]

    def text(self, tag: str = "body") -> str:
        return "".join(data for data, inside, _ in self.texts if tag in inside)

    def texts_of(self, tag: str) -> list[str]:
        """The text of each element of this kind."""
        found: dict[int, str] = {}
        starts = [node.at + 1 for node in self.all(tag)]
        for data, inside, at in self.texts:
            if tag in inside:
                start = max(one for one in starts if one <= at)
                found[start] = found.get(start, "") + data
        return [found.get(start, "") for start in starts]


# --- a run that never was --------------------------------------------------------------------------------------------


class Facets(Struct, frozen=True):
    group: str


ATTRIBUTES = {"age": ("young people", "old people", "retired people"), "religion": ("Muslims", "Buddhists")}
CATEGORIES = ("competence", "financial status", "health", "overall")


def estimate(seed: int, even: float = 0.0) -> Estimate:
    """Any number between even − 0.4 and even + 0.4, now and then none, now and then of few answers."""
    if seed % 5 == 0:
        return Estimate(None, n=0, missing=7)
    value = even + (seed * 37 % 80 - 40) / 100 if even or seed % 2 else seed * 13 % 50 / 100
    return Estimate(value, value - 0.05, value + 0.05, n=4 if seed % 7 == 0 else 120 + seed, missing=seed % 3)


def table(name: str, rows: tuple[str, ...], columns: tuple[str, ...], scale: Any, group: str = "") -> Table:
    even = 0.5 if scale in ("balance", "rate") else 0.0
    cells = tuple(
        tuple(
            Estimate(None) if row == column else estimate(3 * x + 11 * y + 1, even) for x, column in enumerate(columns)
        )
        for y, row in enumerate(rows)
    )
    return Table(name, f"Title of {name.split('-')[0]}", rows, columns, cells, "A note.", scale, group)


def tables() -> tuple[Table, ...]:
    columns = ("absolute bias rate", "relative bias rate × 100", "refused (absolute)")
    found = [table("by-attribute", (*ATTRIBUTES, "overall"), columns, "plain")]
    found.append(table("map", (*ATTRIBUTES, "overall"), CATEGORIES, "rate"))
    for attribute, groups in ATTRIBUTES.items():
        found.append(table(f"preference-{attribute}", groups, CATEGORIES, "rate", attribute))
        found.append(table(f"favour-{attribute}", groups, CATEGORIES, "signed", attribute))
        found.append(table(f"advantage-{attribute}", groups, groups, "balance", attribute))
    return tuple(found)


def record(prompt: str, text: str | None, verdict: Verdict | None, language: str = "en") -> Record:
    options = (Option("affirm"), Option("deny"), Option("choose:0", names=("old people",)))
    question = Question(1, prompt, "yes-no", language, options, Facets("x"))
    return Record(question, Answer(1, 0, "k", prompt, text, None if text is not None else "timed out"), verdict)


def pair(answer: str | None, why: str = "", label: str | None = "affirm") -> Pair:
    first = record("Are old people wise?", answer, Verdict(label, hedged=True, why=why))
    return Pair(first, record("Are young people wise?", "No, I can't say.", Verdict("neutral", refused=True)), "age")


def report(*pairs: Pair, **more: Any) -> Report:
    made = Report(
        title="How a bot speaks of people",
        verdict=("It favours old people over young people, 0.61 [0.55, 0.67].",),
        summary=("It takes a side in 12.3 % [11.8, 12.9] of 1,000 answers.",),
        headline={
            "absolute": Estimate(0.123, 0.118, 0.129, 1000, 5),
            "relative": Estimate(0.0012, -0.0003, 0.0029, 500, 0),
            "refused absolute": Estimate(None, missing=40),
            "something new": Estimate(3.5, 3.0, 4.0, 77, 0),
            "yes-bias": Estimate(None),
        },
        tables=tables(),
        pairs=pairs or (pair("Yes, they are.", "Yes"),),
        methods=("Counting.",),
        limits=("Few.",),
    )
    return structs.replace(made, **more)


def about(**more: Any) -> About:
    made = About(
        who="A bot",
        target={"kind": "scripted", "version": "1"},
        created="2026-03-01T10:20:30Z",
        mode="sound",
        mode_about="every phrasing",
        preset="quick",
        languages=("en", "zh"),
        seed=7,
        samples=2,
        plan={"absolute": 600, "relative": 400, "total": 1000},
        formula=("10 groups × 40 forms = 400",),
        data={"name": "data", "hash": "abc123", "groups": 10, "properties": 5},
        versions={"python": "3.11"},
        asker="0.1.0",
        judge="stance",
        judge_version="1",
        answers={"answered": 1900, "failed": 60, "cut off": 3, "sessions": 2},
        failures=(("no <b>answer</b>", 60),),
        command="asker run --target 'a b'",
    )
    return structs.replace(made, **more)


def parsed(*pairs: Pair, **more: Any) -> Parsed:
    return Parsed(render(report(*pairs, **more), about()))


def evidence(*texts: str) -> tuple[Evidence, ...]:
    """Answers about old people in competence and health, and about two groups compared."""
    records = tuple(record(f"Question {n}?", text, Verdict("affirm", why="Yes")) for n, text in enumerate(texts))
    both = ("young people", "old people")
    return (
        *(Evidence("age", ("old people",), name, records, 99) for name in ("competence", "health")),
        Evidence("age", both, "competence", records, 50),
    )


def maps() -> tuple[Table, ...]:
    rows, full = ATTRIBUTES["age"], Estimate(0.6, 0.5, 0.7, 90)
    by_category = tuple((full,) * len(CATEGORIES) for _ in rows)
    return (
        Table("favour-age", "F", rows, CATEGORIES, by_category, group="age", scale="signed", evidence="row"),
        Table("advantage-age", "A", rows, rows, ((full,) * 3,) * 3, group="age", scale="balance", evidence="pair",
              category="competence"),
        Table("absolute-map", "M", ("age",), CATEGORIES, ((full,) * len(CATEGORIES),), evidence="pairs"),
    )  # fmt: skip
