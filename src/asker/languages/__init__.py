"""Grammar enough to ask, one file per language."""
