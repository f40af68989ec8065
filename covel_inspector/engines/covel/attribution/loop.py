"""The tool loop behind the context: calls, results, and what the engine says in between. Step n of the reference."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from covel_inspector.domain import Field, Grade, Kind, Origin, Part, Place, Segment, Sentence, say
from covel_inspector.engines.covel.attribution.claims import Label
from covel_inspector.engines.covel.attribution.cuts import cut_marker
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import IndexedRow, SessionIndex
from covel_inspector.engines.covel.attribution.stored_calls import paired_calls, stored_text
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.naming import TITLES, tool_call_title, tool_result_title
from covel_inspector.engines.covel.records.rows import ToolCallRow

RETRY = re.compile(r"\[retry \d+\]")

LOOP = Label(
    "loop",
    Kind.GROUP,
    say("Tool loop"),
    Grade.STRUCTURAL,
    say("everything behind the first call of a tool"),
)
_RETRY = Label(
    "retry-hint",
    Kind.RETRY_HINT,
    TITLES[Kind.RETRY_HINT],
    Grade.STRUCTURAL,
    say("the last message of a repeated attempt, with the engine's own mark"),
)
_CALL_REASON = say("a call that the model made in this run")
_RESULT_REASON = say("answers a call that the model made in this run")
_EQUAL_REASON = say("equal to a stored tool call of this turn")
_CALL_TWIN = say("Several stored calls of this turn are equal: which one this is cannot be told.")
_THOUGHT_REASON = say("a field of its own in the recorded message")
_NOTE_REASON = say("stands inside the tool loop")


def retry_hint(message: KernelMessage, attempt: int) -> Label | None:
    """The label of a hint that a repeated attempt begins with, None when the message is none."""
    content = message.content
    if attempt > 0 and message.role == "user" and isinstance(content, str) and RETRY.match(content):
        return _RETRY
    return None


def reasoning(part: Part, number: int) -> Label:
    """The label of what a model thought, or of the state a provider asked to keep; ``number`` tells them apart."""
    if part.field is Field.CONTINUATION:
        title = say("State kept for the provider")
        return Label(f"continuation:{number}", Kind.REASONING, title, Grade.STRUCTURAL, _THOUGHT_REASON)
    return Label(f"reasoning:{number}", Kind.REASONING, TITLES[Kind.REASONING], Grade.STRUCTURAL, _THOUGHT_REASON)


class LoopReader:
    """Reads the messages of a tool loop in order; counts calls and results, and remembers the calls by id."""

    def __init__(
        self, moment: CallMoment, index: SessionIndex, messages: Sequence[KernelMessage] = (), current: str = ""
    ) -> None:
        """``messages`` are all of the loop, ``current`` is the id of the row that is the current line."""
        self._moment = moment
        self._index = index
        self._current = current
        self._rows = paired_calls(messages, moment, index)
        self._said = Counter(
            message.content for message in messages if message.role == "user" and isinstance(message.content, str)
        )
        self._calls = 0
        self._results = 0
        self._notes = 0
        self._replies = 0
        self._open: dict[str, tuple[str, ToolCallRow | None, bool]] = {}

    def read(self, message: KernelMessage, parts: list[tuple[int, Part]]) -> Iterator[Segment]:
        """The leaves of one message; ``parts`` are its parts with their numbers."""
        calls = iter(message.tool_calls or ())
        for number, part in parts:
            if part.field is Field.TOOL_CALL:
                label = self._call(next(calls, {}))
            elif message.role == "tool":
                label = self._result(message, part)
            elif part.field in (Field.REASONING, Field.CONTINUATION):
                label = reasoning(part, self._calls + 1)
            else:
                label = self._note(message, part)
            yield label.leaf(part.text, Place(number, 0, len(part.text)), part.role)

    def _call(self, call: Mapping[str, Any]) -> Label:
        self._calls += 1
        name, call_id = str(call.get("name", "")), str(call.get("id", ""))
        row, sure = self._rows.get(self._calls, (None, False))
        self._open[call_id] = (name, row, sure)
        grade = Grade.EXACT if sure else Grade.GUESS
        return Label(
            f"tool-call:{self._calls}",
            Kind.TOOL_CALL,
            tool_call_title(name),
            grade if row is not None else Grade.STRUCTURAL,
            _EQUAL_REASON if row is not None else _CALL_REASON,
            self._origin(row),
            notes=() if row is None or sure else (_CALL_TWIN,),
        )

    def _result(self, message: KernelMessage, part: Part) -> Label:
        self._results += 1
        name, row, sure = self._open.get(message.tool_call_id or "", ("", None, True))
        grade, reason = Grade.STRUCTURAL, _RESULT_REASON
        notes: tuple[Sentence, ...] = ()
        stored = stored_text(row.output) if row is not None else ""
        if row is not None and part.text == stored:
            grade, reason = Grade.EXACT, _EQUAL_REASON
        elif row is not None and cut_marker(part.text, stored):
            grade, reason = Grade.TEMPLATE, say("head and tail of a stored result; the budget shortened its middle")
        elif row is not None:
            notes = (say("The stored result reads differently: its data was left out, or it was answered later."),)
        if not sure and row is not None:
            grade, notes = Grade.GUESS, (*notes, _CALL_TWIN)
        return Label(
            f"tool-result:{self._results}",
            Kind.TOOL_RESULT,
            tool_result_title(name or message.tool_call_id or ""),
            grade,
            reason,
            self._origin(row),
            notes=notes,
        )

    def _note(self, message: KernelMessage, part: Part) -> Label:
        if message.role == "assistant":
            self._replies += 1
            title = say("Text beside the calls")
            return Label(f"reply:{self._replies}", Kind.LOOP_NOTE, title, Grade.STRUCTURAL, _NOTE_REASON)
        self._notes += 1
        key = f"loop-note:{self._notes}"
        found = self._interjection(part.text) if message.role == "user" else None
        if found is not None:
            row, grade = found
            reason = say("equal to a line that the player wrote while the run went on")
            return Label(key, Kind.PLAYER_LINE, row.label.title, grade, reason, row.label.origin)
        return Label(key, Kind.LOOP_NOTE, TITLES[Kind.LOOP_NOTE], Grade.STRUCTURAL, _NOTE_REASON)

    def _interjection(self, text: str) -> tuple[IndexedRow, Grade] | None:
        """The line that the player wrote while the run went on: one row of this turn or of the next, said once.

        A line of the next turn may have the words of a correction by chance: a guess.
        """
        started, turn = self._moment.started_at, self._moment.turn_id
        later = [
            row
            for row in self._index.rows_by_text.get(text, ())
            if row.is_player
            and row.row.id != self._current
            and (row.committed > started or (row.row.turn_id != turn and row.row.created_at > started))
        ]
        if not later or self._said[text] > 1:
            return None
        following = self._following_turn()
        near = [row for row in later if row.row.turn_id in (turn, following)]
        if len(near) != 1:
            return None
        return near[0], Grade.EXACT if near[0].row.turn_id == turn else Grade.GUESS

    def _following_turn(self) -> str:
        """The turn of the player's first row behind this turn; empty when there is none."""
        moment = self._moment
        own = self._index.player_rows.get(moment.turn_id)
        after = own[-1].row.created_at if own else moment.started_at
        rows = self._index.rows
        first = bisect_right(rows, after, key=lambda row: row.row.created_at)
        others = (row.row.turn_id for row in rows[first:] if row.is_player and row.row.turn_id != moment.turn_id)
        return next(others, "")

    def _origin(self, row: ToolCallRow | None) -> Origin:
        moment = self._moment
        if row is None:
            return Origin(plugin=moment.plugin_id, runtime=moment.runtime_id)
        return Origin(plugin=moment.plugin_id, runtime=moment.runtime_id, table="tool_calls", rows=(row.id,))
