"""What a training's steps are made of: whole weights behind halves, values dropped, two readings of everything."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed (make train-judge installs it)")
pytest.importorskip("onnx", reason="onnx is not installed (make train-judge installs it)")
pytestmark = pytest.mark.torch


def small() -> Any:
    from training.network import THOROUGH, Network

    torch.manual_seed(1)
    return Network(THOROUGH._replace(layers=1, heads=2, inner=64), 50)


def losses(network: Any, many: int) -> Any:
    ids = torch.arange(1, 13).reshape(2, 6, 1)
    kinds = torch.tensor([[0, 0, 0, 1, 1, 1]] * 2)
    for _ in range(many):
        stance, *_ = network(ids, kinds, torch.ones(2, 6, dtype=torch.bool))
        yield stance.square().mean()


def test_steps_smaller_than_a_half_tells_apart_are_not_lost() -> None:
    from training.fitting import Steps

    network = small()
    before = network.mix.weight.detach().clone()
    steps = Steps(network, lambda _: 1e-6, 8)
    steps.learn(losses(network, 8))
    assert (network.mix.weight.float() == before.bfloat16().float()).float().mean() > 0.9  # in halves hardly one moved
    assert (steps.learnt().mix.weight != before).float().mean() > 0.9


def test_what_does_not_learn_comes_back_bit_for_bit() -> None:
    from training.fitting import Steps

    network = small()
    network.words.weight.requires_grad_(False)
    before = network.words.weight.detach().clone()
    steps = Steps(network, lambda _: 1e-3, 2)
    steps.learn(losses(network, 2))
    assert torch.equal(steps.learnt().words.weight, before)
    assert steps.learnt().words.weight.dtype == torch.float32


def test_the_same_seed_makes_the_same_steps() -> None:
    from training.fitting import Steps

    def trained() -> Any:
        network = small()
        steps = Steps(network, lambda _: 1e-3, 5)
        steps.learn(losses(network, 5))
        return steps.learnt().state_dict()

    one, other = trained(), trained()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_one_value_in_ten_is_dropped_while_learning_and_none_after() -> None:
    from training.network import Drop

    drop, ones = Drop(), torch.ones(300, 400)
    dropped = drop.train()(ones)
    assert float((dropped == 0).float().mean()) == pytest.approx(0.1, abs=0.01)
    assert float(dropped.mean()) == pytest.approx(1, abs=0.01)
    assert not torch.equal(dropped, drop(ones))
    assert torch.equal(drop.eval()(ones), ones)


def test_more_values_than_were_drawn_can_be_dropped() -> None:
    from training.network import Drop

    many = torch.ones(Drop.DRAWN + 1, dtype=torch.bfloat16)
    assert float((Drop().train()(many) == 0).float().mean()) == pytest.approx(0.1, abs=0.01)


def test_two_opinions_are_as_far_apart_either_way_and_an_opinion_is_not_apart_from_itself() -> None:
    from training.fitting import _apart

    one, other = torch.tensor([[2.0, 0, -1e4]]).log_softmax(-1), torch.tensor([[0.0, 1, -1e4]]).log_softmax(-1)
    assert float(_apart(one, one)) == pytest.approx(0)
    assert float(_apart(one, other)) == pytest.approx(float(_apart(other, one)))
    p, q = one.exp()[0, :2], other.exp()[0, :2]
    by_hand = float(((p - q) * (p / q).log()).sum()) / 2
    assert float(_apart(one, other)) == pytest.approx(by_hand, rel=1e-4)
