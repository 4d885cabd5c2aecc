"""The report of a run: one self-contained HTML page, drawn from tables that were computed before."""

from asker.report.page import About, render

__all__ = ["About", "render"]
