"""Tiny chatbots of the three kinds that transformers knows, made in a second and saved as any model is.

Their weights are drawn by chance, so they babble; but they are real models with real tokenizers, and what they babble
depends on every token they read.
"""

from __future__ import annotations

from pathlib import Path

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NO_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
DEAF = TEMPLATE.replace("{% for m in messages %}", "{% for m in messages if m['role'] != 'system' %}")


def save_tokenizer(folder: Path, template: str | None = None, longest: int = 256) -> int:
    """Bytes as tokens, so that every language can be read; and how many there are."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<pad>", "<|end|>", "<s>", "<|user|>", "<|assistant|>", "<|system|>"]
    vocabulary = {token: number for number, token in enumerate([*special, *letters])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<|end|>", bos_token="<s>", model_max_length=longest,
        additional_special_tokens=special[3:],
    )  # fmt: skip
    made.chat_template = template
    made.save_pretrained(folder)
    return len(vocabulary)


def save_causal(folder: Path, template: str | None = None, **config) -> Path:
    """A GPT-2 of two layers: with a template a chat model, without one as DialoGPT or a base model is."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    size = save_tokenizer(folder, template, longest=512)
    torch.manual_seed(0)
    made = GPT2Config(
        vocab_size=size, n_positions=512, n_embd=32, n_layer=2, n_head=2,
        bos_token_id=2, eos_token_id=1, pad_token_id=0,
        initializer_range=0.3, **config,
    )  # fmt: skip
    GPT2LMHeadModel(made).save_pretrained(folder)
    return folder


def save_blenderbot(folder: Path) -> Path:
    """An encoder-decoder with BlenderBot's habits: beams, and answers that are not too short."""
    import torch
    from transformers import BlenderbotConfig, BlenderbotForConditionalGeneration

    size = save_tokenizer(folder, longest=128)
    torch.manual_seed(0)
    made = BlenderbotConfig(
        vocab_size=size, max_position_embeddings=128, d_model=32, encoder_layers=1, decoder_layers=2, init_std=0.3,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32,
        pad_token_id=0, bos_token_id=2, eos_token_id=1, decoder_start_token_id=2, forced_eos_token_id=1,
    )  # fmt: skip
    model = BlenderbotForConditionalGeneration(made)
    model.generation_config.update(num_beams=2, min_length=8, max_length=60)
    model.save_pretrained(folder)
    return folder
