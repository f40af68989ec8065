"""The recorded calls of the sample databases, with the evidence of their sessions."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from covel_inspector.engines.covel.attribution import CallMoment, SessionEvidence, SessionIndex, index_session
from covel_inspector.engines.covel.checkout import read_checkout
from covel_inspector.engines.covel.database import CovelDatabase, open_database
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.manifests import Checkout

DATA = Path(__file__).parent.parent / "data"
SAMPLES = ("emberwatch", "tidewater", "driftwood-old-schema")


@dataclass(frozen=True)
class SampleCall:
    """One recorded call: its row, the moment it was made, its payload and the text of the payload."""

    row: str
    session: str
    moment: CallMoment
    call: RecordedCall
    payload: str


@dataclass(frozen=True)
class Sample:
    """A sample database, read completely."""

    name: str
    calls: tuple[SampleCall, ...]
    evidence: dict[str, SessionEvidence]

    def indexes(self, checkout: Checkout | None) -> dict[str, SessionIndex]:
        """An index a session, with or without files."""
        from dataclasses import replace

        return {
            session: index_session(replace(evidence, checkout=checkout)) for session, evidence in self.evidence.items()
        }


@cache
def sample_root() -> Checkout:
    """The folder that the samples were recorded from."""
    return read_checkout(str(DATA / "sample-root"))


@cache
def read_sample(name: str) -> Sample:
    """A sample database by name."""
    database = open_database(DATA / f"{name}.db")
    try:
        evidence = {session.id: evidence_of(database, session.id) for session in database.sessions()}
        return Sample(name, tuple(_calls(database)), evidence)
    finally:
        database.close()


def evidence_of(database: CovelDatabase, session_id: str) -> SessionEvidence:
    """What attribution may use of a session, without files."""
    session = next(session for session in database.sessions() if session.id == session_id)
    return SessionEvidence(
        session=session,
        world=database.world(session.world_id),
        rows=tuple(database.turn_messages(session_id)),
        summaries=tuple(database.summaries(session_id)),
        lorebook=tuple(database.lorebook(session_id)),
        tool_calls=tuple(database.tool_calls(session_id)),
        turn_results=tuple(database.turn_results(session_id, with_results=True)),
        plugin_data=tuple(database.plugin_data(session_id)),
        suspensions=tuple(database.suspensions(session_id)),
        characters=tuple(database.characters(session_id)),
        exports=tuple(database.runtime_exports(session_id)),
        traces=tuple(database.traces(session_id, ["context.pruned", "hook.rewrote"])),
    )


def _calls(database: CovelDatabase) -> Iterator[SampleCall]:
    for session in database.sessions():
        for row in database.call_rows(session.id):
            payload = database.call_payload(row.id)
            assert isinstance(payload, RecordedCall)
            moment = CallMoment(
                row.turn_id, row.runtime_id, row.plugin_id, payload.started_at or "", attempt=payload.attempt
            )
            yield SampleCall(row.id, session.id, moment, payload, database.call_payload_text(row.id))
