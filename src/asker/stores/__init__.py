"""Where answers and verdicts are kept, one file per kind of store."""
