"""A recorded request with everything that is absent from it: rows, texts that were cut, results and calls."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from covel_inspector.domain import SegmentTree
from covel_inspector.engines.covel.attribution import CallMoment
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.budget.pictures import with_fixed_counts
from covel_inspector.engines.covel.rebuild.absences import MissingRows, SentRequest, pruned_statics
from covel_inspector.engines.covel.rebuild.facts import facts_of
from covel_inspector.engines.covel.rebuild.frozen import resumed_from
from covel_inspector.engines.covel.rebuild.limits import Target, known_limit
from covel_inspector.engines.covel.rebuild.loop_absences import loop_absences
from covel_inspector.engines.covel.rebuild.moment import moment_of
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.rebuild.traced import pruning_event
from covel_inspector.engines.covel.records.rows import CallRow, TraceRow


def explained(
    tree: SegmentTree,
    record: SessionRecord,
    missing: MissingRows,
    row: CallRow,
    moment: CallMoment,
    traces: Callable[[], Sequence[TraceRow]],
    target: Target,
) -> SegmentTree:
    """The tree with what is absent from it, and the engine's own count of what is no text.

    ``traces`` reads those of the call's execution.
    """
    then = moment_of(moment.turn_id, moment.runtime_id, moment.plugin_id, moment.started_at, record.executions)
    suspended = any(row.turn_id == then.turn_id for row in record.evidence.suspensions)
    frozen = resumed_from(record, then, traces()) if suspended else None
    seen = replace(then, started_at=frozen.created_at) if frozen is not None else then
    checkout = record.evidence.checkout
    limit = known_limit(target, checkout.slots if checkout is not None else {}, record.overflows)
    event = pruning_event(record.evidence.traces, row)
    statics = pruned_statics(tree, record, moment.plugin_id)
    sent = SentRequest(
        tree,
        seen,
        facts_of(checkout, moment.runtime_id, moment.plugin_id, tree),
        limit.input_limit if limit is not None else None,
        event.pruned_messages - len(statics) if event is not None else None,
        sum(covel_tokens(static.text) for static in statics),
    )
    absent = (*tree.absent, *statics, *missing.of(sent), *loop_absences(tree, then, record.index))
    return replace(with_fixed_counts(tree), absent=absent)
