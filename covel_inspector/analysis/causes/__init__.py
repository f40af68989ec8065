"""Names the cause of the first difference between two requests of one runtime."""

from covel_inspector.analysis.causes.cause import Cause, CauseKind

__all__ = ["Cause", "CauseKind"]
