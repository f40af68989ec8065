"""A session's compaction told from its rows, summaries and trace events. Follows the reference on the runtime, 5."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from covel_inspector.domain import (
    CompactionAttempt,
    CompactionReport,
    CoveredRow,
    HintKind,
    NextCompaction,
    Sentence,
    StorySummary,
    plain,
    say,
)
from covel_inspector.engines.covel.attribution.index import IndexedRow
from covel_inspector.engines.covel.budget.compaction.numbers import THRESHOLD
from covel_inspector.engines.covel.budget.compaction.shapes import LogRow
from covel_inspector.engines.covel.budget.compaction.strategy import protected_start
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.rebuild.budget_telling import count
from covel_inspector.engines.covel.rebuild.missing_words import NamedThing, Passage, missing_words
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.naming import summary_key
from covel_inspector.engines.covel.records.rows import SummaryRow, TraceRow

DONE, FAILED = "context.compacted", "context.compaction.failed"

_REASONS: Mapping[str, Sentence] = {
    "source-too-large": say("not even the oldest row fits the window of the summary model"),
    "request-too-large": say("the question does not fit the window of the summary model"),
    "incomplete-reply": say("the summary model ran into its output limit, so its text was thrown away"),
    "empty-reply": say("the summary model answered nothing"),
}


@dataclass(frozen=True, slots=True)
class Windows:
    """The two input windows that decide when history is compacted, in tokens; None = no file names it."""

    story: int | None = None
    fast: int | None = None

    @property
    def smaller(self) -> int | None:
        """The window that counts; None when one of the two is not known."""
        return None if self.story is None or self.fast is None else min(self.story, self.fast)


@dataclass(frozen=True, slots=True)
class Preview:
    """System prompt and turn context of the last request that sees the whole history, in tokens."""

    tokens: int
    turn: str
    runtime: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """Numbers of turns by id, and when calls were made: (start, turn number), in order."""

    numbers: Mapping[str, str]
    calls: Sequence[tuple[str, str]]

    def turn(self, turn_id: str) -> str:
        """The number of a turn; "?" for one that is not listed."""
        return self.numbers.get(turn_id, "?")

    def next_turn(self, moment: str) -> str:
        """The turn of the first call at or after a moment; empty without one."""
        return next((turn for started, turn in self.calls if started >= moment), "")


def report(record: SessionRecord, timeline: Timeline, windows: Windows, preview: Preview | None) -> CompactionReport:
    """Everything that is known of a session's compaction."""
    events = [trace for trace in record.evidence.traces if trace.type in (DONE, FAILED)]
    summaries = tuple(_summary(record, summary, timeline, events) for summary in record.evidence.summaries)
    attempts = tuple(_attempts(events, timeline))
    failed = sum(not attempt.succeeded for attempt in attempts)
    return CompactionReport(
        record.evidence.session.id,
        summaries,
        attempts,
        _upcoming(record, windows, preview),
        _told(summaries, failed),
    )


def _told(summaries: Sequence[StorySummary], failed: int) -> Sentence:
    if not summaries:
        nothing = say("Nothing of this story has been compacted.")
        return nothing if not failed else say("{what} Attempts that failed: {n}.", what=nothing, n=failed)
    told = say(
        "Summaries: {n}. They stand for {rows} messages of {before} tokens and take {after} themselves, which saves "
        "{saved} in every request that sees the whole story.",
        n=len(summaries),
        rows=sum(len(summary.rows) for summary in summaries),
        before=count(sum(summary.rows_tokens for summary in summaries)),
        after=count(sum(summary.tokens for summary in summaries)),
        saved=count(sum(summary.saved for summary in summaries)),
    )
    return told if not failed else say("{what} Attempts that failed: {n}.", what=told, n=failed)


def _summary(
    record: SessionRecord, summary: SummaryRow, timeline: Timeline, events: Sequence[TraceRow]
) -> StorySummary:
    covered = [indexed for indexed in record.index.rows if indexed.row.summary_id == summary.id]
    rows = tuple(_covered(indexed, timeline) for indexed in covered)
    tokens, before = covel_tokens(summary.content), sum(row.tokens for row in rows)
    wrote = next((event for event in reversed(events) if summary.id in _ids(event)), None)
    made = wrote.created_at if wrote is not None else summary.created_at
    is_last = wrote is not None and _ids(wrote)[-1:] == [summary.id]
    merged = _number(wrote, "summariesMerged") if wrote is not None and not (is_last and len(_ids(wrote)) > 1) else 0
    first, last = timeline.turn(summary.turn_range_start), timeline.turn(summary.turn_range_end)
    passages = [
        Passage(indexed.label.key, indexed.row.content)
        for indexed in covered
        if indexed.row.content.strip() and not indexed.structured
    ]
    return StorySummary(
        key=summary_key(summary.id),
        id=summary.id,
        text=summary.content,
        tokens=tokens,
        rows=rows,
        rows_tokens=before,
        first_turn=first,
        last_turn=last,
        created_at=summary.created_at,
        made_before_turn=timeline.next_turn(made),
        focus=summary.focus_sections,
        reported_saved=_number(wrote, "tokenSavings") if wrote is not None and is_last else None,
        merged=merged,
        shortened=wrote is not None and is_last and wrote.payload.get("summaryTruncated") is True,
        hints=missing_words(passages, summary.content, _named(record)),
        told=say(
            "Turns {first} to {last}: {n} messages of {before} tokens became {after}, which saves {saved}.",
            first=first,
            last=last,
            n=len(rows),
            before=count(before),
            after=count(tokens),
            saved=count(before - tokens),
        ),
    )


