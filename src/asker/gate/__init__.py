"""Limits on figures: for CI services, and for tests of other projects."""
