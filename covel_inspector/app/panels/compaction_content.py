"""What the Compaction panel says, as sentences and as marked-up text: rows beside their summary. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape

from covel_inspector.app.figures import figure, percent
from covel_inspector.app.theme_colours import Colours, kind_colour
from covel_inspector.domain import CompactionReport, HintKind, MissingHint, NextCompaction, Sentence, StorySummary, say
from covel_inspector.report.terminal import visible

Said = Callable[[Sentence], str]
"""A sentence in the reader's language."""

MOST_OF_A_ROW = 6_000
MOST_OF_ALL = 200_000
MOST_HINTS = 80

HINTS: dict[HintKind, Sentence] = {
    HintKind.NAME: say("names"),
    HintKind.NUMBER: say("numbers"),
    HintKind.QUOTED: say("quoted words"),
    HintKind.TERM: say("lorebook keys"),
}


def heading(summary: StorySummary) -> Sentence:
    """The summary in a list: "turns 1 to 10"."""
    if summary.first_turn == summary.last_turn:
        return say("turn {turn}", turn=summary.first_turn)
    return say("turns {first} to {last}", first=summary.first_turn, last=summary.last_turn)


def balance(summary: StorySummary) -> Sentence:
    """What it replaced and what that saved."""
    return say(
        "{rows} rows, {before} → {after} tokens, {share} saved",
        rows=len(summary.rows),
        before=figure(summary.rows_tokens),
        after=figure(summary.tokens),
        share=percent(max(0.0, summary.saved / summary.rows_tokens)) if summary.rows_tokens else "–",
    )


def remarks(summary: StorySummary) -> tuple[Sentence, ...]:
    """Smaller facts about a summary, one line each."""
    lines = [summary.told]
    if summary.made_before_turn:
        lines.append(say("Written before the first call of turn {turn}.", turn=summary.made_before_turn))
    if summary.reported_saved is not None:
        lines.append(say("The engine's own report: {n} tokens saved.", n=figure(summary.reported_saved)))
    if summary.merged:
        lines.append(say("{n} older summaries went into it.", n=summary.merged))
    if summary.shortened:
        lines.append(say("The model's text was too long and was cut."))
    if summary.focus:
        lines.append(say("It was asked to keep: {what}.", what=" · ".join(summary.focus)))
    return tuple(line for line in lines if line.template)


def share_of(upcoming: NextCompaction) -> float | None:
    """How near the next compaction is, 0.0 to 1.0; None when that is not known."""
    if upcoming.estimated is None or not upcoming.trigger:
        return None
    return min(1.0, upcoming.estimated / upcoming.trigger)


def session_lines(report: CompactionReport) -> tuple[Sentence, ...]:
    """About the whole session: what was compacted, and when the next one is due."""
    return tuple(line for line in (report.told, report.upcoming.told) if line.template)


def rows_html(summary: StorySummary, said: Said, colours: Colours) -> str:
    """The covered rows as rich text, each under its heading; what the summary no longer mentions is marked.

    Links and anchors count the rows from 0: ``turn:3`` goes to the turn of a row, ``row-3`` stands before it.
    """
    marks = _pattern(hint.text for hint in summary.hints)
    pieces: list[str] = []
    left = MOST_OF_ALL
    for number, row in enumerate(summary.rows):
        if left <= 0:
            more = say("… and {n} more rows", n=figure(len(summary.rows) - number))
            pieces.append(f'<p style="color:{colours.quiet}">{escape(said(more))}</p>')
            break
        shown = row.text[: min(MOST_OF_A_ROW, left)]
        left -= len(shown)
        cut = "…" if len(shown) < len(row.text) else ""
        title = said(say("turn {turn} · {title}", turn=row.turn, title=row.title))
        weight = said(say("{n} tok", n=figure(row.tokens)))
        pieces.append(
            f'<p style="margin-top:10px;margin-bottom:2px"><a name="row-{number}"></a>'
            f'<span style="color:{kind_colour(row.kind)}">■</span> '
            f'<a href="turn:{number}" style="color:{colours.link};text-decoration:none">{escape(title)}</a>'
            f' <span style="color:{colours.quiet}">{escape(weight)}</span></p>'
            f'<p style="margin-top:0">{_marked(visible(shown), marks, colours)}{cut}</p>'
        )
    return "".join(pieces)


def summary_html(summary: StorySummary, said: Said, colours: Colours) -> str:
    """The summary's text, then what is no longer mentioned in it, then smaller facts."""
    pieces = [f'<p style="color:{colours.text}">{_lines(visible(summary.text[:MOST_OF_ALL]))}</p>']
    hints = hints_html(summary, said, colours)
    if hints:
        pieces.append(f"<p>{hints}</p>")
    facts = "<br>".join(escape(said(line)) for line in remarks(summary))
    pieces.append(f'<p style="color:{colours.quiet}">{facts}</p>')
    return "".join(pieces)


def hints_html(summary: StorySummary, said: Said, colours: Colours) -> str:
    """What is no longer mentioned, by kind, each a link ``row:3`` to the first row with it; always called a hint."""
    if not summary.hints:
        return ""
    hint = say("No longer mentioned (a hint, found by form and not by meaning):")
    lines = [f'<span style="color:{colours.quiet}">{escape(said(hint))}</span>']
    numbers = {row.key: number for number, row in enumerate(summary.rows)}
    for kind in HintKind:
        found = [one for one in summary.hints if one.kind is kind][:MOST_HINTS]
        if found:
            links = " &nbsp; ".join(_hint(one, numbers.get(one.row, 0), colours) for one in found)
            lines.append(f"{escape(said(HINTS[kind]))}: {links}")
    return "<br>".join(lines)


def _hint(hint: MissingHint, row: int, colours: Colours) -> str:
    count = f'<span style="color:{colours.quiet}">&nbsp;×{hint.count}</span>' if hint.count > 1 else ""
    link = f'<a href="row:{row}" style="color:{colours.link};text-decoration:none">'
    return f"{link}{escape(visible(hint.text))}</a>{count}"


def _pattern(texts: Iterable[str]) -> re.Pattern[str] | None:
    known: Sequence[str] = sorted({text for text in texts if text.strip()}, key=len, reverse=True)[:300]
    return re.compile("|".join(map(re.escape, known))) if known else None


def _marked(text: str, marks: re.Pattern[str] | None, colours: Colours) -> str:
    if marks is None:
        return _lines(text)
    pieces: list[str] = []
    end = 0
    for found in marks.finditer(text):
        pieces.append(_lines(text[end : found.start()]))
        pieces.append(f'<span style="background:{colours.note}">{escape(found[0])}</span>')
        end = found.end()
    pieces.append(_lines(text[end:]))
    return "".join(pieces)


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")
