"""The cache report as text.

Measured figures are estimates of what was recorded, reported ones are the provider's, predicted ones follow published
rules; the three stand in columns of their own.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from covel_inspector.analysis.cache_report import CacheReport, CacheRow, RuntimeCache
from covel_inspector.analysis.causes import Cause, CauseKind
from covel_inspector.analysis.prefix import PairKind
from covel_inspector.domain import Sentence, Session, say
from covel_inspector.report.figures import figure, percent
from covel_inspector.report.terminal import Column, one_line, table
from covel_inspector.report.wording import Catalogue

PAIR_KIND: dict[PairKind, Sentence] = {
    PairKind.TURN: say("turn"),
    PairKind.STEP: say("step"),
    PairKind.RETRY: say("retry"),
    PairKind.RERUN: say("another run"),
}

CAUSE_KIND: dict[CauseKind, Sentence] = {
    CauseKind.FIRST_CALL: say("first call"),
    CauseKind.HELD: say("held"),
    CauseKind.TURN_CONTEXT: say("held up to the turn context"),
    CauseKind.CONCEALED: say("concealed"),
    CauseKind.TOOLS_CHANGED: say("tools changed"),
    CauseKind.TOOLS_REORDERED: say("tools in another order"),
    CauseKind.MODEL: say("another model"),
    CauseKind.PROVIDER: say("another provider"),
    CauseKind.PARAMETERS: say("a setting changed"),
    CauseKind.PREAMBLE: say("preamble changed"),
    CauseKind.BODY: say("runtime body changed"),
    CauseKind.VARIABLE: say("variable in the runtime body"),
    CauseKind.STABLE_SEGMENT: say("stable segment changed"),
    CauseKind.TURN_SEGMENT: say("turn segment before the history"),
    CauseKind.LORE: say("lorebook entry"),
    CauseKind.EVENTS: say("event directory changed"),
    CauseKind.COMPACTION: say("compaction"),
    CauseKind.PRUNE_CUT: say("history cut off"),
    CauseKind.WINDOW: say("history window moved"),
    CauseKind.HISTORY_EDITED: say("history edited"),
    CauseKind.HOOK: say("hook rewrote"),
    CauseKind.PICTURE: say("pictures changed"),
    CauseKind.TOOL_LOOP: say("tool loop changed"),
    CauseKind.EXPIRED: say("cache expired"),
    CauseKind.BELOW_MINIMUM: say("below the minimum"),
    CauseKind.RELAY: say("nothing read, perhaps a relay"),
    CauseKind.REWOUND: say("story rewound"),
    CauseKind.UNKNOWN: say("unknown"),
}


def cache_lines(
    reports: Sequence[CacheReport], sessions: Sequence[Session], words: Catalogue, *, with_inner: bool = False
) -> list[str]:
    """A table for each runtime of each session, and what its breaks cost."""
    if not reports:
        return [words.text(say("There is no session in this file."))]
    titles = {session.id: session.title for session in sessions}
    lines: list[str] = []
    for report in reports:
        lines.append(one_line(" · ".join(dict.fromkeys((titles.get(report.session, ""), report.session)))))
        if not report.runtimes:
            lines.append(words.text(say("No call was recorded here.")))
        for runtime in report.runtimes:
            lines += ["", *_runtime_lines(runtime, words, with_inner=with_inner)]
        lines.append("")
        lines.append(words.text(report.estimator))
        lines += [words.text(note) for note in report.notes]
        lines.append(words.text(say("Predictions and money are hints by published rules and prices, not a bill.")))
        lines.append("")
    return lines[:-1]


def _runtime_lines(runtime: RuntimeCache, words: Catalogue, *, with_inner: bool) -> Iterator[str]:
    rows = runtime.rows if with_inner else runtime.turns
    yield one_line(runtime.runtime)
    columns = [
        Column(words.text(say("Turn"))),
        Column(words.text(say("Compared"))),
        Column(words.text(say("Tokens")), right=True),
        Column(words.text(say("Shared, measured")), right=True),
        Column(words.text(say("Cached, reported")), right=True),
        Column(words.text(say("Cached, predicted")), right=True),
        Column(words.text(say("Paid")), right=True),
        Column(words.text(say("Lost")), right=True),
        Column(words.text(say("Cause"))),
    ]
    yield from (f"  {line}" for line in table(columns, (_cells(row, words) for row in rows)))
    yield from (f"  {line}" for line in _breaks(rows, words))


def _cells(row: CacheRow, words: Catalogue) -> tuple[str, ...]:
    reported = row.usage.cached if row.usage is not None else None
    cost = row.cost
    sign = "" if row.predicted is None or not row.predicted.steps or row.predicted.steps <= 1 else " ≠"
    return (
        row.address.turn,
        words.text(PAIR_KIND[row.kind]),
        figure(row.tokens) if row.tokens else "–",
        "–" if row.against is None or not row.is_measured else percent(row.share),
        "–" if reported is None else figure(reported),
        "–" if row.predicted is None else f"{figure(row.predicted.cached)}{sign}",
        "–" if cost is None else _money(cost.paid, cost.currency),
        "–" if cost is None or not cost.lost else _money(cost.lost, cost.currency),
        _told(row.cause, words),
    )


def _told(cause: Cause, words: Catalogue) -> str:
    """The cause; and where the difference cost nothing, why it cost nothing."""
    sentence = words.text(cause.sentence)
    if cause.is_break and not cause.tokens_lost and cause.notes:
        sentence = " ".join((sentence, words.text(cause.notes[-1])))
    return words.text(say("{sentence} (a guess)", sentence=sentence)) if cause.is_guess else sentence


def _breaks(rows: Sequence[CacheRow], words: Catalogue) -> Iterator[str]:
    """What the breaks of each kind cost together, and what helps; the dearest first."""
    by_kind: dict[CauseKind, list[Cause]] = defaultdict(list)
    for row in rows:
        if row.cause.is_break:
            by_kind[row.cause.kind].append(row.cause)
    for kind, causes in sorted(by_kind.items(), key=lambda item: -_lost(item[1])):
        name, lost = CAUSE_KIND[kind], _lost(causes)
        remedy = causes[0].remedy
        if not lost:
            line = say("{n} × {kind}: nothing could have been read in any case.", n=len(causes), kind=name)
        elif remedy is None:
            line = say("{n} × {kind}: {lost} tokens could have been read.", n=len(causes), kind=name, lost=figure(lost))
        else:
            line = say(
                "{n} × {kind}: {lost} tokens could have been read. {remedy}",
                n=len(causes),
                kind=name,
                lost=figure(lost),
                remedy=remedy,
            )
        yield one_line(words.text(line))


def _lost(causes: Sequence[Cause]) -> int:
    return sum(cause.tokens_lost or 0 for cause in causes)


def _money(amount: float, currency: str) -> str:
    return f"{currency}{amount:.5f}"
