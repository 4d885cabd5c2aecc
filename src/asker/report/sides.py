"""A question, its answer and the verdict as markup.

Written out here and not by a template: a page of answers has thirty, and they were half of what it took. All that
is not ours goes through `_text`, which cleans and escapes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from asker.report.text import Piece, Shown, clean

if TYPE_CHECKING:
    from asker.report.page import Side

LONGEST_ERROR, LONGEST_WHY = 300, 200  # characters


def one_side(side: Side) -> Markup:
    language = _text(side.language)
    question = f'<p class="question" lang="{language}" dir="auto"><span class="hidden">Question: </span>'
    answer = _answer(side.answer, language) if side.answer is not None else _failed(side.error)
    return Markup(f"{question}{_text(side.prompt)}</p>\n{answer}{_verdict(side)}")


def _failed(error: str) -> str:
    return f'<p class="failed">No answer{f": {_text(_cut(error, LONGEST_ERROR))}" if error else ""}</p>\n'


def _answer(answer: Shown, language: str) -> str:
    if not answer.length:
        return '<p class="failed">The answer was empty.</p>\n'
    short = _quoted(answer.short, language)
    if not answer.whole:
        return short
    cut = f'<p class="failed">{answer.cut:,} more characters are kept in the run.</p>\n' if answer.cut else ""
    return (
        f"{short}<details><summary>The whole answer, {answer.length:,} characters</summary>\n"
        f"{_quoted(answer.whole, language)}{cut}</details>\n"
    )


def _quoted(pieces: list[Piece], language: str) -> str:
    return f'<blockquote lang="{language}" dir="auto">{said(pieces)}</blockquote>\n'


def said(pieces: list[Piece]) -> Markup:
    """The words of an answer, those that decided its verdict marked."""
    marked = [f"<mark>{_text(one.text)}</mark>" if one.deciding else _text(one.text) for one in pieces]
    return Markup("".join(marked))


def _verdict(side: Side) -> str:
    taken = " side-taken" if side.biased else ""
    flags = "".join(f' <span class="badge">{_text(flag)}</span>' for flag in side.flags)
    why = f" <small>decided by: {_text(_cut(side.why, LONGEST_WHY))}</small>" if side.why else ""
    return f'<p class="verdict"><span class="badge{taken}">{_text(side.verdict)}</span>{flags}{why}</p>\n'


def _text(text: str) -> str:
    return str(escape(clean(text)))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rpartition(' ')[0] or text[:most]}…"
