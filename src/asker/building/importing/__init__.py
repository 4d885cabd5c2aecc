"""Published data sets in layouts of their own -> ours, with a report of every repair."""
