"""The reads of a story database, each returning validated rows.

Follows the reference on the database, sections 2 to 7.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from covel_inspector.domain import Problem, Sentence, SourceError, say
from covel_inspector.engines.covel.database import counting, shapes, traces
from covel_inspector.engines.covel.database.call_stream import CallText, stream_calls
from covel_inspector.engines.covel.database.connecting import one_line
from covel_inspector.engines.covel.database.generation import Generation
from covel_inspector.engines.covel.database.opening import Access, OpenedFile, open_readonly
from covel_inspector.engines.covel.database.queries import Where
from covel_inspector.engines.covel.database.shapes import R
from covel_inspector.engines.covel.database.tables import TableReader, problem_of
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import (
    BadRow,
    CallRow,
    CharacterRow,
    Counts,
    EventMarkRow,
    EventRow,
    LorebookRow,
    MediaAssetRow,
    PlayerInputRow,
    PlayerLineRow,
    PluginDataRow,
    ResponseRow,
    RuntimeExportRow,
    SessionRow,
    SnapshotRow,
    SummaryRow,
    SuspensionRow,
    ToolCallRow,
    TraceRow,
    TurnMessageRow,
    TurnResultRow,
    WorldRow,
)

MARKED_EVENTS = (
    "context.compacted",
    "context.compaction.failed",
    "context.pruned",
    "hook.aborted",
    "hook.rewrote",
    "proposal.failed",
    "runtime.completed",
    "runtime.failed",
    "tool.failed",
    "turn.resumed",
    "turn.suspended",
    "error.occurred",
)
"""Event types that :meth:`CovelDatabase.event_marks` reads when none are named."""

_LINE_LENGTH = 200


class CovelDatabase:
    """A story database that is open for reading.

    Every method reads what it needs and nothing else. Rows that cannot be read are left out (calls are listed with
    a ``problem``) and remembered in :attr:`bad_rows`. Every method may raise SourceError when the file as a whole
    cannot be read any more, and ReadCancelledError after :meth:`interrupt`. Belongs to the thread that opened it.
    """

    def __init__(self, file: OpenedFile) -> None:
        self.file = file
        self._tables = TableReader(file)
        if not self._tables.layout.is_covel:
            raise SourceError(
                say(
                    "'{file}' is a SQLite database, but not one of Covel: it has neither sessions nor trace_events.",
                    file=one_line(file.path),
                )
            )

    @property
    def path(self) -> Path:
        """The file, links resolved."""
        return self.file.path

    @property
    def access(self) -> Access:
        """How the file is open now, and why that way."""
        return self.file.access

    @property
    def generation(self) -> Generation:
        """The schema generation."""
        return self._tables.generation

    @property
    def bad_rows(self) -> list[BadRow]:
        """Rows noticed so far that are broken, or were shown with replaced characters; each once."""
        return self._tables.bad_rows

    @property
    def torn_tables(self) -> frozenset[str]:
        """Tables of which rows are lost, as far as they were read: what they do not hold may have been there."""
        return frozenset(self._tables.torn)

    def problems(self) -> list[Problem]:
        """Bad rows and missing tables noticed so far, as problems."""
        return [*self._tables.missing, *(problem_of(row) for row in self.bad_rows)]

    def sessions(self) -> list[SessionRow]:
        """All sessions, oldest first."""
        return self._tables.select(shapes.SESSIONS)

    def worlds(self) -> list[WorldRow]:
        """All worlds, oldest first."""
        return self._tables.select(shapes.WORLDS)

    def world(self, world_id: str) -> WorldRow | None:
        """One world; None when there is none of this id."""
        return _first(self._tables.select(shapes.WORLDS, Where().equal("id", world_id)))

    def turn_results(self, session_id: str, with_results: bool = False) -> list[TurnResultRow]:
        """Executions of a session in the order they were committed.

        ``runtime_results`` is empty unless ``with_results``: it may be large.
        """
        shape = shapes.TURN_RESULTS if with_results else shapes.TURN_RESULTS_LIGHT
        return self._tables.select(shape, Where().equal("session_id", session_id))

    def turn_result_rows(self, session_id: str, turn_id: str) -> list[TurnResultRow]:
        """Executions under one turn id, with their results: retries and resumed runs share the id."""
        return self._tables.select(
            shapes.TURN_RESULTS, Where().equal("session_id", session_id).equal("turn_id", turn_id)
        )

    def turn_messages(self, session_id: str) -> list[TurnMessageRow]:
        """The whole history of a session, compacted rows included, by ``created_at`` and ``order``."""
        return self._tables.select(shapes.TURN_MESSAGES, Where().equal("session_id", session_id))

    def player_lines(self, session_id: str) -> list[PlayerLineRow]:
        """The first 200 characters of each line the player wrote, oldest first."""
        table = "turn_messages"
        if not self._tables.usable(table, ("session_id", "turn_id", "source_type", "content", "created_at")):
            return []
        columns = ("turn_id", f"substr(content, 1, {_LINE_LENGTH})", "created_at")
        where = Where().equal("session_id", session_id).equal("source_type", "player")
        return [
            PlayerLineRow(turn_id=_shown(turn), content=_shown(content), created_at=_shown(created))
            for turn, content, created in self._tables.read(table, columns, where, ("created_at", "order"))
        ]

    def summaries(self, session_id: str) -> list[SummaryRow]:
        """Summaries of compacted history, oldest first."""
        return self._tables.select(shapes.SUMMARIES, Where().equal("session_id", session_id))

    def call_rows(
        self, session_id: str | None = None, turn_id: str | None = None, after: int | None = None
    ) -> list[CallRow]:
        """Recorded calls, by ``created_at`` and ``seq``, without their payloads.

        ``after`` is a :attr:`CallRow.row`: only calls written later, to follow a running game. A broken payload
        gives a row with ``problem``.
        """
        return traces.call_rows(self._tables, session_id, turn_id, after)

    def call_payload(self, row_id: str) -> RecordedCall | BadRow:
        """The recorded call of a row id; a bad row with the reason when it cannot be taken apart."""
        return traces.recorded_call(self._tables, row_id)

    def call_payload_text(self, row_id: str) -> str:
        """The payload of a trace event as it is stored; empty when there is no such row."""
        return traces.payload_text(self._tables, row_id) or ""

    def call_texts(self, session_id: str | None = None) -> Iterator[CallText]:
        """Recorded calls by ``created_at`` and ``seq`` with their payloads as text, few in memory at a time."""
        return stream_calls(self._tables, session_id)

    def note_bad_call(self, row_id: str, sentence: Sentence) -> BadRow:
        """Remember a call that could not be taken apart."""
        return self._tables.report(traces.TABLE, row_id, sentence)

    def responses(self, session_id: str | None = None, after: int | None = None) -> list[ResponseRow]:
        """Answers to calls, by ``created_at`` and ``seq``, by small fields only."""
        return traces.responses(self._tables, session_id, after)

    def traces(self, session_id: str, types: Sequence[str], turn_id: str | None = None) -> list[TraceRow]:
        """Trace events of these types with their payloads, in the order they were written."""
        return traces.traces(self._tables, session_id, types, turn_id)

    def event_marks(self, session_id: str, types: Sequence[str] = MARKED_EVENTS) -> list[EventMarkRow]:
        """Trace events worth a mark, without payloads, in the order they were written."""
        return traces.event_marks(self._tables, session_id, types)

    def tool_calls(self, session_id: str, turn_id: str | None = None) -> list[ToolCallRow]:
        """Executed tool calls of a session, or of one turn id, oldest first."""
        where = Where().equal("session_id", session_id).equal("turn_id", turn_id)
        return self._tables.select(shapes.TOOL_CALLS, where)

    def characters(self, session_id: str) -> list[CharacterRow]:
        """Characters as they are now (not as they were at a turn)."""
        return self._tables.select(shapes.CHARACTERS, Where().equal("session_id", session_id))

    def character_schema(self, session_id: str) -> dict[str, Any] | None:
        """``version``, ``types`` and ``attributes`` of the session's characters; None when there is none."""
        row = _first(self._tables.select(shapes.CHARACTER_SCHEMAS, Where().equal("session_id", session_id)))
        return None if row is None else {"version": row.version, "types": row.types, "attributes": row.attributes}

    def lorebook(self, session_id: str) -> list[LorebookRow]:
        """Lorebook entries, disabled ones too. Older files name a plugin, which reads as owner ``plugin:<id>``."""
        return self._tables.select(shapes.LOREBOOK, Where().equal("session_id", session_id))

    def plugin_data(
        self, session_id: str, plugin_id: str | None = None, namespace: str | None = None
    ) -> list[PluginDataRow]:
        """Rows of plugins, of one plugin, or of one namespace, oldest first. Hidden namespaces are not left out."""
        where = Where().equal("session_id", session_id)
        where.equal("plugin_id", plugin_id).equal("namespace", namespace)
        return self._tables.select(shapes.PLUGIN_DATA, where)

    def player_inputs(self, session_id: str) -> list[PlayerInputRow]:
        """Filled forms, oldest first."""
        return self._tables.select(shapes.PLAYER_INPUTS, Where().equal("session_id", session_id))

    def suspensions(self, session_id: str) -> list[SuspensionRow]:
        """Runs that wait or waited, with their frozen continuations, oldest first."""
        return self._tables.select(shapes.SUSPENSIONS, Where().equal("session_id", session_id))

    def snapshots(self, session_id: str) -> list[SnapshotRow]:
        """Snapshots without their payloads, oldest first."""
        return self._tables.select(shapes.SNAPSHOTS_LIGHT, Where().equal("session_id", session_id))

    def snapshot(self, snapshot_id: str) -> SnapshotRow | None:
        """One snapshot with its payload; None when there is none, or when it is a bad row."""
        return _first(self._tables.select(shapes.SNAPSHOTS, Where().equal("id", snapshot_id)))

    def runtime_exports(self, session_id: str) -> list[RuntimeExportRow]:
        """Committed values that runtimes offer to others, oldest first."""
        return self._tables.select(shapes.RUNTIME_EXPORTS, Where().equal("session_id", session_id))

    def events(self, session_id: str) -> list[EventRow]:
        """Domain events, oldest first."""
        return self._tables.select(shapes.EVENTS, Where().equal("session_id", session_id))

    def media(self, session_id: str) -> list[MediaAssetRow]:
        """Pictures that a session made; their bytes are not in the database."""
        return self._tables.select(shapes.MEDIA, Where().equal("owner_session_id", session_id))

    def counts(self) -> Counts:
        """Sessions, calls, and runtimes that called a model."""
        return counting.counts(self._tables)

    def session_counts(self, session_id: str) -> tuple[int, int]:
        """Player turns and recorded calls of a session. Turns copied by a fork and failed ones count too."""
        return counting.session_counts(self._tables, session_id)

    def sessions_with_calls(self) -> list[str]:
        """Ids of all sessions that made a call, whether the session's own row is there or not."""
        return counting.sessions_with_calls(self._tables)

    def failed_turn_results(self) -> list[TurnResultRow]:
        """The failed executions of all sessions, with their results: their errors name limits."""
        if not self._tables.usable("turn_results", ("commit_status",)):
            return []
        return self._tables.select(shapes.TURN_RESULTS, Where().equal("commit_status", "failed"))

    def data_version(self) -> str:
        """A mark that changes when something was committed, or the file was replaced. Compare for equality only."""
        return self.file.mark()

    def interrupt(self) -> None:
        """Stop the running read; it raises ReadCancelledError in its own thread. May be called from any thread."""
        self.file.interrupt()

    def close(self) -> None:
        """Give the file back. Idempotent."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_database(path: str | Path) -> CovelDatabase:
    """Open a Covel database for reading. Raises SourceError with one clear sentence."""
    file = open_readonly(path)
    try:
        return CovelDatabase(file)
    except BaseException:
        file.close()
        raise


def _first(rows: list[R]) -> R | None:
    return rows[0] if rows else None


def _shown(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
