"""The segments of the messages, by what each message is made of."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from covel_inspector.domain import Field, Kind, Origin, Part, Segment, Sentence, Volatility, say
from covel_inspector.domain.building import branch
from covel_inspector.engines.covel.assembler.history_steps import is_note
from covel_inspector.engines.covel.assembler.params import (
    ContextParams,
    HistoryRow,
    LoreContribution,
    PromptSegment,
    Provenance,
    Summary,
)
from covel_inspector.engines.covel.assembler.pieces import (
    Cue,
    Pictures,
    PlayerLine,
    PruneMarker,
    Source,
    Story,
    TurnContextMessage,
)
from covel_inspector.engines.covel.assembler.tree.describing_system import describe, extension, lore
from covel_inspector.engines.covel.assembler.tree.spots import Row, Spot, known, leaf
from covel_inspector.engines.covel.records.naming import TITLES, history_key, summary_key

_OPEN = "<compacted_history>\n"
_CLOSE = "\n</compacted_history>"
_ENVELOPE = say("the engine's own text around a summary")
_SUMMARY_TITLE = say("Summary")
_NOTE_TITLE = say("Note about a picture")
_PLAYER_TITLE = say("Player")
_ROW_REASON = say("a row of the history, as it is stored")
_SENT_ALL_THE_SAME = say("A summary stands for this row, but this runtime gets no summaries: the row is sent.")


def row_key(row: HistoryRow) -> str:
    """Key of a history row or note."""
    return f"note:{row.id}" if is_note(row) else history_key(row.id)


def row_title(row: HistoryRow) -> Sentence:
    """Title of a history row: who speaks."""
    if is_note(row):
        return _NOTE_TITLE
    if row.source_type == "player":
        return _PLAYER_TITLE
    return _speaker_title(row.source_runtime_id or row.name, row.role)


@lru_cache(maxsize=256)
def _speaker_title(speaker: str, role: str) -> Sentence:
    return say("Reply of {runtime}", runtime=speaker) if speaker else say("{role} message", role=role)


def row_origin(row: HistoryRow) -> Origin:
    """Where a row is stored, as far as it says."""
    runtime = row.source_runtime_id
    plugin = runtime.partition("/")[0]
    if row.provenance.origin.table or not row.id:
        return known(row.provenance.origin, plugin, runtime)
    return known(row.provenance.origin, plugin, runtime, table="turn_messages", rows=(row.id,))


def describe_message(source: Source, parts: Sequence[tuple[int, Part]], params: ContextParams) -> list[Segment]:
    """The segments of one message; ``parts`` are its numbered parts."""
    if isinstance(source, Pictures):
        return [_pictures(source, parts)]
    number, part = parts[0]
    return [_DESCRIBERS[type(source)](source, Spot(number, 0, part.text, part.role), params)]


def _row(row: HistoryRow, spot: Spot, params: ContextParams) -> Segment:
    provenance = row.provenance
    notes = provenance.notes
    if row.summary_id and not params.summaries:
        notes = (*notes, _SENT_ALL_THE_SAME)
    note = is_note(row)
    # Rows are most of a tree: this is `leaf` written out.
    return Segment(
        f"note:{row.id}" if note else history_key(row.id),
        Kind.NOTE if note else Kind.HISTORY,
        row_title(row),
        spot.text,
        spot.place,
        (),
        spot.role,
        row_origin(row),
        grade=provenance.grade,
        reason=provenance.reason or _ROW_REASON,
        notes=notes,
    )


def _summary(summary: Summary, spot: Spot, params: ContextParams) -> Segment:
    provenance = summary.provenance
    key = summary_key(summary.id)
    referenced = any(row.summary_id == summary.id for row in params.message_history)
    note = (
        say("It stands in the place of the first row that it covers.")
        if referenced
        else say("No row of this history refers to it, so it stands before the history.")
    )
    origin = known(provenance.origin, table="session_summaries", rows=(summary.id,)) if summary.id else Origin()
    whole = leaf(
        spot,
        key,
        Kind.SUMMARY,
        _SUMMARY_TITLE,
        say("a stored summary in the engine's envelope"),
        provenance,
        origin=origin,
        notes=(note,),
    )
    closed = spot.text.rfind(_CLOSE)
    start = spot.text.index("\n", len(_OPEN)) + 1
    row = Row(spot)

    def inner(name: str, title: Sentence, of: Provenance, reason: Sentence) -> Callable[[Spot], Segment]:
        return lambda at: leaf(at, name, Kind.SUMMARY, title, reason, of, origin=origin)

    engine = Provenance()
    row.lay(spot.text[:start], inner("summary-open", say("Head of the envelope"), engine, _ENVELOPE))
    content = inner("summary-content", _SUMMARY_TITLE, provenance, say("the stored summary, escaped"))
    row.lay(spot.text[start:closed], content)
    close_end = closed + len(_CLOSE)
    row.lay(spot.text[closed:close_end], inner("summary-close", say("End of the envelope"), engine, _ENVELOPE))
    row.lay(spot.text[close_end:], inner("summary-note", say("Note behind the summary"), engine, _ENVELOPE))
    return branch(whole, row.finish())


def _turn_context(source: TurnContextMessage, spot: Spot, params: ContextParams) -> Segment:
    whole = leaf(
        spot,
        "turn-context",
        Kind.TURN_CONTEXT,
        TITLES[Kind.TURN_CONTEXT],
        say("the system message before the player's line, for what changes each turn"),
        volatility=Volatility.TURN,
    )
    row = Row(spot)
    for index, piece in enumerate(source.pieces):
        if index:
            row.skip(source.gaps[index - 1])
        row.lay(piece.text, lambda at, piece=piece: describe(piece, at, params))  # type: ignore[misc]  # bound now
    return branch(whole, row.finish())


def _player_line(source: PlayerLine, spot: Spot, params: ContextParams) -> Segment:
    provenance = params.turn_input.provenance
    reason = {
        "typed": say("the player's line as typed"),
        "manual": say("the engine's note for a run started by hand"),
        "empty": say("the engine's note for an empty line"),
    }[source.kind]
    if source.kind != "typed":
        provenance = Provenance(provenance.origin)
    return leaf(
        spot,
        "player-line",
        Kind.PLAYER_LINE,
        TITLES[Kind.PLAYER_LINE],
        reason,
        provenance,
        volatility=Volatility.TURN,
    )


def _story(source: Story, spot: Spot, _params: ContextParams) -> Segment:
    row = source.row
    return leaf(
        spot,
        f"story:{source.number}",
        Kind.STORY,
        TITLES[Kind.STORY],
        say("the story that an earlier stage of this execution told"),
        row.provenance,
        origin=known(
            row.provenance.origin,
            runtime=row.source_runtime_id,
            plugin=row.source_runtime_id.partition("/")[0],
        ),
        volatility=Volatility.TURN,
    )


def _cue(_source: Cue, spot: Spot, _params: ContextParams) -> Segment:
    return leaf(
        spot,
        "cue",
        Kind.CUE,
        TITLES[Kind.CUE],
        say("the engine's note behind the story of this turn"),
        volatility=Volatility.STABLE,
    )


def _prune_marker(source: PruneMarker, spot: Spot, _params: ContextParams) -> Segment:
    return leaf(
        spot,
        "prune-marker",
        Kind.PRUNE_MARKER,
        TITLES[Kind.PRUNE_MARKER],
        say("stands for what the budget dropped"),
        notes=(say("{n} messages were dropped to stay within the budget.", n=source.count),),
    )


def _pictures(source: Pictures, parts: Sequence[tuple[int, Part]]) -> Segment:
    reason = say("the newest pictures of the history, for a runtime that tells the story")
    children: list[Segment] = []
    count = 0
    for number, part in parts:
        spot = Spot(number, 0, part.text, part.role)
        if part.field is Field.TEXT_PART:
            key, title = "pictures:heading", say("Heading of the pictures")
            if children:
                key, title = f"pictures:item:{count + 1}", say("Caption {n}", n=count + 1)
        else:
            count += 1
            key, title = f"pictures:media:{count}", say("Picture {n}", n=count)
        shown = count if part.field is not Field.TEXT_PART else count + 1
        of_row = source.rows[shown - 1] if children and shown <= len(source.rows) else None
        provenance = of_row.provenance if of_row is not None else Provenance()
        origin = row_origin(of_row) if of_row is not None else Origin()
        children.append(leaf(spot, key, Kind.PICTURES, title, reason, provenance, origin=origin))
    rows = tuple(row.id for row in source.rows if row.id)
    whole = Segment(
        "pictures",
        Kind.PICTURES,
        TITLES[Kind.PICTURES],
        role=parts[0][1].role,
        origin=Origin(table="turn_messages", rows=rows) if rows else Origin(),
        volatility=Volatility.TURN,
        grade=max((row.provenance.grade for row in source.rows), key=lambda grade: grade.rank),
        reason=reason,
    )
    return branch(whole, children)


_DESCRIBERS: dict[type, Callable[[Any, Spot, ContextParams], Segment]] = {
    HistoryRow: _row,
    Summary: _summary,
    TurnContextMessage: _turn_context,
    PlayerLine: _player_line,
    Story: _story,
    Cue: _cue,
    PruneMarker: _prune_marker,
    PromptSegment: extension,
    LoreContribution: lore,
}
