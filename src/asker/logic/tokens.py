"""Formulas as people write them, cut into words: the many spellings of a sign become one."""

from __future__ import annotations

import re

import msgspec

from asker.errors import InputError

SPELLINGS = {
    "¬": r"¬ ~ ! - − ∼ ˜ ￢ \neg \lnot \sim",
    "∧": r"∧ & && /\ ⋀ ＆ ^ · * \land \wedge \&",
    "∨": r"∨ | || \/ ⋁ ｜ + \lor \vee",
    "⊕": r"⊕ ⊻ ≢ ⇎ ↮ <~> ^^ \oplus \veebar",
    "→": r"→ -> --> => ==> ⇒ ⟶ ⟹ ⊃ \to \rightarrow \Rightarrow \implies \supset \longrightarrow",
    "↔": r"↔ <-> <--> <=> <==> ⇔ ⟷ ⟺ ≡ \leftrightarrow \Leftrightarrow \iff \equiv",
    "∀": r"∀ \forall",
    "∃": r"∃ \exists",
    "∃!": r"∃! ∃₁ \exists!",
    "∄": r"∄ \nexists",
    "=": r"= == ＝",
    "≠": r"≠ != \neq \ne",
    "⊤": r"⊤ \top $true",
    "⊥": r"⊥ \bot $false",
    "(": r"( [ { （ ［ ｛ \left( \left[ \{",
    ")": r") ] } ） ］ ｝ \right) \right] \}",
    ",": ", ，",
    ".": ".",
    ":": ": ：",
    "?": "?",
}
SIGNS = {spelling: sign for sign, spellings in SPELLINGS.items() for spelling in spellings.split()}
# Words that stand between two formulas, where no name can stand.
BETWEEN = {"and": "∧", "or": "∨", "v": "∨", "xor": "⊕", "implies": "→", "then": "→", "iff": "↔"}
# Words that stand before a formula, where a name can stand too: the parser looks at what comes after them.
QUANTIFIERS = {"forall": "∀", "all": "∀", "every": "∀", "exists": "∃", "some": "∃", "exist": "∃", "thereexists": "∃"}
CLOSING = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "｛": "｝"}

_WORDS = r"for[ \t_-]?all|for[ \t]+(?:every|each|any)|there[ \t]+exists?(?:[ \t]+(?:an?|some)\b)?"
_NAME = r"\d+(?:\.\d+)+%?|\w+(?:[-'’′/]\w+)*['’′%]*"  # x', Jean-Paul, women's, 3.5
_TOKEN = re.compile(
    r"(?P<space>[\s\u200b\u2060\ufeff]+|\\[,;! ]|\\quad\b)"
    r'|"(?P<quoted>[^"\n]+)"|“(?P<curly>[^”\n]+)”|(?<![\w\'])\'(?P<single>[^\'\n]+)\'(?!\w)'
    rf"|(?P<words>(?i:{_WORDS})\b)"
    rf"|(?P<sign>{'|'.join(re.escape(one) for one in sorted(SIGNS, key=len, reverse=True))})"
    rf"|(?P<name>{_NAME})"
)


class FormulaError(InputError):
    """One place in a formula that cannot be read. Lines and columns count from 1, in characters."""

    def __init__(self, text: str, at: int, reason: str) -> None:
        self.text, self.at, self.reason = text, at, reason
        self.line = text.count("\n", 0, at) + 1
        self.column = at - (text.rfind("\n", 0, at) + 1) + 1
        super().__init__(f"line {self.line}, column {self.column}: {reason}")


class Token(msgspec.Struct, frozen=True):
    kind: str  # a sign, "name", or "end"
    text: str  # as it was written, without quotes
    at: int
    quoted: bool = False

    @property
    def word(self) -> str:
        """In small letters; empty for what is quoted, which is never a word of the notation."""
        return "" if self.quoted or self.kind != "name" else self.text.lower()


def tokens(text: str) -> list[Token]:
    """Every word and sign, and an end to run into."""
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError(text, at, f"'{text[at]}' is no sign of a formula; {_hint(text[at])}")
        found += _token(match)
        at = match.end()
    return [*found, Token("end", "", len(text))]


def _token(match: re.Match[str]) -> list[Token]:
    kind, text = str(match.lastgroup), match[str(match.lastgroup)]
    if kind == "space":
        return []
    if kind == "sign":
        return [Token(SIGNS[text], text, match.start())]
    if kind == "words":
        return [Token("∀" if text[0] in "fF" else "∃", text, match.start())]
    return [Token("name", text.strip() if kind != "name" else text, match.start(), kind != "name")]


def _hint(character: str) -> str:
    if character in "<>≤≥∈∉⊆":
        return "write a relation as a predicate, like Less(a, b) or In(x, s)"
    if character in "\"'“”‘’":
        return "a quotation mark has no partner"
    return "known are ¬ ∧ ∨ ⊕ → ↔ ∀ ∃ = ≠, brackets, names, and ~ & | xor -> <->"
