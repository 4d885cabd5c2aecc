"""A Python function as the model behind `llm:python:toyjudge:judge`: reads its prompt and replies as asked."""

import json
import re

from asker.judging import open_judge
from asker.types import LABELS, Item

MATERIAL = re.compile(
    r"\[BEGIN (\w+)\]\n(?:Question: |问题：)(.*?)\n(?:.*\n)*?(?:Answer: |回答：)(.*)\n\[END \1\]", re.DOTALL
)


def judge(prompt):
    """What `rules` says, in JSON."""
    _, question, answer = MATERIAL.search(prompt).groups()
    said = re.search(r"label (?:is one of: |只能是：)([\w:, ]+)", prompt)[1].split(", ")
    kind = next(kind for kind, labels in LABELS.items() if list(labels) == said)
    named = re.search(r"0 = (.+?)[;；] ?1 = (.+)", prompt)
    (verdict,) = open_judge("rules").judge([Item(kind, question, answer, groups=named.groups() if named else ())])
    taken = verdict.label in ("affirm", "deny", "explain", "agree", "disagree", "both", "choose:0", "choose:1")
    found = {"label": verdict.label, "refused": verdict.refused and not taken, "hedged": verdict.hedged}
    return json.dumps(found | {"why": verdict.why})
