"""Asking: one session of it, how fast, how dear, answers shared between runs, and prompts outside of any run."""
