"""How much is in a file, without reading any payload that is large."""

from covel_inspector.engines.covel.database.queries import Where
from covel_inspector.engines.covel.database.tables import TableReader
from covel_inspector.engines.covel.database.traces import CALLING, NEEDED, RESPONDED, TABLE
from covel_inspector.engines.covel.records.rows import Counts

_OF_TYPE = "SELECT count(*) FROM trace_events WHERE type = ?"
_RUNTIMES = (
    "SELECT count(DISTINCT CASE WHEN json_valid(payload) THEN json_extract(payload, '$.runtimeId') END)"
    " FROM trace_events WHERE type = ?"
)
_PLAYER_TURNS = {
    "turn_messages": "SELECT turn_id FROM turn_messages WHERE session_id = ? AND source_type = 'player'",
    "turn_results": "SELECT turn_id FROM turn_results WHERE session_id = ? AND origin = 'player'",
}


def counts(tables: TableReader) -> Counts:
    """Sessions, calls and runtimes. The runtimes are read from the answers when each call has one: those are small."""
    sessions = 0
    if tables.usable("sessions", ()):
        sessions = tables.number("sessions", "SELECT count(*) FROM sessions")
    if not tables.usable(TABLE, NEEDED):
        return Counts(sessions=sessions)
    calls = tables.number(TABLE, _OF_TYPE, (CALLING,))
    answered = tables.number(TABLE, _OF_TYPE, (RESPONDED,)) == calls
    runtimes = tables.number(TABLE, _RUNTIMES, (RESPONDED if answered else CALLING,))
    return Counts(sessions=sessions, calls=calls, runtimes=runtimes)


def session_counts(tables: TableReader, session: str) -> tuple[int, int]:
    """Player turns (by their rows or executions) and calls of a session."""
    sources = [
        statement
        for table, statement in _PLAYER_TURNS.items()
        if tables.usable(table, ("session_id", "turn_id", "source_type" if table == "turn_messages" else "origin"))
    ]
    turns = 0
    if sources:
        statement = f"SELECT count(*) FROM ({' UNION '.join(sources)})"  # noqa: S608 - constants
        turns = tables.number("turn_messages", statement, (session,) * len(sources))
    calls = 0
    if tables.usable(TABLE, NEEDED):
        calls = tables.number(TABLE, f"{_OF_TYPE} AND session_id = ?", (CALLING, session))
    return turns, calls


def sessions_with_calls(tables: TableReader) -> list[str]:
    """Ids of all sessions that made a call, whether the session's own row is there or not."""
    if not tables.usable(TABLE, NEEDED):
        return []
    return sorted({str(row[0]) for row in tables.read(TABLE, ("session_id",), Where().equal("type", CALLING))})
