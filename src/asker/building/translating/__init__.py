"""Filling a language in: two translators, how far they agree, and a review file for what they do not agree on.

texts of the data set ──> each translator ──> journal ──> agreement ──> the data set, or review.csv
"""
