"""A cross-encoder that tells whether one text entails or contradicts another, loaded through transformers.

Which of its outputs means what stands in the model's own config (id2label): published models differ in the order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from asker.errors import InputError, MissingExtra

INSTALL = "pip install 'asker-audit[nli]'"
BATCH = 16  # windows at a time: more is hardly faster on a CPU and wants more memory
LONGEST = 512  # tokens; what nearly all cross-encoders were trained with
_WEIGHTS = ("*.safetensors", "*.bin", "*.json", "*.txt", "*.model")


class Odds(NamedTuple):
    """How likely it is that the premise entails the hypothesis, and that it contradicts it. The rest is neither."""

    entails: float
    contradicts: float


class Entailment:
    """Finding out whether a model can be used is done at once, loading it with the first pair."""

    def __init__(self, model: str, device: str = "cpu") -> None:
        for package in ("transformers", "torch"):
            if find_spec(package) is None:
                raise MissingExtra("the judge 'nli'", INSTALL)
        self._name, self._device = model, device
        config = _config_file(model)
        self._entails, self._contradicts = _outputs(model, config)
        self.version = _fingerprint(config)

    def odds(self, pairs: Sequence[tuple[str, str]]) -> list[Odds]:
        """For each (premise, hypothesis). A long premise is read in windows, and the one that says most counts."""
        windows = [window for number, pair in enumerate(pairs) for window in self._windows(number, *pair)]
        # Of like length together, so that little is padding; a stable sort, so that the same goes with the same.
        windows.sort(key=lambda window: len(window[1]["input_ids"]))
        found: dict[int, list[tuple[int, Odds]]] = {}
        for start in range(0, len(windows), BATCH):
            batch = windows[start : start + BATCH]
            for (number, encoded), odds in zip(batch, self._run([one for _, one in batch]), strict=True):
                found.setdefault(number, []).append((encoded["place"], odds))
        return [max((odds for _, odds in sorted(found[number])), key=max) for number in range(len(pairs))]

    def _windows(self, number: int, premise: str, hypothesis: str) -> Iterator[tuple[int, dict[str, Any]]]:
        tokenizer, _, longest = self._loaded
        encoded = tokenizer(
            premise, self._cut(hypothesis), truncation="only_first", max_length=longest, stride=longest // 8,
            return_overflowing_tokens=True,
        )  # fmt: skip
        names = [name for name in encoded if name in tokenizer.model_input_names]
        for place in range(len(encoded["input_ids"])):
            yield number, {"place": place} | {name: encoded[name][place] for name in names}

    def _cut(self, hypothesis: str) -> str:
        """At most half of a window is the hypothesis; what was claimed stands at its beginning."""
        tokenizer, _, longest = self._loaded
        places = tokenizer(hypothesis, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        return hypothesis if len(places) <= longest // 2 else hypothesis[: places[longest // 2 - 1][1]]

    def _run(self, windows: list[dict[str, Any]]) -> list[Odds]:
        import torch

        tokenizer, model, _ = self._loaded
        plain = [{name: value for name, value in window.items() if name != "place"} for window in windows]
        inputs = tokenizer.pad(plain, return_tensors="pt").to(self._device)
        with torch.inference_mode():
            rows = torch.softmax(model(**inputs).logits.double(), dim=-1).cpu().tolist()
        # Rounded: how windows fall into batches moves the seventh digit, and must not move a verdict.
        return [Odds(round(row[self._entails], 4), round(row[self._contradicts], 4)) for row in rows]

    @cached_property
    def _loaded(self) -> tuple[Any, Any, int]:
        """Tokenizer, model and window length. Seconds and a gigabyte, so only when there is something to read."""
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        try:
            tokenizer = AutoTokenizer.from_pretrained(self._name)
            model = AutoModelForSequenceClassification.from_pretrained(self._name).to(self._device).eval().float()
        except (OSError, ValueError, RuntimeError, KeyError, ImportError) as error:
            raise InputError(
                f"cannot load the model '{self._name}' of the judge 'nli': {_first_line(error)}"
            ) from error
        if not getattr(tokenizer, "is_fast", False):
            raise InputError(
                f"the tokenizer of '{self._name}' cannot cut long answers; the judge 'nli' needs a fast one"
            )
        return tokenizer, model, _window(tokenizer, model)


def _window(tokenizer: Any, model: Any) -> int:
    """Tokens at a time. Some models count two positions more than they can use."""
    positions = getattr(model.config, "max_position_embeddings", None) or LONGEST + 2
    return int(min(tokenizer.model_max_length, positions - 2, LONGEST))


def _config_file(model: str) -> Path:
    folder = Path(model).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise InputError(f"{folder} holds no config.json; the judge 'nli' needs the folder of a transformers model")
        return folder / "config.json"
    from huggingface_hub import hf_hub_download  # comes with transformers

    try:
        return Path(hf_hub_download(model, "config.json"))
    except Exception as error:  # no network, no such name, no leave: the library has an error of its own for each
        how = "Give the folder of a saved model, or a name on the hub while there is a network"
        raise InputError(f"there is no model '{model}' for the judge 'nli': {_first_line(error)} {how}") from error


def _outputs(model: str, config: Path) -> tuple[int, int]:
    """Which outputs mean entailment and contradiction, by the names the model gives them."""
    try:
        names = {int(number): str(name) for number, name in json.loads(config.read_text("utf-8"))["id2label"].items()}
    except (OSError, ValueError, KeyError, AttributeError):
        names = {}
    found = [[number for number, name in names.items() if name.lower().startswith(word)] for word in _WANTED]
    if any(len(numbers) != 1 for numbers in found):
        there = ", ".join(names.values()) or "none"
        how = "The judge 'nli' needs one called entailment and one called contradiction in id2label of its config.json"
        raise InputError(f"the model '{model}' does not say which of its outputs means what (labels: {there}). {how}")
    return found[0][0], found[1][0]


_WANTED = ("entail", "contradict")


def _fingerprint(config: Path) -> str:
    """The commit of a model from the hub, else a hash of its files: verdicts of two models must not be mixed."""
    if config.parent.parent.name == "snapshots":
        return config.parent.name[:12]
    digest = hashlib.blake2b(digest_size=6)
    for file in sorted({file for pattern in _WEIGHTS for file in config.parent.glob(pattern)}):
        digest.update(file.name.encode())
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "blake2b").digest())
    return digest.hexdigest()


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".") + "."
