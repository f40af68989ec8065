"""The list of the Problems panel: what lint found, and what could not be read."""

from collections.abc import Iterator, Sequence

from covel_inspector.analysis.lint.rules.unreadable import as_finding
from covel_inspector.app.figures import figure
from covel_inspector.app.page import Fact, Link, LinkTo, Page
from covel_inspector.app.panels.listed_rows import Cell, Column, Row, spoken_cells
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Finding, FindingPlace, Problem, Sentence, Severity, plain, say
from covel_inspector.report.names import SEVERITY
from covel_inspector.report.terminal import one_line

COLUMNS = (
    Column(say("Weight"), most=14),
    Column(say("What"), stretch=7),
    Column(say("Where"), stretch=4),
    Column(say("Times"), right=True, most=7),
)

TONES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "quiet"}
ICONS = {Severity.ERROR: "error", Severity.WARNING: "failed", Severity.HINT: "hint"}

MOST = 2000
"""Rows that are listed."""


def found_of(problems: Sequence[Problem], findings: Sequence[Finding]) -> list[Finding]:
    """Errors first, then warnings, then hints; unreadable things before what lint found."""
    order = list(Severity)
    return sorted((*map(as_finding, problems), *findings), key=lambda finding: order.index(finding.severity))


def problem_rows(findings: Sequence[Finding], shown: frozenset[Severity], wording: Wording) -> list[Row]:
    """One row each, of the severities that are shown."""
    rows = []
    seen: dict[str, int] = {}
    for finding in findings[:MOST]:
        if finding.severity not in shown:
            continue
        base = f"{finding.rule} {finding.place.text} {finding.sentence}"
        seen[base] = seen.get(base, 0) + 1
        rows.append(_row(finding, f"{base} {seen[base]}", wording))
    return rows


def finding_page(finding: Finding) -> Page:
    """What is wrong, why it matters, what to do, and where it is."""
    facts = [Fact(say("Weight"), SEVERITY[finding.severity])]
    links = tuple(_links(finding.place))
    if links:
        facts.append(Fact(say("Where"), None, links))
    if finding.times > 1:
        facts.append(Fact(say("Seen in"), say("{n} calls; the place names the first", n=finding.times)))
    if finding.remedy.template:
        facts.append(Fact(say("Remedy"), finding.remedy))
    facts.append(Fact(say("Rule"), plain(finding.rule)))
    return Page(finding.title, lead=(finding.sentence,), facts=tuple(facts))


def where_words(place: FindingPlace) -> list[Sentence]:
    """The parts of a place, most useful first."""
    words = []
    if place.file:
        words.append(plain(f"{place.file}:{place.line}" if place.line else place.file))
    if place.address is not None:
        words.append(say("turn {turn} · {runtime}", turn=place.address.turn, runtime=place.address.runtime))
    if place.table:
        words.append(plain(f"{place.table} {place.row}".strip()))
    return words


def _row(finding: Finding, key: str, wording: Wording) -> Row:
    text = wording.text
    said = one_line(text(finding.sentence))
    title = one_line(text(finding.title))
    where = " · ".join(one_line(text(part)) for part in where_words(finding.place))
    tone = TONES[finding.severity]
    cells = (
        Cell(text(SEVERITY[finding.severity]), tone, ICONS[finding.severity], tone),
        Cell(f"{title} — {said}"),
        Cell(where, "quiet"),
        Cell(figure(finding.times) if finding.times > 1 else "", "quiet"),
    )
    return Row(key, cells, finding, None, "\n".join(filter(None, (title, said, where))), spoken_cells(cells))


def _links(place: FindingPlace) -> Iterator[Link]:
    if place.file:
        shown = plain(f"{place.file}:{place.line}" if place.line else place.file)
        yield Link(LinkTo.FILE, place.file, shown)
    if place.table:
        rows = say("{table} · {rows}", table=place.table, rows=place.row) if place.row else plain(place.table)
        yield Link(LinkTo.COPY, f"{place.table}\n{place.row}".strip(), rows)
    if place.address is not None:
        address = place.address
        call = say("turn {turn} · {runtime} · call {n}", turn=address.turn, runtime=address.runtime, n=address.call + 1)
        if place.segment:
            shown = say("{call}, segment {segment}", call=call, segment=place.segment)
            yield Link(LinkTo.PLACE, str(address), shown, place.segment)
        else:
            yield Link(LinkTo.ADDRESS, str(address), call)
