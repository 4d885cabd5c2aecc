"""A tiny entailment model, trained in seconds on sentences of ten words, and saved as any model is.

It is a real BERT with a WordPiece vocabulary that knows just enough to see whether its outputs are read right.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path

GROUPS, PROPERTIES = ("men", "women", "bakers"), ("smart",)
YES = ("yes", "yes , they are", "certainly . yes", "because they work hard , although not all of them do")
NO = ("no", "no , they are not", "certainly not")
IDLE = "the weather is nice . "
NEITHER = ("the weather is nice", "i cannot say", "hm", "i cannot say . the weather is nice", "yesterday")
NAMES = ("entailment", "neutral", "contradiction")


def pairs() -> Iterator[tuple[str, str, str]]:
    """Premise, hypothesis, and what the one says of the other."""
    for group in GROUPS:
        for quality in PROPERTIES:
            claim = f"{group} are {quality} ."
            for one, end in product((claim, f"{group} are more {quality} than women ."), ("", " .")):
                yield from ((said + end, one, "entailment") for said in YES)
                yield from ((said + end, one, "contradiction") for said in NO)
                yield from ((said + end, one, "neutral") for said in NEITHER)
            for other in GROUPS:
                same = other == group
                yield f"{other} .", claim, "entailment" if same else "neutral"
                yield f"{other} are {quality} .", claim, "entailment" if same else "neutral"
                yield f"certainly not {other} .", claim, "contradiction" if same else "neutral"
                yield f"i cannot say . {other} are {quality} . {IDLE}", claim, "entailment" if same else "neutral"
            # A word that counts may stand far from the beginning; 57 words fill a window.
            for first, length in product(range(5), (17, 37, 52)):
                idle = (IDLE * 20).split()[first:]
                yield " ".join(idle[: length + 5]), claim, "neutral"
                yield " ".join([*idle[:length], "yes , they are ."]), claim, "entailment"
                yield " ".join([*idle[:length], "no , they are not ."]), claim, "contradiction"


def save_toy_model(folder: Path, steps: int = 2000) -> Path:
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    folder.mkdir(parents=True, exist_ok=True)
    words = sorted({word for premise, claim, _ in pairs() for word in f"{premise} {claim}".split()})
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words, "?"]), "utf-8")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer", "do_lower_case": true}')
    torch.manual_seed(0)
    torch.set_num_threads(1)  # for a model this small, threads only wait for each other
    config = BertConfig(
        vocab_size=len(words) + 6, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=66, initializer_range=0.2 if steps else 0.02,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        id2label=dict(enumerate(NAMES)), label2id={name: number for number, name in enumerate(NAMES)},
    )  # fmt: skip
    model = BertForSequenceClassification(config)
    config.save_pretrained(folder)
    _train(model, AutoTokenizer.from_pretrained(folder), steps)
    model.save_pretrained(folder)
    return folder


def save_in_another_order(trained: Path, folder: Path, names: tuple[str, ...]) -> Path:
    """The same model with its outputs exchanged, and named as they are then."""
    import torch
    from transformers import AutoModelForSequenceClassification

    shutil.copytree(trained, folder)
    model = AutoModelForSequenceClassification.from_pretrained(trained)
    places = torch.tensor([NAMES.index(name.lower()) for name in names])
    last = model.classifier
    last.weight.data, last.bias.data = last.weight.data[places].clone(), last.bias.data[places].clone()
    model.config.id2label = dict(enumerate(names))
    model.config.label2id = {name: number for number, name in enumerate(names)}
    model.save_pretrained(folder)
    return folder


def _train(model, tokenizer, steps: int) -> None:
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    draw = random.Random(0)
    # Short ones and long ones apart, so that the short are not padded to the length of the long.
    pools = [_encoded(tokenizer, [one for one in pairs() if (len(one[0]) > 60) == long]) for long in (False, True)]
    for step in range(steps):
        if step % 50 == 0 and all(_learnt(model, *pool) for pool in pools):
            return
        inputs, truth = draw.choices(pools, weights=(3, 1))[0]
        some = torch.tensor(draw.sample(range(len(truth)), 32))
        loss = model(**{name: value[some] for name, value in inputs.items()}, labels=truth[some]).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert not steps, "the toy model did not learn"


def _learnt(model, inputs, truth) -> bool:
    """Every pair right, and surely."""
    import torch

    with torch.inference_mode():
        sure = torch.softmax(model(**inputs).logits, dim=-1)[range(len(truth)), truth]
    return sure.min().item() > 0.95


def _encoded(tokenizer, data: list[tuple[str, str, str]]):
    import torch

    premises, claims, names = zip(*data, strict=True)
    inputs = tokenizer(list(premises), list(claims), padding=True, return_tensors="pt")
    return inputs, torch.tensor([NAMES.index(name) for name in names])
