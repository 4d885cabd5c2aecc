"""One file per way of reading an answer."""
