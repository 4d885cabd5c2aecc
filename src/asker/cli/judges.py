"""asker judges: what is there."""

from asker.cli.listing import listing

command = listing("judges")
