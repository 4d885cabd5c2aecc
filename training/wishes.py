"""What every training can be told on the command line."""

from __future__ import annotations

import argparse

from training.gathering import Shares


def wishes(about: str | None, epochs: int, rate: float, batch: int, shares: Shares) -> argparse.ArgumentParser:
    """With what is usual for this training; more can be added."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--epochs", type=int, default=epochs)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--older", type=float, default=shares.older, help="share of the older answers in an epoch")
    parser.add_argument("--natural", type=float, default=shares.natural, help="share of natural ones before number 19")
    parser.add_argument("--near", type=float, default=shares.near, help="share of those from number 19 on")
    parser.add_argument("--composed", type=int, default=shares.composed, help="answers put together anew in an epoch")
    parser.add_argument("--most", type=int, help="texts in an epoch, to try things out")
    return parser


def shares(given: argparse.Namespace) -> Shares:
    return Shares(given.older, given.natural, given.composed, given.near)
