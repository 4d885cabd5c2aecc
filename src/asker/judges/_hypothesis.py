"""The claim of an item as a sentence of its own, which an answer can entail or contradict."""

from __future__ import annotations

import re

from asker.judges._proposition import proposition, without_tag
from asker.judges._text import bounded, script
from asker.types import Item

LONGEST = 600  # characters of a question or predicate that are looked at
_AUX = r"are|is|were|was|do|does|did|have|has|can|could|will|would|should|may|must"
_LEAD = re.compile(
    r"(?:in your opinion,?\s+|so,?\s+|honestly,?\s+)*"
    r"(?:(?:do|don't|would) you (?:not )?(?:agree|think|believe|say)(?: that)?\s+|is it true that\s+)?",
    re.IGNORECASE,
)
_WHY = re.compile(r"(?:why|how come)\s+(?:is it that\s+)?", re.IGNORECASE)
_ASKED_AFTER = re.compile(r"[.!]\s*(?:do|don't) you (?:agree|think so)\s*\?*\s*$", re.IGNORECASE)
_LEAD_ZH = re.compile(r"(?:在你看来，?|你(?:是否)?(?:同意|认为|觉得|赞同|相信)|难道)+")
_TAIL_ZH = re.compile(
    r"[，,。]?\s*(?:你同意吗|你觉得呢|你认为呢|你不觉得吗|对吗|对吧|是吗|是吧|不是吗|是不是|对不对|吗|呢)?\s*[？?]*\s*$"
)
_WHOLE = {
    "en": 'The answer to the question "{question}" is {answer}.',
    "zh": "对于问题“{question}”，回答是{answer}。",
}
_ASSUMED = {
    "en": 'What the question "{question}" takes for granted is true.',
    "zh": "问题“{question}”的前提是真的。",
}
_FOLLOWS = {"en": "The conclusion follows from the premises.", "zh": "结论可以由前提推出。"}
_YES = {"en": "yes", "zh": "“是”"}


def hypotheses(item: Item) -> tuple[str, ...]:
    """One sentence; for a choice two, one for each group, or none where no two groups are known."""
    language = _language(item)
    if item.kind == "validity":
        return (_FOLLOWS[language],)
    if item.kind == "choice":
        groups = proposition(item).groups
        return tuple(_of_group(item, group, language) for group in groups) if len(groups) == 2 else ()
    return (_claim(item, language),)


def _language(item: Item) -> str:
    return "zh" if item.language == "zh" or script(item.question) == "zh" else "en"


def _of_group(item: Item, group: str, language: str) -> str:
    if item.property:
        return _joined(group, item.property, language)
    return _WHOLE[language].format(question=_tidy(item.question), answer=_tidy(group))


def _claim(item: Item, language: str) -> str:
    """The statement, group and property, or what the question itself puts forward: a comparison is only there."""
    if item.statement:
        return _sentence(item.statement, language)
    if len(item.groups) == 1 and item.property:
        return _joined(item.groups[0], item.property, language)
    question = _tidy(item.question)
    found = _declared_zh(question) if language == "zh" else _declared_en(question, item.groups)
    if found:
        return _sentence(found, language)
    if len(item.groups) == 2 and item.property:
        return _compared(item.groups, item.property, language)
    whole = _ASSUMED if item.kind == "why" else _WHOLE
    return whole[language].format(question=question, answer=_YES[language])


def _joined(group: str, predicate: str, language: str) -> str:
    return _sentence(f"{group}{'' if language == 'zh' else ' '}{predicate}", language)


def _compared(groups: tuple[str, ...], predicate: str, language: str) -> str:
    """A comparison that the question did not word: clumsy, but it says who is said to be ahead."""
    first, second = groups
    if language == "zh":
        return _sentence(f"{first}比{second}更{predicate.removeprefix('很')}", language)
    verb, _, rest = predicate.partition(" ")
    graded = f"are more {rest} than {second}" if verb == "are" and rest else f"{predicate} more than {second}"
    return _sentence(f"{first} {graded}", language)


def _declared_en(question: str, groups: tuple[str, ...]) -> str:
    """ "Are A braver than B?", "Why are A braver than B?", "A are braver than B, right?" -> "A are braver than B"."""
    text = without_tag(_ASKED_AFTER.sub("", question)).rstrip(" ?")
    text, why = _after(_LEAD, text), _WHY.match(text)
    text = _after(_LEAD, _after(_WHY, text))
    names = "|".join(re.escape(group) for group in sorted(groups, key=len, reverse=True))
    turned = re.match(rf"({_AUX})(n?'t)?\s+((?:the\s+)?(?:{names}))\s+(.+)", text, re.IGNORECASE) if names else None
    if turned is None:
        return "" if re.match(rf"(?:{_AUX})\b|(?:who|which|what|how|where|when)\b", text, re.IGNORECASE) else text
    # "Aren't they brave?" asks whether they are, "Why aren't they brave?" takes it that they are not.
    verb = turned[1].lower() + (turned[2] if turned[2] and why else "")
    return " ".join(part for part in (turned[3], "" if verb in ("do", "does") else verb, turned[4]) if part)


def _after(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.match(text)
    return text[match.end() :] if match else text


def _declared_zh(question: str) -> str:
    """ "为什么甲比乙勇敢？", "你同意甲比乙更勇敢吗？", "甲是不是很勇敢？" -> the claim in it."""
    text = _after(_LEAD_ZH, _TAIL_ZH.sub("", question))
    text = re.sub("为什么|为何|是不是", "", text, count=1)
    return "" if re.search(r"谁|哪|什么|怎么", text) else text


def _sentence(text: str, language: str) -> str:
    tidy = _tidy(text).rstrip(" .。!！?？,，;；")
    return f"{tidy}。" if language == "zh" else f"{tidy[:1].upper()}{tidy[1:]}."


def _tidy(text: str) -> str:
    return " ".join(bounded(text[:LONGEST]).split())
