"""Between torch and the files that ship: int8 ONNX out, and back again, so that a training can go on from what ships.

The vectors of the pieces are kept once, for both readers (words.npy); each gets those of its text as numbers.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from asker.judges._reader import INPUTS, OUTPUTS
from training.gathering import ROOT
from training.network import WIDTH, Network, Shape

SHIPPED, BUILT = ROOT / "src" / "asker" / "judges" / "model", ROOT / "build" / "readers"
LARGEST = 127  # int8


class _Alone(nn.Module):
    """The network on one text, whose vectors come as whole numbers."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = copy.deepcopy(network).eval()
        self.network.slots.data *= scale(network)

    def forward(self, words: Any, kinds: Any) -> tuple[Any, Any, Any]:
        stance, flags, weights, _ = self.network.read(words, kinds)
        return stance, flags, weights


def save_words(network: Network, folder: Path) -> None:
    whole = np.rint(network.words.weight.detach().numpy() / scale(network)).clip(-LARGEST, LARGEST)
    whole[0] = 0  # an empty slot adds nothing
    np.save(folder / "words.npy", whole.astype(np.int8))


def scale(network: Network) -> float:
    """What one step of the int8 vectors is worth; the few largest of millions are cut."""
    sizes = network.words.weight.detach().abs().flatten()
    return float(sizes.topk(1 + len(sizes) // 10**6).values[-1]) / LARGEST


def export(network: Network, file: Path) -> None:
    """The network in int8, for one text at a time; it can be trained on after that."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    words = torch.zeros(1, 5, network.shape.slots, WIDTH)
    plain = file.with_suffix(".plain")
    torch.onnx.export(
        _Alone(network),
        (words, torch.tensor([[0, 0, 0, 1, 1]])),
        str(plain),
        input_names=list(INPUTS),
        output_names=list(OUTPUTS),
        dynamic_axes={"words": {1: "length"}, "kinds": {1: "length"}, "weights": {1: "length"}},
        opset_version=17,
        dynamo=False,
    )
    # Seven bits for weights: with eight, processors without VNNI add up past what 16 bits hold. A scale for each
    # column: with one for all, a tenth of the labels came out as others.
    quantize_dynamic(str(plain), str(file), weight_type=QuantType.QInt8, reduce_range=True, per_channel=True)
    plain.unlink()


def load(shape: Shape, file: Path) -> Network:
    """The network back from what was exported, with the words beside it."""
    words = torch.from_numpy(np.load(file.with_name("words.npy")).astype(np.float32))
    network = Network(shape, len(words))
    found = weights(onnx.load(file))
    state = {name.removeprefix("network."): torch.tensor(one) for name, one in found.items()}
    step = state["slots"].mean()  # of the whole numbers
    network.load_state_dict(state | {"words.weight": words * step, "slots": state["slots"] / step})
    return network


def weights(model: Any) -> dict[str, Any]:
    """All weights by their names in torch. A matrix has lost its own, and is found by the bias that is added to it."""
    found = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    makers = {output: node for node in model.graph.node for output in node.output}
    named = {}
    for node in model.graph.node:
        bias = next((name for name in node.input if node.op_type == "Add" and name.endswith(".bias")), None)
        if bias:
            product = makers[next(name for name in node.input if name != bias)]
            matrix = makers[makers[product.input[0]].input[0]].input[1]
            named[bias.removesuffix("bias") + "weight"] = dequantized(found, matrix.removesuffix("_quantized")).T.copy()
    for name in list(found):
        if name.endswith(("_quantized", "_scale", "_zero_point")):
            whole = name.rsplit("_quantized", 1)[0]
            if name.endswith("_quantized") and whole.endswith(".weight") and whole not in named:
                named[whole] = dequantized(found, whole)
        elif name.split(".")[-1] in ("weight", "bias", "slots"):
            named[name] = found[name]
    return named


def dequantized(found: dict[str, Any], name: str) -> Any:
    zero = found[f"{name}_zero_point"].astype(np.float32)
    return (found[f"{name}_quantized"].astype(np.float32) - zero) * found[f"{name}_scale"]
