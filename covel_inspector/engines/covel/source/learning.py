"""Learns the engine's fixed sentences from some recorded calls of a session, before anything is rebuilt."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from covel_inspector.engines.covel.attribution import CallMoment, Lesson, attribute, learn_pack, overlay
from covel_inspector.engines.covel.database import CovelDatabase
from covel_inspector.engines.covel.javascript.locales import instruction_language
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.rows import SessionRow
from covel_inspector.engines.covel.source.turns import CallPlace
from covel_inspector.engines.covel.textpack import TextPack, default_pack

RETRY_HINT = "retry.hint"
_RETRY = re.compile(r"\[retry \d+\] ")
_SESSIONS = 8
_EACH_END = 3
_AT_MOST = 60


def learned_record(
    database: CovelDatabase,
    record: SessionRecord,
    places: Sequence[CallPlace],
    pruned_turns: Collection[str],
    given: TextPack | None,
    sessions: Sequence[SessionRow] = (),
) -> SessionRecord:
    """The record with a pack in which learned sentences stand over ours; a pack that was given stays as it is.

    ``sessions`` are all of the file: a retry hint that this one never showed is looked for in the others.
    """
    if given is not None:
        return replace(record, is_pack_given=True)
    texts = learn_pack(_lessons(database, record, _telling(places, pruned_turns)))
    pack, learned = overlay(default_pack(), texts), frozenset(texts)
    if RETRY_HINT not in learned:
        own = record.evidence.session
        language = instruction_language(own.locale or None)
        hint = _hint_elsewhere(database, [one for one in sessions if one.id != own.id], language)
        if hint:
            pack, learned = pack.with_texts({RETRY_HINT: hint}, language), learned | {RETRY_HINT}
    return replace(record, pack=pack, learned=learned)


def _hint_elsewhere(database: CovelDatabase, sessions: Iterable[SessionRow], language: str) -> str:
    """The hint behind the mark of a repeated attempt of another session in the same language; empty without one.

    The budget leaves room for it in every request, so it bears on numbers even where it was never sent.
    """
    same = [one for one in sessions if instruction_language(one.locale or None) == language][:_SESSIONS]
    for session in same:
        for row in [row for row in database.call_rows(session.id) if row.attempt > 0 and not row.concealed][:_EACH_END]:
            call = database.call_payload(row.id)
            last = call.messages[-1] if isinstance(call, RecordedCall) and call.messages else None
            found = _RETRY.match(last.content) if last is not None and isinstance(last.content, str) else None
            if found is not None and last is not None:
                return str(last.content)[found.end() :]
    return ""


def _telling(places: Sequence[CallPlace], pruned_turns: Collection[str]) -> list[CallPlace]:
    """Calls worth a look: the first and last of each runtime, repeated attempts, and some that were trimmed."""
    of_runtime: dict[str, list[CallPlace]] = defaultdict(list)
    for place in places:
        if not place.row.concealed and place.row.problem is None:
            of_runtime[place.row.runtime_id].append(place)
    chosen: dict[str, CallPlace] = {}
    for calls in of_runtime.values():
        retried = [place for place in calls if place.row.attempt > 0][:_EACH_END]
        pruned = [place for place in calls if place.turn in pruned_turns][:_EACH_END]
        for place in [*calls[:_EACH_END], *retried, *pruned, *calls[-_EACH_END:]]:
            chosen[place.row.id] = place
    return list(chosen.values())[:_AT_MOST]


def _lessons(database: CovelDatabase, record: SessionRecord, places: Iterable[CallPlace]) -> list[Lesson]:
    lessons: list[Lesson] = []
    for place in places:
        call = database.call_payload(place.row.id)
        if isinstance(call, RecordedCall) and call.messages:
            row = place.row
            moment = CallMoment(row.turn_id, row.runtime_id, row.plugin_id, row.started_at, place.step, row.attempt)
            lessons.append(Lesson(attribute(call, moment, record.index), moment, record.index))
    return lessons