def _covered(indexed: IndexedRow, timeline: Timeline) -> CoveredRow:
    row, label = indexed.row, indexed.label
    return CoveredRow(
        label.key, row.id, timeline.turn(row.turn_id), label.kind, label.title, row.content, covel_tokens(row.content)
    )


def _named(record: SessionRecord) -> Iterator[NamedThing]:
    """Characters with their other names, and the keys of lorebook entries."""
    for character in record.evidence.characters:
        aliases = (character.fields or {}).get("aliases")
        others = [alias for alias in aliases if isinstance(alias, str)] if isinstance(aliases, list) else []
        words = tuple(word for word in (character.name, *others) if word.strip())
        if words:
            yield NamedThing(HintKind.NAME, words)
    for entry in record.evidence.lorebook:
        for key in entry.keys:
            if key.strip():
                yield NamedThing(HintKind.TERM, (key,))


def _attempts(events: Sequence[TraceRow], timeline: Timeline) -> Iterator[CompactionAttempt]:
    for event in events:
        turn = timeline.next_turn(event.created_at)
        if event.type == FAILED:
            yield CompactionAttempt(turn, event.created_at, succeeded=False, told=_failure(event, turn))
        else:
            keys = tuple(summary_key(summary) for summary in _ids(event))
            yield CompactionAttempt(turn, event.created_at, succeeded=True, told=_success(event, turn), summaries=keys)


def _success(event: TraceRow, turn: str) -> Sentence:
    when = say("Before turn {turn}:", turn=turn) if turn else say("After the last call:")
    told = say(
        "{when} {n} messages of {before} tokens were compacted; the text that was written takes {tokens}.",
        when=when,
        n=_number(event, "messagesCompacted"),
        before=count(_number(event, "tokenSavings")),
        tokens=count(_number(event, "summaryTokens")),
    )
    merged = _number(event, "summariesMerged")
    if merged:
        told = say("{what} Older summaries that were merged into one for it: {n}.", what=told, n=merged)
    if event.payload.get("summaryTruncated") is True:
        told = say("{what} The model's text was too long and was cut.", what=told)
    return told


def _failure(event: TraceRow, turn: str) -> Sentence:
    reason = str(event.payload.get("reason") or "?")
    return say(
        "{when} an attempt failed: {reason}. It was failure number {n} in a row; the turn went on with the whole "
        "history.",
        when=say("Before turn {turn}:", turn=turn) if turn else say("After the last call:"),
        reason=_REASONS.get(reason, plain(reason)),
        n=max(1, _number(event, "consecutiveFailures")),
    )


def _upcoming(record: SessionRecord, windows: Windows, preview: Preview | None) -> NextCompaction:
    """How far the next compaction is, as the engine would reckon before the next turn."""
    live = [indexed.row for indexed in record.index.rows if not indexed.row.summary_id]
    log = [LogRow(row.id, row.turn_id, row.role, row.content, row.summary_id) for row in live]
    protected = len(log) - protected_start(log)
    held = sum(covel_tokens(row.content) for row in live)
    held += sum(covel_tokens(summary.content) for summary in record.evidence.summaries)
    estimated = held + preview.tokens if preview is not None else None
    window = windows.smaller
    trigger = None if window is None else int(THRESHOLD * window)
    return NextCompaction(
        estimated, trigger, len(live), protected, _when(estimated, trigger, windows, len(live), protected)
    )


def _when(estimated: int | None, trigger: int | None, windows: Windows, live: int, protected: int) -> Sentence:
    rows = say(
        "Messages that no summary stands for yet: {live}, of which the newest {protected} are always kept as they are.",
        live=live,
        protected=protected,
    )
    if trigger is None:
        missing = [name for name, window in (("story", windows.story), ("fast", windows.fast)) if window is None]
        return say(
            "When the next compaction is due is unknown because no file names the window of: {slots}. {rows}",
            slots=", ".join(missing),
            rows=rows,
        )
    if estimated is None:
        return say(
            "The story is compacted above {trigger} tokens; what it weighs now is unknown, because no request that "
            "sees the whole story is recorded. {rows}",
            trigger=count(trigger),
            rows=rows,
        )
    if estimated > trigger:
        return say(
            "The next turn should compact: the story weighs about {estimated} tokens, {over} above the limit of "
            "{trigger} (60 % of the smaller window). {rows}",
            estimated=count(estimated),
            over=count(estimated - trigger),
            trigger=count(trigger),
            rows=rows,
        )
    return say(
        "The story weighs about {estimated} tokens and is compacted above {trigger} (60 % of the smaller window): "
        "{room} are left. {rows}",
        estimated=count(estimated),
        trigger=count(trigger),
        room=count(trigger - estimated),
        rows=rows,
    )


def _ids(event: TraceRow) -> list[str]:
    ids = event.payload.get("summaryIds")
    if isinstance(ids, list):
        return [one for one in ids if isinstance(one, str)]
    one = event.payload.get("summaryId")
    return [one] if isinstance(one, str) else []


def _number(event: TraceRow, name: str) -> int:
    value = event.payload.get(name)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0
