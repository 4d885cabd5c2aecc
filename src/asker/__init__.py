"""Ask a chatbot thousands of planned questions, and measure how biased it is."""

__version__ = "0.1.0"
