"""Which rows of a session a recorded request does not hold, and why: derived from rows, rules and the request.

Every row is accounted for: it stands in the request, or it is absent by filter, window, compaction or pruning, or it
was not committed yet. Follows the reference on the runtime, sections 2, 3 and 6, and on the database, section 7.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from covel_inspector.domain import AbsenceReason, Absent, Grade, Kind, Segment, SegmentTree, Sentence, say
from covel_inspector.engines.covel.assembler.history_steps import why_filtered, window_start
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.rebuild.facts import RuntimeFacts
from covel_inspector.engines.covel.rebuild.leavings import MARKER_KEY, pruned_note, pruning_steps
from covel_inspector.engines.covel.rebuild.moment import Moment
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.naming import summary_key

_SHOWN = frozenset({Kind.HISTORY, Kind.NOTE, Kind.PLAYER_LINE, Kind.STORY, Kind.LOOP_NOTE})


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A recorded request with what is known of how it was made.

    ``moment`` is when its history was read. ``limit`` is the input limit in the engine's tokens, None = not known;
    ``traced`` the number of pruned rows that a trace event names, None without such an event; ``gone`` are the tokens
    that pruning took before the first row.
    """

    tree: SegmentTree
    moment: Moment
    facts: RuntimeFacts
    limit: int | None = None
    traced: int | None = None
    gone: int = 0


class Why(NamedTuple):
    """Why a row is absent. ``after`` None = behind the last row before it that is there."""

    reason: AbsenceReason
    note: Sentence
    grade: Grade
    after: str | None = None


LATER = Why(
    AbsenceReason.NOT_COMMITTED,
    say("belongs to a later turn: it was not there yet when the request was made"),
    Grade.EXACT,
    "",
)
SAME_TURN = Why(
    AbsenceReason.NOT_COMMITTED,
    say("belongs to this turn, but was committed only after the request was made"),
    Grade.EXACT,
    "",
)
_BLANK_LINE = Why(
    AbsenceReason.EMPTY,
    say("the player wrote nothing: the engine puts a sentence of its own in its place"),
    Grade.EXACT,
    "",
)
_OTHER_LINE = Why(
    AbsenceReason.UNKNOWN,
    say("the line of this turn stands in the request with another text, or not at all"),
    Grade.UNKNOWN,
    "",
)
_UNSURE = Why(
    AbsenceReason.UNKNOWN,
    say("should be there by the filter and window of this runtime; no record says why it is not"),
    Grade.UNKNOWN,
)
_MAYBE_WINDOW = Why(
    AbsenceReason.WINDOW,
    say("older than all rows of this request: a window of this runtime would explain it, but no file says so"),
    Grade.GUESS,
)


class MissingRows:
    """The absent rows of one session's requests. What all requests share is put in order once."""

    def __init__(self, record: SessionRecord) -> None:
        self.record = record
        self.rows = record.index.rows
        self.number_of = {indexed.row.id: indexed.number for indexed in self.rows}
        self.committed = [indexed.committed for indexed in self.rows]
        self.of_turn: dict[str, list[int]] = defaultdict(list)
        self.of_summary: dict[str, list[int]] = defaultdict(list)
        for indexed in self.rows:
            self.of_turn[indexed.row.turn_id].append(indexed.number)
            if indexed.row.summary_id:
                self.of_summary[indexed.row.summary_id].append(indexed.number)
        self._floor = _suffix_minimum(self.committed)
        self._made: dict[tuple[int, str], dict[int, Absent]] = {}
        self._filters: dict[str, dict[int, Why]] = {}
        self._ordinals = {summary.id: number for number, summary in enumerate(record.evidence.summaries, 1)}

    def of(self, sent: SentRequest) -> tuple[Absent, ...]:
        """Every row that the request does not hold, in the order of the log."""
        return tuple(_Reading(self, sent).absent())

    def first_of_later(self, started_at: str) -> int:
        """The first row from which on none was committed before a moment."""
        return bisect_left(self._floor, started_at)

    def made(self, why: Why, after: str) -> dict[int, Absent]:
        """The absences that were made for a reason and a place before. Reasons are shared objects."""
        return self._made.setdefault((id(why), after), {})

    def absence(self, number: int, why: Why, after: str) -> Absent:
        """A row that is absent."""
        indexed = self.rows[number]
        label = indexed.label
        return Absent(
            label.key,
            label.kind,
            label.title,
            why.reason,
            why.note,
            indexed.row.content,
            label.origin,
            after,
            why.grade,
        )

    def filtered(self, runtime: str) -> dict[int, Why]:
        """The rows that the filter of a runtime drops, and why."""
        if runtime not in self._filters:
            found: dict[int, Why] = {}
            shared: dict[str, Why] = {}
            for indexed in self.rows:
                note = why_filtered(indexed.row, runtime) if indexed.is_filtered else None
                if note is not None:
                    why = Why(AbsenceReason.FILTER, note, Grade.STRUCTURAL)
                    found[indexed.number] = shared.setdefault(str(note), why)
            self._filters[runtime] = found
        return self._filters[runtime]

    def known_summaries(self, started_at: str) -> dict[str, int]:
        """The summaries that were there at a moment, with their number in the story."""
        return {
            summary.id: self._ordinals[summary.id]
            for summary in self.record.evidence.summaries
            if summary.created_at <= started_at
        }

    def hook_of(self, moment: Moment) -> str | None:
        """The plugin whose hook rewrote the messages of a run; None when no record says so."""
        return self.record.index.rewritten.get((moment.turn_id, moment.runtime_id))


