"""Reads the calls of a session, one after the other, for what they tell together about its segments."""

from collections.abc import Iterable, Mapping

from covel_inspector.domain import GoOn, Observation
from covel_inspector.engines.covel.attribution import CallMoment, SegmentObserving, attribute
from covel_inspector.engines.covel.database import CovelDatabase
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.source.rebuilds import keep
from covel_inspector.engines.covel.source.turns import CallPlace

_KEPT = 6
"""Sessions of which observations are kept."""


class Observations:
    """What was observed of the sessions of a file, each as far as its calls were read."""

    def __init__(self, database: CovelDatabase) -> None:
        self._database = database
        self._sessions: dict[str, _Observing] = {}

    def of(
        self, record: SessionRecord, places: Iterable[CallPlace], go_on: GoOn | None
    ) -> Mapping[str, Observation] | None:
        """The observations of a session; None when ``go_on`` said no before its last call was read."""
        session = record.evidence.session.id
        observing = self._sessions.get(session)
        if observing is None or observing.record is not record:
            observing = _Observing(record, places)
            keep(self._sessions, session, observing, _KEPT)
        return observing.go_on(self._database, go_on)

    def clear(self) -> None:
        """Forget everything: the file has changed."""
        self._sessions.clear()


class _Observing:
    """One session. Each call is read once, however often the work is put aside."""

    def __init__(self, record: SessionRecord, places: Iterable[CallPlace]) -> None:
        self.record = record
        self._observing = SegmentObserving(record.index)
        self._places = [place for place in places if not place.row.concealed and place.row.problem is None]
        self._done = 0
        self._found: Mapping[str, Observation] | None = None

    def go_on(self, database: CovelDatabase, go_on: GoOn | None) -> Mapping[str, Observation] | None:
        """Read on; None when ``go_on`` said no before the last call was read."""
        while self._done < len(self._places):
            if go_on is not None and not go_on(self._done, len(self._places)):
                return None
            self._see(database, self._places[self._done])
            self._done += 1
        if self._found is None:
            self._found = self._observing.observations()
        return self._found

    def _see(self, database: CovelDatabase, place: CallPlace) -> None:
        call = database.call_payload(place.row.id)
        if not isinstance(call, RecordedCall) or call.concealed or not call.messages:
            return
        row = place.row
        moment = CallMoment(row.turn_id, row.runtime_id, row.plugin_id, row.started_at, place.step, row.attempt)
        self._observing.see(attribute(call, moment, self.record.index), moment, place.turn)
