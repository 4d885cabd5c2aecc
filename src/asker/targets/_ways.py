"""How models of different upbringing are asked through transformers: what they read, and which part is the answer.

chat        a chat model: its own template
dialogpt    DialoGPT and its kin: each turn ends with the end-of-text token
blenderbot  BlenderBot: turns begin with a space and stand two spaces apart
text        another encoder-decoder (Flan-T5): the question as it is
completion  a base model that only continues text: after a few answered questions
"""

from __future__ import annotations

from typing import Any

from asker.errors import InputError, UnknownName
from asker.targets._completion import completed, completion_prompt

WAYS = ("chat", "dialogpt", "blenderbot", "text", "completion")
WITH_SYSTEM = ("chat", "completion")
WITH_TURNS = ("chat", "dialogpt", "blenderbot", "completion")
Messages = list[dict[str, str]]


def way_of(model: str, config: Any, tokenizer: Any, wish: str | None) -> str:
    """The way a model was made for, as far as its files tell; or the one the user wishes."""
    if wish is not None:
        return _possible(model, config, tokenizer, wish)
    if config.model_type in ("blenderbot", "blenderbot-small"):
        return "blenderbot"
    if tokenizer.chat_template:
        return "chat"
    if config.is_encoder_decoder:
        return "text"
    if "dialogpt" in model.lower() or "conversational" in (getattr(config, "task_specific_params", None) or {}):
        return "dialogpt"
    how = f"For a base model use --target hf:{model},way=completion; for a kin of DialoGPT way=dialogpt"
    raise InputError(f"'{model}' has no chat template, so it does not say how it is asked. {how}")


def _possible(model: str, config: Any, tokenizer: Any, wish: str) -> str:
    if wish not in WAYS:
        raise UnknownName("way", wish, WAYS, "--target hf")
    if wish == "chat" and not tokenizer.chat_template:
        raise InputError(f"'{model}' has no chat template. Ask it with way=completion")
    if (wish in ("blenderbot", "text")) != bool(config.is_encoder_decoder) and wish != "chat":
        kind = "an encoder-decoder" if config.is_encoder_decoder else "no encoder-decoder"
        raise InputError(f"'{model}' is {kind}, so it cannot be asked with way={wish}")
    return wish


def encode(way: str, tokenizer: Any, messages: Messages) -> list[int]:
    """The tokens a model is given."""
    if way == "chat":
        found = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=True, return_dict=True)
        return list(found["input_ids"])
    return list(tokenizer(_text(way, tokenizer, messages))["input_ids"])


def _text(way: str, tokenizer: Any, messages: Messages) -> str:
    if way == "completion":
        return completion_prompt(messages)
    if way == "dialogpt":
        return "".join(message["content"] + tokenizer.eos_token for message in messages)
    if way == "blenderbot":
        # A space before what people say, as in its training; its own answers come with one.
        return "  ".join((" " if one["role"] == "user" else "") + one["content"] for one in messages)
    return messages[-1]["content"]


def decode(way: str, tokenizer: Any, tokens: list[int]) -> str:
    """The answer in the tokens a model gave."""
    text: str = tokenizer.decode(tokens, skip_special_tokens=True)
    return completed(text) if way == "completion" else text.strip()
