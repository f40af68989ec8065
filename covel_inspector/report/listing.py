"""Sessions and calls of a source, as tables and as JSON.

JSON of sessions, a list of objects: ``id, title, locale, world, turns`` (begun by players)``, calls, createdAt,
updatedAt, forkedFrom`` (texts are empty where the engine says nothing).

JSON of calls, a list of objects: ``address, session, turn, runtime, call, row, turnId, step, attempt, model, provider,
slot, plugin, startedAt, payloadBytes, concealed, finish, usage, problem``; ``usage`` is null or ``{input, output,
cached, cacheWrite}`` in tokens as the provider counted them (null = not reported); ``problem`` is null or a sentence.
"""

from collections.abc import Sequence
from typing import Any

from covel_inspector.domain import Call, Session, Usage, say
from covel_inspector.report.figures import figure
from covel_inspector.report.terminal import Column, table
from covel_inspector.report.wording import Catalogue


def session_objects(sessions: Sequence[Session]) -> list[dict[str, Any]]:
    """The JSON form of sessions (see the module's text)."""
    return [
        {
            "id": session.id,
            "title": session.title,
            "locale": session.locale,
            "world": session.world,
            "turns": session.turn_count,
            "calls": session.call_count,
            "createdAt": session.created_at,
            "updatedAt": session.updated_at,
            "forkedFrom": session.forked_from,
        }
        for session in sessions
    ]


def call_objects(calls: Sequence[Call], words: Catalogue) -> list[dict[str, Any]]:
    """The JSON form of calls (see the module's text)."""
    return [
        {
            "address": str(call.address),
            "session": call.address.session,
            "turn": call.address.turn,
            "runtime": call.address.runtime,
            "call": call.address.call,
            "row": call.row,
            "turnId": call.turn_id,
            "step": call.step,
            "attempt": call.attempt,
            "model": call.model,
            "provider": call.provider,
            "slot": call.slot,
            "plugin": call.plugin,
            "startedAt": call.started_at,
            "payloadBytes": call.payload_bytes,
            "concealed": call.concealed,
            "finish": call.finish,
            "usage": _usage_object(call.usage),
            "problem": words.text(call.problem) if call.problem else None,
        }
        for call in calls
    ]


def _usage_object(usage: Usage | None) -> dict[str, int | None] | None:
    if usage is None:
        return None
    return {"input": usage.input, "output": usage.output, "cached": usage.cached, "cacheWrite": usage.cache_write}


def session_lines(sessions: Sequence[Session], words: Catalogue) -> list[str]:
    """Sessions as a table."""
    if not sessions:
        return [words.text(say("There is no session in this file."))]
    columns = [
        Column(words.text(say("Session"))),
        Column(words.text(say("Title")), most=40),
        Column(words.text(say("Language"))),
        Column(words.text(say("World")), most=24),
        Column(words.text(say("Turns")), right=True),
        Column(words.text(say("Calls")), right=True),
        Column(words.text(say("Begun"))),
    ]
    return table(
        columns,
        (
            (
                session.id,
                session.title,
                session.locale,
                session.world,
                figure(session.turn_count),
                figure(session.call_count),
                session.created_at[:16].replace("T", " "),
            )
            for session in sessions
        ),
    )


def call_lines(calls: Sequence[Call], words: Catalogue) -> list[str]:
    """Calls as a table; the last column says what is special about a call."""
    if not calls:
        return [words.text(say("No call was recorded here."))]
    columns = [
        Column(words.text(say("Address"))),
        Column(words.text(say("Model")), most=28),
        Column(words.text(say("Input tokens")), right=True),
        Column(words.text(say("Cached")), right=True),
        Column(words.text(say("Output")), right=True),
        Column(words.text(say("Bytes")), right=True),
        Column(words.text(say("Note")), most=80),
    ]
    return table(
        columns,
        (
            (
                str(call.address),
                call.model,
                *_usage_cells(call.usage),
                figure(call.payload_bytes),
                _note(call, words),
            )
            for call in calls
        ),
    )


def _usage_cells(usage: Usage | None) -> tuple[str, str, str]:
    values = (usage.input, usage.cached, usage.output) if usage else (None, None, None)
    first, second, third = ("–" if value is None else figure(value) for value in values)
    return first, second, third


def _note(call: Call, words: Catalogue) -> str:
    notes = []
    if call.problem:
        notes.append(words.text(call.problem))
    if call.concealed:
        notes.append(words.text(say("concealed")))
    if call.attempt:
        notes.append(words.text(say("attempt {n}", n=call.attempt + 1)))
    if not call.address.runtime:
        # Whose call it is cannot be told, so neither can its step.
        notes.extend([] if call.problem else [words.text(say("its row names no runtime"))])
    elif call.step:
        notes.append(words.text(say("step {n} of the tool loop", n=call.step + 1)))
    return " · ".join(notes)
