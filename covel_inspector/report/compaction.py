"""What became of a story's history, as text and as JSON.

JSON, a list of objects, one a session: ``session``, ``told``, ``summaries`` (``id, first_turn, last_turn,
made_before_turn, created_at, tokens, rows_tokens, saved, reported_saved, merged, shortened, focus, text, told``,
``rows`` with ``row, key, turn, title, tokens, text``, and ``hints`` with ``kind, text, row, count``), ``attempts``
(``turn, at, succeeded, told, summaries``) and ``next`` (``estimated, trigger, distance, live_rows, protected_rows,
told``). Tokens by the engine's estimate.
"""

from typing import Any

from covel_inspector.domain import CompactionReport, HintKind, MissingHint, Sentence, StorySummary, plain, say
from covel_inspector.domain.listing import enumerated
from covel_inspector.report.terminal import one_line, visible
from covel_inspector.report.wording import Catalogue

HINT: dict[HintKind, Sentence] = {
    HintKind.NAME: say("names"),
    HintKind.TERM: say("keys of the lorebook"),
    HintKind.NUMBER: say("numbers"),
    HintKind.QUOTED: say("quoted words"),
}


def compaction_object(report: CompactionReport, words: Catalogue) -> dict[str, Any]:
    """The JSON form of a report (see the module's text)."""
    upcoming = report.upcoming
    return {
        "session": report.session,
        "told": words.text(report.told),
        "summaries": [_summary_object(summary, words) for summary in report.summaries],
        "attempts": [
            {
                "turn": attempt.turn,
                "at": attempt.at,
                "succeeded": attempt.succeeded,
                "told": words.text(attempt.told),
                "summaries": list(attempt.summaries),
            }
            for attempt in report.attempts
        ],
        "next": {
            "estimated": upcoming.estimated,
            "trigger": upcoming.trigger,
            "distance": upcoming.distance,
            "live_rows": upcoming.live_rows,
            "protected_rows": upcoming.protected_rows,
            "told": words.text(upcoming.told),
        },
    }


def compaction_lines(report: CompactionReport, words: Catalogue) -> list[str]:
    """The report for people: the summaries with what they no longer name, the attempts, and what comes next."""
    lines = [one_line(words.text(report.told))]
    for number, summary in enumerate(report.summaries, 1):
        lines.extend(["", f"{number}. {one_line(words.text(summary.told))}"])
        lines.extend(f"   {line}" for line in visible(summary.text).split("\n"))
        lines.extend(f"   {one_line(line)}" for line in _hint_lines(summary.hints, words))
    if report.attempts:
        lines.append("")
        lines.extend(one_line(words.text(attempt.told)) for attempt in report.attempts)
    return [*lines, "", one_line(words.text(report.upcoming.told))]


def _hint_lines(hints: tuple[MissingHint, ...], words: Catalogue) -> list[str]:
    """One line for each kind of hint. A hint is found by form: it says what is not repeated, not what was lost."""
    lines = []
    for kind, title in HINT.items():
        found = [
            say("{text} ({n})", text=hint.text, n=hint.count) if hint.count > 1 else plain(hint.text)
            for hint in hints
            if hint.kind is kind
        ]
        if found:
            hint = say("Hint: {kind} of these messages that the summary does not repeat: {words}",
                       kind=title, words=enumerated(found))  # fmt: skip
            lines.append(words.text(hint))
    return lines


def _summary_object(summary: StorySummary, words: Catalogue) -> dict[str, Any]:
    return {
        "id": summary.id,
        "first_turn": summary.first_turn,
        "last_turn": summary.last_turn,
        "made_before_turn": summary.made_before_turn,
        "created_at": summary.created_at,
        "tokens": summary.tokens,
        "rows_tokens": summary.rows_tokens,
        "saved": summary.saved,
        "reported_saved": summary.reported_saved,
        "merged": summary.merged,
        "shortened": summary.shortened,
        "focus": list(summary.focus),
        "text": summary.text,
        "told": words.text(summary.told),
        "rows": [
            {
                "row": row.row,
                "key": row.key,
                "turn": row.turn,
                "title": words.text(row.title),
                "tokens": row.tokens,
                "text": row.text,
            }
            for row in summary.rows
        ],
        "hints": [
            {"kind": hint.kind.value, "text": hint.text, "row": hint.row, "count": hint.count} for hint in summary.hints
        ],
    }