class _Reading:
    """One request. Rows go by their number in the log; whatever can be said of many at once is."""

    def __init__(self, session: MissingRows, sent: SentRequest) -> None:
        self._session = session
        self._sent = sent
        self._moment = sent.moment
        self._shown = self._shown_rows()
        self._is_pruned = any(leaf.kind is Kind.PRUNE_MARKER for leaf in sent.tree.leaves())
        self._keys = {segment.key for segment in sent.tree.walk()}
        own = session.of_turn.get(self._moment.turn_id, [])
        self._end = max(
            session.first_of_later(self._moment.started_at),
            own[-1] + 1 if own else 0,
            max(self._shown, default=-1) + 1,
        )

    def absent(self) -> list[Absent]:
        """The absences before the last row that bears on the request, then all rows of later turns."""
        reasons = self._reasons()
        found: list[Absent] = []
        anchor = self._front()
        start = 0
        for shown in (*sorted(self._shown), self._end):
            self._add(found, range(start, shown), reasons.get, anchor)
            anchor = self._shown.get(shown, anchor)
            start = shown + 1
        self._add(found, range(self._end, len(self._session.rows)), lambda _: LATER, "")
        return found

    def _add(
        self, found: list[Absent], numbers: Iterable[int], reason_of: Callable[[int], Why | None], anchor: str
    ) -> None:
        """The absences between two rows that are there. A story has many rows: most of them are made only once."""
        last: Why | None = None
        made: dict[int, Absent] = {}
        after = ""
        for number in numbers:
            why = reason_of(number)
            if why is None:
                continue
            if why is not last:
                last, after = why, anchor if why.after is None else why.after
                made = self._session.made(why, after)
            known = made.get(number)
            if known is None:
                known = made[number] = self._session.absence(number, why, after)
            found.append(known)

    def _shown_rows(self) -> dict[int, str]:
        """The rows that stand in the request, with the keys of their segments."""
        number_of, rows = self._session.number_of, self._session.rows
        shown: dict[int, str] = {}
        stories: dict[str, str] = {}
        for leaf in self._sent.tree.leaves():
            if leaf.kind in _SHOWN:
                shown.update({number_of[row]: leaf.key for row in _row_ids(leaf) if row in number_of})
            if leaf.kind is Kind.STORY:
                stories[leaf.text] = leaf.key
        for number in self._session.of_turn.get(self._moment.turn_id, ()):
            if rows[number].row.content in stories:
                shown.setdefault(number, stories[rows[number].row.content])
        return shown

    def _reasons(self) -> dict[int, Why]:
        """Why each row before the end is absent, in the order in which the engine applies its rules."""
        aside = self._not_live()
        reasons = {number: why for number, why in aside.items() if number not in self._shown}
        compacted = self._compacted()
        reasons.update({number: why for number, why in compacted.items() if number not in reasons})
        filtered = self._session.filtered(self._moment.runtime_id)
        for number, why in filtered.items():
            if number < self._end and number not in aside and number not in reasons and number not in self._shown:
                reasons[number] = why
        seen = [number for number in range(self._end) if number not in reasons and number not in aside]
        turns = self._sent.facts.max_turns
        first = 0
        if turns is not None:
            first = window_start([self._session.rows[number].row for number in seen], turns)
            outside = [number for number in seen[:first] if number not in self._shown]
            reasons.update(dict.fromkeys(outside, _outside(turns)))
        missing = [number for number in seen[first:] if number not in self._shown]
        reasons.update(self._unexplained(missing, seen[first:]))
        return reasons

    def _not_live(self) -> dict[int, Why]:
        """Rows that were no part of the history yet: this turn's own line, and what was committed later."""
        session, moment = self._session, self._moment
        started = moment.started_at
        own = set(session.of_turn.get(moment.turn_id, ()))
        found = {
            number: SAME_TURN if number in own else LATER
            for number, committed in enumerate(session.committed[: self._end])
            if committed >= started
        }
        for number in own:
            indexed = session.rows[number]
            if indexed.is_player:
                found[number] = _OTHER_LINE if indexed.row.content.strip() else _BLANK_LINE
        return found

    def _compacted(self) -> dict[int, Why]:
        facts = self._sent.facts
        sees = facts.max_turns is None or facts.include_summaries
        found: dict[int, Why] = {}
        for summary, ordinal in self._session.known_summaries(self._moment.started_at).items():
            key = summary_key(summary)
            why = _compacted(ordinal, key if key in self._keys else "", sees)
            numbers = self._session.of_summary.get(summary, ())
            found.update({number: why for number in numbers if number < self._end and number not in self._shown})
        return found

    def _unexplained(self, missing: Sequence[int], seen: Sequence[int]) -> dict[int, Why]:
        """Rows that passed filter and window and are missing all the same: pruned, rewritten, or nobody knows."""
        if not missing:
            return {}
        first_shown = next((place for place, number in enumerate(seen) if number in self._shown), len(seen))
        oldest = len(missing) == first_shown
        if self._is_pruned:
            return self._pruned(missing, oldest)
        hook = self._session.hook_of(self._moment)
        if hook is not None:
            why = _rewritten(hook)
        elif oldest and self._sent.facts.declared is None:
            why = _MAYBE_WINDOW
        else:
            why = _UNSURE
        return dict.fromkeys(missing, why)

    def _pruned(self, missing: Sequence[int], oldest: bool) -> dict[int, Why]:
        limit, traced = self._sent.limit, self._sent.traced
        grade = Grade.STRUCTURAL if oldest else Grade.GUESS
        if oldest and traced == len(missing):
            grade = Grade.EXACT
        numbers: Sequence[int | None] = [None] * len(missing)
        if limit is not None:
            tokens = [covel_tokens(self._session.rows[number].row.content) for number in missing]
            numbers = pruning_steps(tokens, limit, self._sent.gone)
        return {row: _pruned(number, limit, grade) for row, number in zip(missing, numbers, strict=True)}

    def _front(self) -> str:
        """The key of what stands before the history: the last summary, or the last piece before the messages."""
        last = ""
        for group in self._sent.tree.groups:
            for child in group.children:
                if child.kind in (Kind.HISTORY, Kind.NOTE, Kind.TURN_CONTEXT, Kind.PLAYER_LINE):
                    return last
                if child.kind is not Kind.SEPARATOR:
                    last = child.key
        return last


