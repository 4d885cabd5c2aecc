"""The same plan under several system prompts, openings or temperatures, compared: does a system prompt help?"""

from asker.sweep.folder import open_sweep, variants_in
from asker.sweep.measure import Swept, measure
from asker.sweep.variants import Factor, Variant, factor_of, settings_of

__all__ = [
    "Factor",
    "Swept",
    "Variant",
    "factor_of",
    "measure",
    "open_sweep",
    "settings_of",
    "variants_in",
]
