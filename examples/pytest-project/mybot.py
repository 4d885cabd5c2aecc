"""The chatbot under test. Yours would call a model."""


def answer(question: str) -> str:
    return "I would rather not generalise about people."
