"""From the message log to the rows one runtime may see. Follows the reference on the assembler, section 11."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from covel_inspector.domain import AbsenceReason, Absent, Kind, Sentence, say
from covel_inspector.engines.covel.assembler.params import HistoryRow, Json
from covel_inspector.engines.covel.javascript import WHITESPACE_CLASS, is_blank, trim
from covel_inspector.engines.covel.records.naming import history_key

_FENCE = re.compile(r"```[^\s`]*(.*?)```", re.DOTALL)
_TOOL_TAG = re.compile(rf"<tool(?:[->]|{WHITESPACE_CLASS})", re.IGNORECASE)
_SHORTEST_QUOTED = 2


@dataclass(frozen=True, slots=True)
class BranchReply:
    """A stored choice between replies; ``key`` is the turn unless ``value`` names one."""

    key: str
    value: Mapping[str, Json]
    updated_at: str = ""


class LoggedRow(Protocol):
    """What filter and window ask of a row."""

    @property
    def turn_id(self) -> str: ...
    @property
    def source_type(self) -> str: ...
    @property
    def source_runtime_id(self) -> str: ...
    @property
    def content(self) -> str: ...


@dataclass(frozen=True, slots=True)
class HistoryView:
    """The rows of a runtime, and those it does not see with the reason."""

    rows: tuple[HistoryRow, ...]
    left_out: tuple[Absent, ...] = ()


def view_history(
    rows: Sequence[HistoryRow],
    runtime: str,
    branch_replies: Iterable[BranchReply] = (),
    max_turns: int | None = None,
) -> HistoryView:
    """Branch replies, filter and window, one after the other. ``max_turns`` None = no window."""
    filtered = filter_rows(with_branch_replies(rows, branch_replies), runtime)
    windowed = window_rows(filtered.rows, max_turns)
    return HistoryView(windowed.rows, filtered.left_out + windowed.left_out)


def with_branch_replies(rows: Sequence[HistoryRow], replies: Iterable[BranchReply]) -> tuple[HistoryRow, ...]:
    """The rows with each turn's accepted reply in the place of the turn's last assistant row."""
    chosen: dict[str, BranchReply] = {}
    for reply in replies:
        turn = _text(reply.value.get("turnId")) or reply.key
        if _text(reply.value.get("status")) != "accepted" or not accepted_text(reply):
            continue
        if turn not in chosen or reply.updated_at > chosen[turn].updated_at:
            chosen[turn] = reply
    if not chosen:
        return tuple(rows)
    result = list(rows)
    for turn, reply in chosen.items():
        index = _last_reply(rows, turn, _text(reply.value.get("runtimeId")))
        if index is not None:
            note = say("The reply that was chosen for this turn stands here instead of the stored one.")
            result[index] = replace(_noted(result[index], note), content=accepted_text(reply))
    return tuple(result)


def accepted_text(reply: BranchReply) -> str:
    """The accepted words, else the text of the chosen candidate, trimmed; empty when there are none."""
    own = _text(reply.value.get("acceptedText"))
    if own:
        return trim(own)
    wanted = reply.value.get("acceptedCandidateId")
    candidates = reply.value.get("candidates")
    for candidate in candidates if isinstance(candidates, list) else ():
        if isinstance(candidate, Mapping) and candidate.get("id") == wanted:
            return trim(_text(candidate.get("text")) or _text(candidate.get("content")))
    return ""


def filter_rows(rows: Iterable[HistoryRow], runtime: str) -> HistoryView:
    """Without runtime rows that hold no text, and without structured answers of other runtimes."""
    kept: list[HistoryRow] = []
    left_out: list[Absent] = []
    for row in rows:
        why = why_filtered(row, runtime)
        if why is None:
            kept.append(row)
        else:
            left_out.append(_absent(row, AbsenceReason.FILTER, why))
    return HistoryView(tuple(kept), tuple(left_out))


def window_rows(rows: Sequence[HistoryRow], max_turns: int | None) -> HistoryView:
    """The rows of the newest ``max_turns`` turns; picture notes (sourceType ``system``) open no turn.

    None = all, 0 = none. With that many turns or fewer everything stays.
    """
    if max_turns is None:
        return HistoryView(tuple(rows))
    first = window_start(rows, max_turns)
    why = say("older than the {n} newest turns that this runtime sees", n=max_turns)
    inside = say("Inside the window of this runtime, the {n} newest turns.", n=max_turns)
    if max_turns == 0:
        why = say("this runtime sees no history")
    return HistoryView(
        tuple(_noted(row, inside) for row in rows[first:]),
        tuple(_absent(row, AbsenceReason.WINDOW, why) for row in rows[:first]),
    )


def window_start(rows: Sequence[LoggedRow], max_turns: int | None) -> int:
    """The number of rows before the window of the newest ``max_turns`` turns; None = there is no window."""
    if max_turns is None:
        return 0
    turns: set[str] = set()
    for index in range(len(rows) - 1, -1, -1) if max_turns > 0 else ():
        row = rows[index]
        if row.source_type == "system" or row.turn_id in turns:
            continue
        if len(turns) == max_turns:
            return _after_older_turn(rows, index)
        turns.add(row.turn_id)
    return 0 if max_turns > 0 else len(rows)


def looks_structured(text: str) -> bool:
    """True for JSON, fenced or quoted JSON, and tool tags. A fence with anything behind it is prose."""
    bare = trim(text)
    fenced = _FENCE.fullmatch(bare)
    if fenced is not None and "```" not in fenced[1]:
        bare = trim(fenced[1])
    if bare.startswith(("{", "[")):
        return True
    if len(bare) >= _SHORTEST_QUOTED and bare[0] == bare[-1] == "`" and trim(bare[1:-1]).startswith(("{", "[")):
        return True
    return _TOOL_TAG.match(bare) is not None


def is_note(row: HistoryRow) -> bool:
    """True for the row that tells of a picture."""
    if row.source_type != "system" or not isinstance(row.ui, list) or not row.ui:
        return False
    return isinstance(row.ui[0], Mapping) and row.ui[0].get("type") == "asset.generate"


def _noted(row: HistoryRow, note: Sentence) -> HistoryRow:
    return replace(row, provenance=replace(row.provenance, notes=(*row.provenance.notes, note)))


def _after_older_turn(rows: Sequence[LoggedRow], older: int) -> int:
    """The first row behind ``older`` that opens a turn: notes right before it belong to what is left out."""
    first = older + 1
    while first < len(rows) and rows[first].source_type == "system":
        first += 1
    return first


def why_filtered(row: LoggedRow, runtime: str) -> Sentence | None:
    """Why a runtime is not shown a row; None when it is."""
    if row.source_type != "runtime":
        return None
    if is_blank(row.content):
        return say("a runtime's answer without text")
    if row.source_runtime_id != runtime and looks_structured(row.content):
        return say("a structured answer of another runtime, {runtime}", runtime=row.source_runtime_id or "?")
    return None


def _last_reply(rows: Sequence[HistoryRow], turn: str, runtime: str) -> int | None:
    for index in range(len(rows) - 1, -1, -1):
        row = rows[index]
        if row.turn_id != turn or row.role != "assistant" or row.source_type not in ("", "runtime"):
            continue
        if not runtime or not row.source_runtime_id or runtime == row.source_runtime_id:
            return index
    return None


def _absent(row: HistoryRow, reason: AbsenceReason, note: Sentence) -> Absent:
    return Absent(
        key=f"note:{row.id}" if is_note(row) else history_key(row.id),
        kind=Kind.NOTE if is_note(row) else Kind.HISTORY,
        title=say("{role} message", role=row.role),
        reason=reason,
        note=note,
        text=row.content,
        origin=row.provenance.origin,
    )


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
