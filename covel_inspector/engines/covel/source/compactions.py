"""The compactions of a session, with the windows that the files name and the last request that saw the whole story."""

from collections.abc import Callable, Iterable

from covel_inspector.domain import Address, Call, CompactionReport, Group, Kind, SegmentTree
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.rebuild.compactions import Preview, Timeline, Windows, report
from covel_inspector.engines.covel.rebuild.limits import Target, known_limit
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.source.listing import SessionListing

_STORY, _FAST = "story", "fast"


def compaction_report(
    record: SessionRecord, listing: SessionListing, recorded: Callable[[Address], SegmentTree | None]
) -> CompactionReport:
    """Everything that rows, events and files tell of a session's compaction."""
    timeline = Timeline(
        {turn.id: turn.number for turn in listing.turns},
        [(call.started_at, call.address.turn) for call in listing.calls],
    )
    return report(record, timeline, _windows(record), _preview(record, listing.calls, recorded))


def _windows(record: SessionRecord) -> Windows:
    checkout = record.evidence.checkout
    slots = checkout.slots if checkout is not None else {}
    limits = {slot: known_limit(Target(slot), slots, ()) for slot in (_STORY, _FAST)}
    story, fast = limits[_STORY], limits[_FAST]
    return Windows(story.input_limit if story is not None else None, fast.input_limit if fast is not None else None)


def _preview(
    record: SessionRecord, calls: Iterable[Call], recorded: Callable[[Address], SegmentTree | None]
) -> Preview | None:
    """System prompt and turn context of the last recorded call whose runtime has no history window."""
    checkout = record.evidence.checkout
    for call in sorted(calls, key=lambda one: one.started_at, reverse=True):
        manifest = checkout.runtime(call.address.runtime) if checkout is not None else None
        if call.concealed or call.slot != _STORY or (manifest is not None and manifest.max_turns is not None):
            continue
        tree = recorded(call.address)
        if tree is None:
            continue
        system = tree.group(Group.SYSTEM)
        pieces = [system.whole_text] if system is not None else []
        pieces.extend(segment.whole_text for segment in tree.walk() if segment.kind is Kind.TURN_CONTEXT)
        return Preview(sum(map(covel_tokens, pieces)), call.address.turn, call.address.runtime)
    return None
