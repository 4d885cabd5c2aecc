"""The pieces the readers know: those of the base that our texts, and common words of both languages, are made of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from asker.data import read
from asker.judges._marks import MASKS
from asker.judges._tokens import LONGEST_PIECE, Vocabulary
from training.base import Base

HERE = Path(__file__).parent
COMMON = 20_000  # words of each language, the most frequent
SPECIAL = {"[PAD]": "<pad>", "[UNK]": "<unk>", "[CLS]": "<s>", "[SEP]": "</s>"}
FIRST = frozenset((*SPECIAL, *MASKS))
START = "▁"  # how the base marks a piece that begins a word
_CHINESE = re.compile(rf"[\u4e00-\u9fff]{{1,{LONGEST_PIECE['']}}}")
_WORD = re.compile(rf"[a-z0-9]{{1,{LONGEST_PIECE['##']}}}")
_SIGN = re.compile(r"[!-/:-@\[-`{-~£€]")


def vocabulary(base: Base) -> Vocabulary:
    """What ships. Pieces are called as BERT's are: "##" before one that begins within a word."""
    likely = _all(base)
    whole = Vocabulary(likely)
    every = list(likely)
    used = {every[number] for text in _texts() for number in whole.tokens(text)}
    used |= {name for name in every if len(name.removeprefix("##")) == 1 and name.isascii()}  # they make any word
    used -= FIRST
    return Vocabulary({name: likely[name] for name in (*SPECIAL, *MASKS, *sorted(used))})


def vectors(known: Vocabulary, base: Base) -> Any:
    """The base's vectors for these pieces; the masks, which are no pieces of its, are the mean of theirs."""
    import torch

    rows = base.tensor("emb.word").reshape(-1, base.width)
    numbers = {name: number for number, piece in enumerate(base.pieces) for name in _names(piece)}
    cut = Vocabulary({name: likely for name, likely in known.likely.items() if name not in MASKS})
    names = list(cut.numbers)
    found = [[names[one] for one in cut.tokens(name)] if name in MASKS else [name] for name in known.numbers]
    return torch.stack([torch.from_numpy(rows[[numbers[one] for one in some]].mean(axis=0)) for some in found])


def _all(base: Base) -> dict[str, float]:
    """Every piece of the base that we have a name for, and the masks, with how likely they are."""
    likely = dict.fromkeys((*SPECIAL, *MASKS), 0.0)
    return likely | {name: one for piece, one in zip(base.pieces, base.likely, strict=True) for name in _names(piece)}


def _names(piece: str) -> Iterator[str]:
    """How we call a piece of the base: nothing if it is of another script, or has capitals."""
    if piece in SPECIAL.values():
        yield next(ours for ours, its in SPECIAL.items() if its == piece)
    elif _CHINESE.fullmatch(piece) or _SIGN.fullmatch(piece):
        yield piece
    elif _WORD.fullmatch(piece):
        yield f"##{piece}"
    elif piece.startswith(START) and _WORD.fullmatch(piece[1:]):
        yield piece[1:]


def _texts() -> Iterator[str]:
    for file in sorted([*(HERE / "answers").glob("*.jsonl"), *(HERE / "sentences").glob("*.jsonl")]):
        for row in map(json.loads, file.read_text("utf-8").splitlines()):
            yield from (row[name] for name in ("answer", "text", "statement", "question") if name in row)
    data = read()
    for one in data.properties:
        yield from (phrase.text for phrase in one.phrases.values())
    yield from (name for group in data.groups for name in group.names.values())
    yield from _common()


def _common() -> Iterator[str]:
    wordfreq = import_module("wordfreq")
    for language in ("en", "zh"):
        yield from wordfreq.top_n_list(language, COMMON)
