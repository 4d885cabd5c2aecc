"""A translator for `asker data translate`: what a data set that has both languages says of the same words, or nearly.

    asker data translate my-data --with 'command:python3 translation_memory.py published' --with deepl

A text on each line in, its translation on each line out; an empty line where the memory has nothing like it.
"""

import os
import sys
from pathlib import Path

from asker.checking.alike import name_en, predicate_en
from asker.data import read

NEAR = 0.6  # share of words, in base forms, that two texts must have in common


def memory(folder, source, target):
    """Words in base forms -> translation; the first of several."""
    known = {}
    data = read(Path(folder)) if folder else read()
    for group in data.groups:
        if source in group.names and target in group.names:
            known.setdefault(frozenset(name_en(group.names[source]).split()), group.names[target])
    for item in data.properties:
        for side in ("negative", "positive"):
            one, two = (item.phrases.get(f"{side}_{language}") for language in (source, target))
            if one and two:
                known.setdefault(frozenset(predicate_en(one.text).split()), two.text)
    return known


def said(text, known):
    words = frozenset(predicate_en(text).split()), frozenset(name_en(text).split())
    if found := next((known[one] for one in words if one in known), ""):
        return found
    denied = "not" in words[0]
    near = [(len(words[0] & one) / len(words[0] | one), two) for one, two in known.items() if ("not" in one) == denied]
    best = max(near, key=lambda pair: pair[0], default=(0, ""))
    return best[1] if best[0] >= NEAR else ""


if __name__ == "__main__":
    known = memory(sys.argv[1] if len(sys.argv) > 1 else "", os.environ["ASKER_FROM"], os.environ["ASKER_TO"])
    for line in sys.stdin:
        print(said(line.strip(), known), flush=True)
