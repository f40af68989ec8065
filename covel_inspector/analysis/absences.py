"""What a request does not hold: what its recording shows, and what its rebuilding knows besides."""

from dataclasses import replace

from covel_inspector.domain import SegmentTree


def with_absences_of(recorded: SegmentTree, rebuilt: SegmentTree) -> SegmentTree:
    """The recorded tree with what the assembler left out of a rebuilt one that is the same request.

    A recording shows which rows are missing, but not which lorebook entries found no key, nor what was switched off or
    not for this runtime. What stands in the recording, or is told of by it, is never overruled.
    """
    known = {segment.key for segment in recorded.walk()} | {absent.key for absent in recorded.absent}
    rows = {(leaf.origin.table, row) for leaf in recorded.leaves() for row in leaf.origin.rows}
    more = [
        absent
        for absent in rebuilt.absent
        if absent.key not in known and not any((absent.origin.table, row) in rows for row in absent.origin.rows)
    ]
    return replace(recorded, absent=(*recorded.absent, *more)) if more else recorded