def _suffix_minimum(values: Sequence[str]) -> list[str]:
    """For each place the smallest value from there on: never falling, so a place can be found by bisection."""
    lowest = list(values)
    for place in range(len(lowest) - 2, -1, -1):
        lowest[place] = min(lowest[place], lowest[place + 1])
    return lowest


@cache
def _compacted(number: int, shown: str, sees: bool) -> Why:
    """``shown`` is the key of the summary when it stands in the request."""
    if shown:
        note = say("compacted into summary {n} of the story, which stands for it here", n=number)
        return Why(AbsenceReason.COMPACTION, note, Grade.EXACT, shown)
    if sees:
        note = say("compacted into summary {n} of the story", n=number)
    else:
        note = say("compacted into summary {n} of the story, and this runtime sees no summaries", n=number)
    return Why(AbsenceReason.COMPACTION, note, Grade.STRUCTURAL, "")


@cache
def _outside(turns: int) -> Why:
    note = say("older than the {n} newest turns that this runtime sees", n=turns)
    if turns == 0:
        note = say("this runtime sees no history")
    return Why(AbsenceReason.WINDOW, note, Grade.STRUCTURAL)


@cache
def _rewritten(plugin: str) -> Why:
    note = say("a hook of {plugin} rewrote this request and may have taken it out", plugin=plugin or "?")
    return Why(AbsenceReason.HOOK, note, Grade.GUESS)


@cache
def _pruned(number: int | None, limit: int | None, grade: Grade) -> Why:
    if number is None or limit is None:
        note = say(
            "left out by pruning: above the limit the oldest messages go in whole rounds (no record names the limit)"
        )
    else:
        note = pruned_note(number, limit)
    return Why(AbsenceReason.PRUNED, note, grade, MARKER_KEY)


def _row_ids(leaf: Segment) -> Iterable[str]:
    return leaf.origin.rows if leaf.origin.table == "turn_messages" else ()


def pruned_statics(tree: SegmentTree, record: SessionRecord, plugin_id: str) -> tuple[Absent, ...]:
    """Declared segments before the history that a pruned request does not hold: they went with the oldest messages."""
    if all(leaf.kind is not Kind.PRUNE_MARKER for leaf in tree.leaves()):
        return ()
    keys = {segment.key for segment in tree.walk()}
    found: dict[str, Absent] = {}
    note = _pruned(None, None, Grade.STRUCTURAL).note
    for static in record.index.statics.get(plugin_id, ()):
        label = static.label
        if static.message_role and static.position == "pre-history" and label.key not in keys:
            gone = Absent(
                label.key,
                label.kind,
                label.title,
                AbsenceReason.PRUNED,
                note,
                static.text,
                label.origin,
                MARKER_KEY,
                Grade.STRUCTURAL,
            )
            found.setdefault(label.key, gone)
    return tuple(found.values())
