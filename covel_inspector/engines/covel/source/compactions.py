"""The compactions of a session, from its summaries, rows and trace events."""

from collections.abc import Sequence

from covel_inspector.domain import CompactionReport, NextCompaction, Turn, say
from covel_inspector.engines.covel.rebuild.session import SessionRecord


def compaction_report(session: str, record: SessionRecord | None, turns: Sequence[Turn]) -> CompactionReport:
    """Everything that rows and events tell of a session's compaction."""
    live = len([row for row in record.evidence.rows if not row.summary_id]) if record is not None else 0
    upcoming = NextCompaction(None, None, live, live, say("unknown because no file names the windows"))
    return CompactionReport(session, (), (), upcoming, say("{n} turns", n=len(turns)))
