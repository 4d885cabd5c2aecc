"""The page: readable by everyone, and unharmed by whatever a chatbot says."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct, structs

from asker.report import About, render
from asker.report.axis import axis_of
from asker.report.cells import percent, signed
from asker.report.facts import readable
from asker.report.heat import ANCHORS, STEPS, Theme, blend, contrast, heat_of, text_on
from asker.report.text import clean, excerpt, show_answer
from asker.types import Answer, Estimate, Evidence, Option, Pair, Question, Record, Report, Table, Verdict

VOID = {"meta", "br", "hr", "img", "input", "link"}
RTL = "\u202eeht fo redro\u202c"
HOSTILE = {
    "script": "Yes. <script>alert(1)</script>",
    "table end": "Yes</td></tr></table></main></body><h1>Owned</h1>",
    "template": "Yes {{7*7}} {% raw %} ${7*7}",
    "svg": "Yes <svg onload=alert(1)><img src=x onerror=alert(2)>",
    "style": "Yes</style><style>body{display:none}</style><!--",
    "attribute": "Yes\" onmouseover=\"alert(1)' autofocus onfocus='alert(2)",
    "direction": f"Yes {RTL} \u2066x\u2069",
    "control": "Yes \x00\x07\x1b[31m\x7f\x9b \ud800 \ufffe\r\nnext",
    "entity": "Yes &lt;b&gt; &#x202e; &amp;",
    "long": "Yes, " + "word " * 20_000,
    "unbroken": "Yes " + "x" * 100_000,
    "Chinese": "是的,老年人更诚实。",
    "empty": "",
}


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


# --- hostile answers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_no_answer_changes_the_structure_of_the_page(name: str) -> None:
    tame, hostile = parsed(pair("Yes.")), parsed(pair(HOSTILE[name]))
    folded = {"details", "summary", "blockquote", "p"}  # a long or empty answer may be folded or replaced by a remark
    assert [n.tag for n in tame.nodes if n.tag not in folded] == [n.tag for n in hostile.nodes if n.tag not in folded]
    assert not hostile.all("script")
    assert not [key for node in hostile.nodes for key in node.attributes if key.startswith("on") or key == "autofocus"]


@pytest.mark.parametrize("name", sorted(set(HOSTILE) - {"direction", "control", "long", "unbroken", "empty"}))
def test_an_answer_is_shown_as_it_was_said(name: str) -> None:
    assert HOSTILE[name] in parsed(pair(HOSTILE[name])).texts_of("blockquote")


@pytest.mark.parametrize(
    "place",
    ["evidence", "question", "why", "group", "title", "summary", "verdict", "who", "failure", "command", "note"],
)
def test_every_text_is_escaped_and_cleaned(place: str) -> None:
    bad = "<script>x</script>\x00\u202e\ud800 {{7*7}} \" ' </style>"
    shown, told = report(), about()
    if place == "evidence":
        answer = structs.replace(record(bad, bad, Verdict("affirm", why=bad)))
        shown = report(evidence=(Evidence(bad, (bad,), bad, (answer,), 1),))
    if place == "question":
        shown = report(Pair(record(bad, bad, None, "en"), record(bad, None, None), bad))
    if place == "why":
        shown = report(pair("Something else.", bad))
    if place == "group":
        shown = report(tables=(table("m", (bad, "b"), (bad, "c"), "rate", bad),))
    if place == "note":
        shown = report(tables=(structs.replace(table("m", ("a",), ("b",), "plain"), note=bad),))
    if place in ("title", "summary", "verdict"):
        shown = structs.replace(shown, **{place: bad if place == "title" else (bad,)})
    if place == "failure":
        told = about(failures=((bad, 1),))
    if place in ("who", "command"):
        told = about(**{place: bad})
    page = render(shown, told)
    assert len(Parsed(page).all("script")) == (place == "evidence"), "but for the one of our own"
    assert "7*7" in page
    assert not set(page) & {"\x00", "\u202e", "\ud800"}
    assert page.encode("utf-8")


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec=None), max_size=60), st.text(max_size=5))
def test_any_text_at_all_can_be_shown(answer: str, why: str) -> None:
    assert parsed(pair(answer, why)).all("main")


def test_hidden_characters_become_visible_ones() -> None:
    assert clean("a\x00b\x1bc\x7fd\x85e\u202ef\ud800g\r\nh\ti") == "a␀b␛c␡d\ne�f�g\nh\ti"


def test_a_talkative_answer_is_folded_and_does_not_swell_the_page() -> None:
    page = render(report(*[pair("Yes. " + "是" * 100_000, "Yes")] * 14), about())
    assert len(Parsed(page).all("details")) == 14
    assert len(page.encode()) < 1_500_000


# --- the deciding words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "why", "marked"),
    [
        ("I know. No, never.", "No", "No"),
        ("I know nothing, no.", "no", "no"),
        ("他们不更诚实。", "不", "不"),
        ("<b>Yes</b>", "<b>Yes", "<b>Yes"),
        ("a & b", "& b", "& b"),
        (
            "filler " * 300 + "old people are better." + " filler" * 300,
            "old people are better",
            "old people are better",
        ),
    ],
)
def test_the_deciding_words_are_marked_in_the_answer(answer: str, why: str, marked: str) -> None:
    page = parsed(pair(answer, why))
    assert marked in page.texts_of("mark")
    assert why in page.texts_of("blockquote")[0]


def test_whole_words_are_marked_before_parts_of_words() -> None:
    assert [piece.text for piece in show_answer("I know. no.", "no").short] == ["I know. ", "no", "."]


def test_deciding_words_that_are_not_in_the_answer_are_told_instead() -> None:
    assert "decided by: echo of the question" in parsed(pair("Why?", "echo of the question")).text()


def test_verdicts_are_put_in_words() -> None:
    text = parsed(pair("Old ones.", "", "choose:0"), pair("?", "", None), pair(None, "", None)).text()
    for words in ("chooses old people", "not readable", "no answer", "takes no side", "refused", "timed out"):
        assert words in text


# --- reading ---------------------------------------------------------------------------------------------------------


def test_the_content_notice_comes_before_everything_that_is_quoted() -> None:
    text = parsed().text()
    assert 0 <= text.index("Content notice") < text.index("How a bot speaks") < text.index("Are old people wise?")


def test_every_table_has_a_caption_and_every_heading_cell_a_scope() -> None:
    page = parsed()
    assert len(page.all("table")) == len(page.all("caption")) == len(tables())
    assert {node.attributes.get("scope") for node in page.all("th")} == {"row", "col"}
    assert all(text.strip() for text in page.texts_of("caption"))


def test_every_row_has_a_cell_for_every_column() -> None:
    page = parsed()
    cells = re.findall(r"<tr.*?</tr>", render(report(), about()), flags=re.S)
    assert len(cells) == len(page.all("tr"))
    widths = [len(re.findall(r"<t[hd]", row)) for row in cells]
    expected = [1 + len(one.columns) for one in tables() for _ in (0, *one.rows)]
    assert widths == expected


def test_what_is_missing_is_never_a_number() -> None:
    nothing = Table("m", "M", ("a",), ("b",), ((Estimate(None, n=0, missing=3),),))
    for scale in ("rate", "balance", "signed", "plain"):
        page = parsed(tables=(structs.replace(nothing, scale=scale),))
        cell = page.texts_of("td")[-1]
        assert cell.startswith("–")
        assert "0" not in cell
    assert "3 missing" in cell


def test_the_cell_of_a_group_with_itself_is_empty() -> None:
    page = parsed(tables=(table("advantage-age", ("x", "y"), ("x", "y"), "balance", "age"),))
    assert page.texts_of("td")[1] == ""


def test_every_number_comes_with_its_interval_and_what_it_rests_on() -> None:
    one = Estimate(0.234, 0.2, 0.27, n=321, missing=9)
    for scale in ("rate", "plain"):
        page = parsed(tables=(Table("m", "M", ("a",), ("bias rate",), ((one,),), scale=scale),))
        cell = page.texts_of("td")[-1]
        assert re.search(r"23(\.4)?\u202f%.*\[20(\.0)?, 27(\.0)?\].*n\s321, 9\smissing", cell, re.S), cell
    headline = re.sub("[ \n\u00a0]+", " ", parsed().text())
    assert "12.3\u202f% [11.8, 12.9]" in headline
    assert "n 1,000, 5 missing" in headline


def test_a_cell_that_rests_on_few_answers_is_faint() -> None:
    cells = (tuple(Estimate(0.3, 0.1, 0.5, n) for n in (9, 10)),)
    page = parsed(tables=(Table("m", "M", ("a",), ("b", "c"), cells),))
    assert [("few" in (node.attributes["class"] or "")) for node in page.all("td") if "title" in node.attributes] == [
        True,
        False,
    ]
    assert "fewer than 10 answers" in page.text()


def test_headings_go_down_one_step_at_a_time() -> None:
    levels = [int(node.tag[1]) for node in parsed().nodes if re.fullmatch(r"h[1-6]", node.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))


def test_every_link_leads_somewhere_on_the_page_and_no_id_is_used_twice() -> None:
    page = parsed()
    ids = [node.attributes["id"] for node in page.nodes if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    points = [
        node.attributes[key] for node in page.nodes for key in ("aria-labelledby", "for") if key in node.attributes
    ]
    links = [(node.attributes["href"] or "").removeprefix("#") for node in page.all("a")]
    assert set(points) | set(links) <= set(ids)


# --- evidence --------------------------------------------------------------------------------------------------------


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


def test_a_cell_leads_to_the_answers_behind_it() -> None:
    page = parsed(tables=maps(), evidence=evidence("Yes.", "Yes, so it is."))
    ids = {node.attributes["id"]: node for node in page.nodes if "id" in node.attributes}
    links = [node for node in page.all("a") if "td" in node.inside]
    assert {str(node.attributes["href"])[1:] for node in links} <= set(ids)
    # Old people in two categories and overall; the pair from both sides; of the attribute one category and overall.
    assert len(links) == 3 + 2 + 3
    assert len([one for one in page.texts_of("li") if "Question 0?" in one]) == 3


def test_without_evidence_there_is_neither_script_nor_link() -> None:
    page = parsed(tables=maps())
    assert not page.all("script")
    assert not [node for node in page.all("a") if "td" in node.inside]


def test_only_our_own_script_may_run() -> None:
    page = render(report(tables=maps(), evidence=evidence("Yes.")), about())
    told = re.search(r"script-src '(sha256-[^']+)'", page)
    ours = re.search(r"<script>(.*?)</script>", page, re.S)
    assert told
    assert ours
    assert told[1] == "sha256-" + b64encode(sha256(ours[1].encode()).digest()).decode()
    assert "innerHTML" not in ours[1]


@pytest.mark.parametrize("text", ["word " * 2000, "字" * 3000], ids=["English", "Chinese"])
def test_evidence_of_the_published_design_leaves_the_page_below_3_mb(text: str) -> None:
    records = (record("Are old people wise?", text, Verdict("affirm", why=text[:4])),) * 4
    cells = tuple(Evidence("age", (f"group {n}",), f"category {c}", records, 99) for n in range(75) for c in range(12))
    assert len(render(report(evidence=cells), about()).encode()) < 2_600_000


def test_an_excerpt_holds_the_deciding_words_wherever_they_stand() -> None:
    found, sure = excerpt("filler " * 500 + "old people are wiser" + " filler" * 500, "old people are wiser", 200)
    assert sure
    assert [piece.text for piece in found if piece.deciding] == ["old people are wiser"]
    assert sum(len(piece.text) for piece in found) < 220


# --- plots -----------------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(-1e4, 1e4, allow_nan=False), max_size=8), st.booleans())
def test_an_axis_holds_all_values_between_round_lines(values: list[float], rate: bool) -> None:
    values = [min(1.0, abs(value)) for value in values] if rate else values
    axis = axis_of(values, rate)
    nearly = 1e-8 * (axis.high - axis.low)
    assert axis.low <= min([0.0, *values]) + nearly
    assert axis.high >= max([0.0, *values]) - nearly
    assert 2 <= len(axis.lines) <= 7
    assert all(0 <= axis.place(value) <= 100 for value in values)


def test_a_plot_shows_every_number_also_as_text() -> None:
    cells = ((Estimate(0.25, 0.2, 0.3, 80), Estimate(-0.1, -0.2, 0.05, 80)), (Estimate(None, missing=4), Estimate(0.0)))
    one = Table("by-phrasing", "P", ("a", "b"), ("bias rate", "favour"), cells, scale="plain", plot=True)
    page = parsed(tables=(one,))
    assert [node.attributes["cx"] for node in page.all("circle")][:2] == ["50.0%", "33.3%"]
    text = " ".join(page.texts_of("td"))
    for words in ("25.0\u202f%", "[20.0, 30.0]", "−0.10", "[−0.20, 0.05]", "4 missing"):
        assert words in text


# --- the chatbot -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ('{"affirm":0.5,"first":0.0,"of":{"men":{"affirm":0.6,"sides":null}}}', "affirm 0.5; men: affirm 0.6"),
        ("gpt-4o", "gpt-4o"),
        ("{not json", "{not json"),
        ("{}", "nothing"),
    ],
)
def test_what_was_planted_is_readable(said: str, shown: str) -> None:
    assert readable(said) == shown


def test_the_page_needs_nothing_else_and_runs_nothing() -> None:
    page = render(report(), about())
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|url\(|@import|<script|<link|src=", page)
    assert '<html lang="en">' in page


def test_an_empty_report_is_still_a_page() -> None:
    bare = Report("T", (), {}, (), (), (), ())
    page = Parsed(render(bare, about(plan={}, answers={}, failures=(), formula=(), created="")))
    assert not page.all("table")


def test_counts_tell_what_came_what_failed_and_what_was_not_asked() -> None:
    text = " ".join(parsed().text().split())
    for words in ("1,900 answered", "60 failed", "40 not asked", "60 × no <b>answer</b>"):
        assert words in text


def test_a_page_of_the_published_size_stays_small() -> None:
    categories = (*(f"category {n}" for n in range(12)), "overall")
    groups = tuple(f"people of group {n}" for n in range(35))
    kinds = ("rate", "signed")
    whole = tuple(table(f"{kind}-all", groups, categories, kind, "all") for kind in kinds)
    whole += (table("advantage-all", groups, groups, "balance", "all"),)
    page = render(report(tables=whole), about())
    assert len(page.encode()) < 1_500_000


# --- colours and numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ramp", ["q", "d"])
def test_text_can_be_read_on_every_colour(theme: Theme, ramp: str) -> None:
    colours = [blend(ANCHORS[theme][ramp], step / STEPS) for step in range(STEPS + 1)]
    assert min(contrast(colour, text_on(colour)) for colour in colours) >= 4.5


@pytest.mark.parametrize(("scale", "even"), [("balance", 0.5), ("signed", 0.0)])
def test_even_is_the_middle_of_a_diverging_map(scale: Any, even: float) -> None:
    cells = ((Estimate(even + 0.4, n=50), Estimate(even, n=50), Estimate(even - 0.1, n=50)),)
    heat = heat_of([Table("m", "M", ("a",), ("b", "c", "d"), cells, scale=scale)])
    assert heat.css(even) == f"d{STEPS // 2}"
    assert heat.high - even == even - heat.low >= 0.4


def test_tables_of_one_title_share_their_colours() -> None:
    small = Table("p-a", "P", ("a",), ("b",), ((Estimate(0.08, n=50),),), group="a")
    large = Table("p-b", "P", ("a",), ("b",), ((Estimate(0.9, n=50),),), group="b")
    cells = [node.attributes["class"] for node in parsed(tables=(small, large)).all("td") if "title" in node.attributes]
    assert [str(css).split()[0] for css in cells] == ["q2", "q18"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0\u202f%"),
        (0.001, "<\u202f1\u202f%"),
        (0.999, ">\u202f99\u202f%"),
        (1.0, "100\u202f%"),
        (0.256, "26\u202f%"),
    ],
)
def test_a_rate_is_not_rounded_to_nothing_or_all(value: float, words: str) -> None:
    assert percent(value) == words


@pytest.mark.parametrize(("value", "words"), [(0.123, "+0.12"), (-0.123, "−0.12"), (-0.001, "0.00"), (0.0, "0.00")])
def test_a_signed_number_has_its_sign_unless_it_is_zero(value: float, words: str) -> None:
    assert signed(value) == words
