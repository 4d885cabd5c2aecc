"""At home in Inspect AI: our suites as its tasks (`inspect eval asker/bias`), and its logs as our runs."""
