"""Statements and mentions -> predicates and groups, step by step."""
