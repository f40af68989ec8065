"""The engine's rules run on JSON cases, for the command line's ``eval`` and for tests. Pure.

A case is an object as the vectors have it; the result is one that can be compared with the case's ``expected``.
"""

from covel_inspector.engines.covel.evaluate.assembler import evaluate_assembler
from covel_inspector.engines.covel.evaluate.budget import evaluate_budget
from covel_inspector.engines.covel.evaluate.expanding import CaseError
from covel_inspector.engines.covel.evaluate.wire import evaluate_wire

__all__ = ["CaseError", "evaluate_assembler", "evaluate_budget", "evaluate_wire"]
