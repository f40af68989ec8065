"""Causes in the history: growth, edits, a window that slides, cuts by the budget, summaries, a rewound story."""

from covel_inspector.analysis.causes.cause import Cause, CauseKind, Side
from covel_inspector.analysis.causes.difference import HISTORY_KINDS, Parting, Row, excerpts, texts
from covel_inspector.analysis.pairs import PairState
from covel_inspector.domain import Event, Kind, say

_LEAST_KEPT = 32
"""Code points that a cut in the middle of a message keeps at both ends."""


def history_cause(parting: Parting, row: Row, before: Side, now: Side) -> Cause:
    """The cause for a first difference in the history (or the marker of a cut in front of it)."""
    if row.kind is Kind.SUMMARY:
        return _summary(row)
    if row.kind is Kind.PRUNE_MARKER:
        return _pruned(row, began=row.pair.a is None)
    if is_cut_off(parting, row):
        marker = next(one for one in parting.rows if one.kind is Kind.PRUNE_MARKER)
        return _pruned(marker, began=True)
    if row.pair.state is PairState.CHANGED:
        return _changed(row, before, now)
    history = parting.history()
    ahead = [one for one in history if one.number < row.number]
    behind = [one for one in history if one.number > row.number]
    if row.pair.a is None and not any(one.pair.a is not None for one in behind):
        return _growth(row)
    kept_behind = any(_is_kept(one) for one in behind)
    kept_ahead = any(_is_kept(one) for one in ahead)
    if row.pair.a is None:
        return _edited(row, inserted=True) if kept_behind else _rewound(row)
    if kept_ahead:
        return _edited(row, inserted=False) if kept_behind else _rewound(row)
    return _front_gone(parting, row, kept_behind=kept_behind)


def is_cut_off(parting: Parting, row: Row) -> bool:
    """Whether a segment in front of the history fell to the cut that a new marker stands for."""
    marker = next((one for one in parting.rows if one.kind is Kind.PRUNE_MARKER), None)
    return marker is not None and marker.pair.a is None and row.pair.b is None and not parting.in_tail(row)


def _is_kept(row: Row) -> bool:
    return row.pair.a is not None and row.pair.b is not None and row.kind is not Kind.SUMMARY


def _growth(row: Row) -> Cause:
    return Cause(
        CauseKind.HELD,
        say("Only new rows at the end of the history."),
        key=row.segment.key,
        title=row.segment.title,
    )


def _summary(row: Row) -> Cause:
    state = row.pair.state
    if state is PairState.CHANGED:
        sentence = say("A summary of compacted history was written anew: older summaries were merged.")
    elif state is PairState.REMOVED:
        sentence = say("A summary of compacted history is no longer sent.")
    else:
        sentence = say("Older history was compacted: a summary stands where rows stood before.")
    return _named(row, Cause(CauseKind.COMPACTION, sentence))


def _pruned(row: Row, *, began: bool) -> Cause:
    if began:
        sentence = say("The request came over its token limit, so the oldest messages of the history were cut off.")
    elif row.pair.b is None:
        sentence = say("The history is whole again: the request before had its oldest messages cut off.")
    else:
        sentence = say("The marker of the cut in the history reads differently.")
    return _named(row, Cause(CauseKind.PRUNE_CUT, sentence))


def _changed(row: Row, before: Side, now: Side) -> Cause:
    was, became = _texts(row)
    if Event.PRUNED in (now.turn.events if now.turn else ()) and _is_cut(was, became):
        sentence = say("“{segment}” was cut in the middle to fit the token limit.", segment=row.segment.title)
        return _named(row, Cause(CauseKind.PRUNE_CUT, sentence))
    if Event.PRUNED in (before.turn.events if before.turn else ()) and _is_cut(became, was):
        sentence = say(
            "“{segment}” is whole again: the request before had it cut in the middle.", segment=row.segment.title
        )
        return _named(row, Cause(CauseKind.PRUNE_CUT, sentence))
    sentence = say("A row of the history reads differently than before: “{segment}”.", segment=row.segment.title)
    return _named(row, Cause(CauseKind.HISTORY_EDITED, sentence))


def _is_cut(whole: str, cut: str) -> bool:
    """Whether ``cut`` is the head and the tail of ``whole`` with a short note between."""
    if len(cut) >= len(whole):
        return False
    head = next((n for n, (a, b) in enumerate(zip(whole, cut, strict=False)) if a != b), len(cut))
    tail = next((n for n, (a, b) in enumerate(zip(whole[::-1], cut[::-1], strict=False)) if a != b), len(cut))
    return head >= _LEAST_KEPT and tail >= _LEAST_KEPT and len(cut) - head - tail < len(cut) / 2


def _edited(row: Row, *, inserted: bool) -> Cause:
    title = row.segment.title
    if inserted:
        sentence = say("A row came into the middle of the history: “{segment}”.", segment=title)
    else:
        sentence = say("A row left the middle of the history: “{segment}”.", segment=title)
    return _named(row, Cause(CauseKind.HISTORY_EDITED, sentence))


def _rewound(row: Row) -> Cause:
    return _named(
        row,
        Cause(
            CauseKind.REWOUND,
            say("The story was rewound: the last rows of the earlier request's history are no longer there."),
        ),
    )


def _front_gone(parting: Parting, row: Row, *, kept_behind: bool) -> Cause:
    """The oldest rows are gone: compaction, a moved cut, or a window, told by what else is in the requests."""
    rows = parting.rows
    if any(one.kind is Kind.SUMMARY and one.pair.b is not None and one.pair.is_different for one in rows):
        summary = next(one for one in rows if one.kind is Kind.SUMMARY and one.pair.is_different)
        return _summary(summary)
    if any(one.kind is Kind.PRUNE_MARKER for one in rows):
        sentence = say("The cut in the history moved on: more of the oldest messages had to go.")
        return _named(row, Cause(CauseKind.PRUNE_CUT, sentence))
    sentence = say("The history window moved on: its oldest rows are no longer sent.")
    moved_on = kept_behind or _goes_on(parting)
    return _named(row, Cause(CauseKind.WINDOW, sentence, is_guess=not moved_on))


def _goes_on(parting: Parting) -> bool:
    """Whether what the player wrote in the earlier request is history in the later one."""
    lines = {one.pair.a.whole_text for one in parting.rows if one.kind is Kind.PLAYER_LINE and one.pair.a is not None}
    return bool(lines & texts([one for one in parting.history() if one.kind in HISTORY_KINDS]))


def _named(row: Row, cause: Cause) -> Cause:
    segment = row.segment
    was, became = excerpts(*_texts(row))
    return Cause(
        cause.kind,
        cause.sentence,
        key=segment.key,
        title=segment.title,
        plugin=segment.origin.plugin,
        old=was,
        new=became,
        is_guess=cause.is_guess,
    )


def _texts(row: Row) -> tuple[str, str]:
    a, b = row.pair.a, row.pair.b
    return (a.whole_text if a is not None else ""), (b.whole_text if b is not None else "")
