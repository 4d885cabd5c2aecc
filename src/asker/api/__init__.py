"""The house from Python: `asker.audit(...)` makes a run, `asker.load(...)` opens one, both give an `Audit`."""

from asker.api.auditing import audit, load
from asker.api.figures import Figure, Figures
from asker.api.found import Audit

__all__ = ["Audit", "Figure", "Figures", "audit", "load"]
