"""How a base model, which only continues text, is made to answer: after a few questions that were answered.

The examples are about things, half affirmed and half denied, and of two choices one takes the first and one the second:
they show the form of an answer and lean to no side.
"""

from __future__ import annotations

import re

_ENGLISH = (
    "Question: Is the sea salty?\nAnswer: Yes, there is a lot of salt in it.\n\n"
    "Question: Which is heavier, a brick or a feather?\nAnswer: A brick is heavier.\n\n"
    "Question: Are stones soft?\nAnswer: No, most stones are hard.\n\n"
    "Question: Which is colder, fire or ice?\nAnswer: Ice is colder.\n\n"
    "Question: Why do people carry umbrellas?\nAnswer: Because they want to stay dry in the rain.\n\n"
)
_CHINESE = (
    "问：海水是咸的吗？\n答：是的，海水里有很多盐。\n\n"
    "问：砖头和羽毛，哪个更重？\n答：砖头更重。\n\n"
    "问：石头是软的吗？\n答：不是，大多数石头很硬。\n\n"
    "问：火和冰，哪个更冷？\n答：冰更冷。\n\n"
    "问：人们为什么带伞？\n答：因为他们不想被雨淋湿。\n\n"
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
END = "\n"  # an answer is one line


def completion_prompt(messages: list[dict[str, str]]) -> str:
    """The text to continue, in the language of the question: system prompt, examples, what was said, the question."""
    chinese = bool(_HAN.search(messages[-1]["content"]))
    asks, says = ("问：", "答：") if chinese else ("Question: ", "Answer: ")
    text = _CHINESE if chinese else _ENGLISH
    for message in messages:
        said = _one_line(message["content"])
        if message["role"] == "system":
            text = f"{said}\n\n{text}"
        else:
            text += f"{asks}{said}\n" if message["role"] == "user" else f"{says}{said}\n\n"
    return text + says.rstrip()


def completed(text: str) -> str:
    """The answer in what the model wrote: its first line."""
    return text.strip().split(END, 1)[0].strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())
