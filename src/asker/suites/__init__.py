"""What can be audited: each suite brings its questions and its measures."""
