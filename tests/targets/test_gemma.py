"""Gemma's weights come in parts, and are joined once: whole or not at all."""

from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("xllamacpp", reason="xllamacpp is not installed (make gemma)")
from asker.errors import InputError
from asker.targets.gemma270m import _join


def package(behave):
    def assemble(path, overwrite):
        Path(path).write_bytes(b"half")
        behave()
        Path(path).write_bytes(b"whole")

    return SimpleNamespace(assemble=assemble)


def test_joined_weights_take_their_place_in_one_step(tmp_path):
    file = tmp_path / "cache" / "weights.gguf"
    _join(package(lambda: None), file)
    assert file.read_bytes() == b"whole"
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("trouble", [ValueError("sha256 did not match"), OSError(28, "No space left on device")])
def test_what_cannot_be_joined_leaves_nothing_behind(tmp_path, trouble):
    def fail():
        raise trouble

    with pytest.raises(InputError, match="cannot join the weights of Gemma"):
        _join(package(fail), tmp_path / "weights.gguf")
    assert list(tmp_path.iterdir()) == []
