"""asker targets: what is there."""

from asker.cli.listing import listing

command = listing("targets")
