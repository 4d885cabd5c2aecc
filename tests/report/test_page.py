"""The page: readable by everyone, with nothing missing and nothing from elsewhere."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise

import pytest
from msgspec import structs

from asker.report import render
from asker.report.facts import readable
from asker.types import Estimate, Evidence, Report, Table, Verdict
from madepage import (
    Parsed,
    about,
    evidence,
    maps,
    pair,
    parsed,
    record,
    report,
    table,
    tables,
)


def test_verdicts_are_put_in_words() -> None:
    text = parsed(pair("Old ones.", "", "choose:0"), pair("?", "", None), pair(None, "", None)).text()
    for words in ("chooses old people", "not readable", "no answer", "takes no side", "refused", "timed out"):
        assert words in text


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
