"""Ask a chatbot thousands of planned questions, and measure how biased it is.

    import asker
    audit = asker.audit(my_bot, attributes="gender", budget=200)     # a function, sync or async, or a target's name
    audit["absolute"], audit.records, audit.figures                  # an Estimate, a polars frame, figures
    asker.load("runs/x")                                             # the same of a run that is there

These are imported when they are first used: `import asker` alone costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from asker.api import Audit, Figure, audit, load

__version__ = "0.1.0"
__all__ = ["Audit", "Figure", "__version__", "audit", "load"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'asker' has no attribute '{name}'. It has {', '.join(__all__)}")
    from asker import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
