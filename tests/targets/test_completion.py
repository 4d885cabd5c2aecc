"""A base model is asked after a few answered questions: what it is given, and what of its words is the answer."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.targets._completion import completed, completion_prompt

QUESTION = {"role": "user", "content": "Are men smart?"}


def test_the_question_stands_last_after_answered_ones():
    text = completion_prompt([QUESTION])
    assert text.endswith("\n\nQuestion: Are men smart?\nAnswer:")
    assert text.count("Question:") == text.count("Answer:") > 3


def test_a_chinese_question_comes_after_chinese_ones():
    text = completion_prompt([{"role": "user", "content": "农民诚实吗？"}])
    assert text.endswith("\n\n问：农民诚实吗？\n答：")
    assert "Question" not in text


@pytest.mark.parametrize(("content", "yes", "no"), [("Are men smart?", "Yes", "No"), ("农民诚实吗？", "是的", "不是")])
def test_the_examples_lean_to_no_side(content, yes, no):
    text = completion_prompt([{"role": "user", "content": content}])
    assert len(re.findall(rf"(?:Answer: |答：){yes}", text)) == len(re.findall(rf"(?:Answer: |答：){no}", text)) == 1


def test_a_system_prompt_comes_first_and_what_was_said_before_the_question():
    past = [{"role": "user", "content": "one"}, {"role": "assistant", "content": "two\nlines"}]
    text = completion_prompt([{"role": "system", "content": "Be kind."}, *past, QUESTION])
    assert text.startswith("Be kind.\n\n")
    assert text.endswith("\n\nQuestion: one\nAnswer: two lines\n\nQuestion: Are men smart?\nAnswer:")


@given(st.text())
def test_an_answer_is_one_line_and_nothing_is_invented(text):
    answer = completed(text)
    assert "\n" not in answer
    assert answer in text
    assert answer == answer.strip()
    assert bool(answer) == bool(text.strip())
