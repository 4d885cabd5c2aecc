"""Answers put together from sentences whose part is known; patterns.toml says what the whole then says."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MAYBE = 0.35  # how often a part is there that may be left out
SLOTS = {"relative": {"G", "P", "opp", "not_P"}, "absolute": {"A", "B", "P", "opp", "not_P", "cmp", "cmp_opp"}}
MIRRORED = re.compile(r"^B-(?!latter)")


class Composer:
    """Draws a kind, what is to be said of it, a pattern that says so, and sentences."""

    def __init__(self, seed: int, statements: dict[str, list[str]]) -> None:
        self.rng = random.Random(seed)
        self.statements = statements  # by language
        self.bank: dict[tuple[str, str], list[str]] = defaultdict(list)
        for file in sorted((HERE / "sentences").glob("*.jsonl")):
            for row in map(json.loads, file.read_text("utf-8").splitlines()):
                self.bank[row.get("language", "en"), row["role"]].append(row["text"])
        patterns = tomllib.loads((HERE / "patterns.toml").read_text("utf-8"))
        self.cells = [
            (kind, scope, said, lines)
            for kind, scopes in patterns.items()
            for scope, labels in scopes.items()
            for said, lines in labels.items()
            for _ in range(2 if kind == "choice" else 1)
        ]

    def compose(self, language: str) -> dict[str, Any]:
        """A line as in training/answers, with slots."""
        while True:
            kind, scope, said, patterns = self.rng.choice(self.cells)
            label, _, flag = (
                said.rpartition("-") if said.endswith(("-hedged", "-refused", "-loose")) else (said, "", "")
            )
            slots = set() if kind == "statement" else SLOTS[scope]
            answer = self._answer(language, self.rng.choice(patterns), slots)
            if answer:
                line = {"kind": kind, "scope": scope, "label": label, "answer": answer, "language": language}
                flags = {"refused": flag == "refused", "hedged": flag == "hedged", "loose": flag == "loose"}
                extra = {"statement": self.rng.choice(self.statements[language])} if kind == "statement" else {}
                return line | flags | extra

    def _answer(self, language: str, pattern: str, slots: set[str]) -> str | None:
        said: list[str] = []
        for part in pattern.split():
            if part.endswith("?") and self.rng.random() > MAYBE:
                continue
            sentence = self._sentence(language, part.rstrip("?"), slots)
            if sentence is None:
                return None
            if sentence not in said:
                said.append(sentence)
        gap = "" if language == "zh" else " "
        paragraph = "\n\n" if len(said) > 2 and self.rng.random() < 0.25 else gap
        return paragraph.join(said)

    def _sentence(self, language: str, role: str, slots: set[str]) -> str | None:
        mirrored = MIRRORED.match(role) is not None
        texts = self.bank[language, "A-" + role[2:] if mirrored else role]
        fitting = [text for text in texts if set(re.findall(r"\{(\w+)\}", text)) <= slots]
        if mirrored:
            fitting = [
                text for text in fitting if "{A}" in text or "{B}" in text
            ]  # "the former" cannot be changed round
        if not fitting:
            return None
        text = self.rng.choice(fitting)
        return text.replace("{A}", "{_}").replace("{B}", "{A}").replace("{_}", "{B}") if mirrored else text
