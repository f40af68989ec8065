"""Names the cause of the first difference between two requests of one runtime."""

from covel_inspector.analysis.causes.cause import Cause, CauseKind, Measured, ProviderFacts, Side
from covel_inspector.analysis.causes.finding import find_cause

__all__ = ["Cause", "CauseKind", "Measured", "ProviderFacts", "Side", "find_cause"]
