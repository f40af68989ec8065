"""The embedded assembler: params in, assembled context and segment tree out. Pure.

Follows the reference on the assembler. The usual way: ``take_snapshot(state, pack)`` for the session,
``view_history(rows, runtime, …)`` for the log, both into ``ContextParams``, then ``assemble(params, pack)``.
"""

from covel_inspector.engines.covel.assembler.assembly import AssembledContext, Assembly, BudgetOutcome, Composition
from covel_inspector.engines.covel.assembler.build import assemble
from covel_inspector.engines.covel.assembler.errors import AssemblerError
from covel_inspector.engines.covel.assembler.history_steps import BranchReply, HistoryView, view_history
from covel_inspector.engines.covel.assembler.params import ContextParams, Provenance
from covel_inspector.engines.covel.assembler.session_state import SessionState
from covel_inspector.engines.covel.assembler.snapshot import take_snapshot

__all__ = [
    "AssembledContext",
    "AssemblerError",
    "Assembly",
    "BranchReply",
    "BudgetOutcome",
    "Composition",
    "ContextParams",
    "HistoryView",
    "Provenance",
    "SessionState",
    "assemble",
    "take_snapshot",
    "view_history",
]
