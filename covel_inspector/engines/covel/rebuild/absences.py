"""Which rows of a session a recorded request does not hold, and why: derived from rows, rules and the request.

Every row is accounted for: it stands in the request, or it is absent by filter, window, compaction or pruning, or it
was not committed yet. Follows the reference on the runtime, sections 2, 3 and 6, and on the database, section 7.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from covel_inspector.domain import AbsenceReason, Absent, Grade, Kind, Segment, SegmentTree, Sentence, say
from covel_inspector.engines.covel.assembler.history_steps import why_filtered, window_start
from covel_inspector.engines.covel.attribution.index import IndexedRow
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
    say("belongs to a later turn: it was not there yet when the request was sent"),
    Grade.EXACT,
    "",
)
SAME_TURN = Why(
    AbsenceReason.NOT_COMMITTED,
    say("belongs to this turn, but was committed only after the request was sent"),
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
    """The absent rows of one session's requests. An absence that many requests share is made once."""

    def __init__(self, record: SessionRecord) -> None:
        self.record = record
        self._made: dict[tuple[int, AbsenceReason, Grade, str, int], Absent] = {}
        self._filtered: dict[tuple[int, str], Why | None] = {}
        self._ordinals = {summary.id: number for number, summary in enumerate(record.evidence.summaries, 1)}

    def of(self, sent: SentRequest) -> tuple[Absent, ...]:
        """Every row that the request does not hold, in the order of the log."""
        return tuple(_Reading(self, sent).absent())

    @property
    def rows(self) -> Sequence[IndexedRow]:
        """All rows of the session in order."""
        return self.record.index.rows

    def absence(self, indexed: IndexedRow, why: Why, after: str) -> Absent:
        """An absent row. Notes are shared objects, so equal absences are found again."""
        key = (indexed.number, why.reason, why.grade, after, id(why.note))
        known = self._made.get(key)
        if known is None:
            label = indexed.label
            known = self._made[key] = Absent(
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
        return known

    def filtered(self, indexed: IndexedRow, runtime: str) -> Why | None:
        """Why the filter of a runtime drops a row; None when it does not."""
        if not indexed.is_filtered:
            return None
        key = (indexed.number, runtime)
        if key not in self._filtered:
            note = why_filtered(indexed.row, runtime)
            self._filtered[key] = None if note is None else Why(AbsenceReason.FILTER, note, Grade.STRUCTURAL)
        return self._filtered[key]

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
    """One request, row by row."""

    def __init__(self, session: MissingRows, sent: SentRequest) -> None:
        self._session = session
        self._sent = sent
        self._moment = sent.moment
        self._shown = {row: leaf.key for leaf in sent.tree.leaves() if leaf.kind in _SHOWN for row in _row_ids(leaf)}
        self._stories = {leaf.text for leaf in sent.tree.leaves() if leaf.kind is Kind.STORY}
        self._is_pruned = any(leaf.kind is Kind.PRUNE_MARKER for leaf in sent.tree.leaves())
        self._summaries = session.known_summaries(sent.moment.started_at)
        self._keys = {segment.key for segment in sent.tree.walk()}

    def absent(self) -> Iterator[Absent]:
        live: list[IndexedRow] = []
        reasons: dict[int, Why] = {}
        for indexed in self._session.rows:
            known = self._early(indexed)
            if known is None:
                live.append(indexed)
            elif not self._is_shown(indexed):
                reasons[indexed.number] = known
            elif known.reason is AbsenceReason.COMPACTION:
                live.append(indexed)
        reasons.update(self._of_live(live))
        anchor = self._front()
        for indexed in self._session.rows:
            why = reasons.get(indexed.number)
            if why is None:
                anchor = self._shown.get(indexed.row.id, anchor)
            else:
                yield self._session.absence(indexed, why, anchor if why.after is None else why.after)

    def _is_shown(self, indexed: IndexedRow) -> bool:
        row = indexed.row
        return row.id in self._shown or (row.turn_id == self._moment.turn_id and row.content in self._stories)

    def _early(self, indexed: IndexedRow) -> Why | None:
        """Why a row was no part of the live history; None when it was."""
        row, moment = indexed.row, self._moment
        if row.turn_id == moment.turn_id and indexed.is_player:
            return _OTHER_LINE if row.content.strip() else _BLANK_LINE
        if indexed.committed >= moment.started_at:
            return SAME_TURN if row.turn_id == moment.turn_id else LATER
        if row.summary_id in self._summaries:
            return self._compacted(row.summary_id)
        return None

    def _compacted(self, summary: str) -> Why:
        facts = self._sent.facts
        sees = facts.max_turns is None or facts.include_summaries
        key = summary_key(summary)
        return _compacted(self._summaries[summary], key if key in self._keys else "", sees)

    def _of_live(self, live: Sequence[IndexedRow]) -> dict[int, Why]:
        """Filter, window and pruning, in the order in which the engine applies them."""
        found: dict[int, Why] = {}
        seen: list[IndexedRow] = []
        for indexed in live:
            why = self._session.filtered(indexed, self._moment.runtime_id)
            if why is not None and indexed.row.id not in self._shown:
                found[indexed.number] = why
            else:
                seen.append(indexed)
        turns = self._sent.facts.max_turns
        first = window_start([indexed.row for indexed in seen], turns)
        for indexed in seen[:first]:
            if not self._is_shown(indexed):
                found[indexed.number] = _outside(turns or 0)
        inside = [indexed for indexed in seen[first:] if not self._is_shown(indexed)]
        found.update(self._unexplained(inside, seen[first:]))
        return found

    def _unexplained(self, missing: Sequence[IndexedRow], seen: Sequence[IndexedRow]) -> dict[int, Why]:
        """Rows that passed filter and window and are missing all the same: pruned, rewritten, or nobody knows."""
        if not missing:
            return {}
        first_shown = next((number for number, indexed in enumerate(seen) if self._is_shown(indexed)), len(seen))
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
        return dict.fromkeys([indexed.number for indexed in missing], why)

    def _pruned(self, missing: Sequence[IndexedRow], oldest: bool) -> dict[int, Why]:
        limit, traced = self._sent.limit, self._sent.traced
        grade = Grade.STRUCTURAL if oldest else Grade.GUESS
        if oldest and traced == len(missing):
            grade = Grade.EXACT
        numbers: Sequence[int | None] = [None] * len(missing)
        if limit is not None:
            tokens = [covel_tokens(indexed.row.content) for indexed in missing]
            numbers = pruning_steps(tokens, limit, self._sent.gone)
        return {indexed.number: _pruned(number, limit, grade) for indexed, number in zip(missing, numbers, strict=True)}

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
            "left out by pruning: above the limit the oldest messages go in whole steps (no record names the limit)"
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
