"""A made-up report on a session's compaction, with everything that such a report can hold."""

from covel_inspector.domain import (
    CompactionAttempt,
    CompactionReport,
    CoveredRow,
    HintKind,
    Kind,
    MissingHint,
    NextCompaction,
    StorySummary,
    plain,
    say,
)

ROWS = (
    CoveredRow("history:1u", "1u", "1", Kind.HISTORY, plain("Player"), "I walk down to the quay.", 7),
    CoveredRow(
        "history:1a", "1a", "1", Kind.HISTORY, plain("Story"), "Old Marta counts 17 ropes.\nThe bell <rings>.", 12
    ),
    CoveredRow("history:2u", "2u", "2", Kind.HISTORY, plain("Player"), "I ask Marta about the lantern.", 8),
)


def summary(key: str, first: int, last: int, before: str) -> StorySummary:
    """One summary over the three rows."""
    return StorySummary(
        key=key,
        id=key,
        text="The player met somebody at the quay & heard a bell.",
        tokens=14,
        rows=ROWS,
        rows_tokens=27,
        first_turn=str(first),
        last_turn=str(last),
        created_at="2026-05-01T10:05:00.000Z",
        made_before_turn=before,
        focus=("left hand",),
        reported_saved=13,
        merged=2,
        shortened=True,
        hints=(
            MissingHint(HintKind.NAME, "Marta", "history:1a", 2),
            MissingHint(HintKind.NUMBER, "17", "history:1a", 1),
        ),
        told=say("Turns {first} to {last} became one summary.", first=first, last=last),
    )


def compaction_report(session: str) -> CompactionReport:
    """Two summaries, a failed attempt and a next one that is near."""
    return CompactionReport(
        session,
        (summary("summary:a", 1, 2, "2"), summary("summary:b", 3, 4, "99")),
        (
            CompactionAttempt("2", "2026-05-01T10:05:00.000Z", True, say("one summary was written"), ("summary:a",)),
            CompactionAttempt("3", "2026-05-01T10:06:00.000Z", False, say("Turn 3: the model's answer was no JSON")),
        ),
        NextCompaction(3000, 3840, 9, 5, say("The next compaction is 840 tokens away.")),
        say("3 rows became 2 summaries."),
    )
