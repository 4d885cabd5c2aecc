"""Figures whose marks are placed by style attributes, for pages that allow none: a sheet known by its hash places them.

The attributes are our own, made of numbers. What a chatbot says cannot look like one: its quotes are escaped.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from asker.web.security import POLICY

ATTRIBUTE = re.compile(r' style="([^"]*)"')
PLACED = re.compile(r"(?:left|width):-?[\d.]+(?:e-?\d+)?%(?:;width:-?[\d.]+(?:e-?\d+)?%)?")


def placed(part: str) -> tuple[str, str]:
    """The same part of a page without style attributes, and the sheet that takes their place."""
    rules: dict[str, int] = {}

    def mark(found: re.Match[str]) -> str:
        assert PLACED.fullmatch(found[1]), f"no place of ours: {found[1][:60]}"
        return f' data-at="{rules.setdefault(found[1], len(rules))}"'

    text = ATTRIBUTE.sub(mark, part)
    return text, "".join(f'[data-at="{number}"]{{{rule}}}' for rule, number in rules.items())


def policy_for(sheet: str) -> str:
    """The strict policy, and this one sheet."""
    if not sheet:
        return POLICY
    known = b64encode(sha256(sheet.encode()).digest()).decode()
    return POLICY.replace("style-src 'self'", f"style-src 'self' 'sha256-{known}'")
