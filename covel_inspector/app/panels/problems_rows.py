"""The list of the Problems panel: what lint found, and what could not be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Trouble:
    """A finding of lint, or a row or file that could not be read: one shape for both."""

    severity: Severity
    title: Sentence
    sentence: Sentence
    place: FindingPlace
    where: str
    remedy: Sentence | None = None
    rule: str = ""
    times: int = 1


def troubles_of(problems: Sequence[Problem], findings: Sequence[Finding]) -> list[Trouble]:
    """Errors first, then warnings, then hints; unreadable things before what lint found."""
    all_of_them = [*map(_of_problem, problems), *map(_of_finding, findings)]
    order = list(Severity)
    return sorted(all_of_them, key=lambda trouble: order.index(trouble.severity))


def problem_rows(troubles: Sequence[Trouble], shown: frozenset[Severity], wording: Wording) -> list[Row]:
    """One row each, of the severities that are shown."""
    rows = []
    seen: dict[str, int] = {}
    for trouble in troubles[:MOST]:
        if trouble.severity not in shown:
            continue
        base = f"{trouble.rule or 'unreadable'} {trouble.where} {trouble.sentence}"
        seen[base] = seen.get(base, 0) + 1
        rows.append(_row(trouble, f"{base} {seen[base]}", wording))
    return rows


def trouble_page(trouble: Trouble) -> Page:
    """What is wrong, why it matters, what to do, and where it is."""
    facts = [Fact(say("Weight"), SEVERITY[trouble.severity])]
    links = tuple(_links(trouble.place))
    if links:
        facts.append(Fact(say("Where"), None, links, is_chain=True))
    elif trouble.where:
        facts.append(Fact(say("Where"), plain(one_line(trouble.where))))
    if trouble.times > 1:
        facts.append(Fact(say("Seen in"), say("{n} calls; the place names the first", n=trouble.times)))
    if trouble.remedy is not None and trouble.remedy.template:
        facts.append(Fact(say("Remedy"), trouble.remedy))
    if trouble.rule:
        facts.append(Fact(say("Rule"), plain(trouble.rule)))
    return Page(trouble.title, facts=tuple(facts), paragraphs=(trouble.sentence,))


def _of_problem(problem: Problem) -> Trouble:
    place = FindingPlace(address=problem.address)
    return Trouble(problem.severity, say("Could not be read as it should"), problem.sentence, place, problem.where)


def _of_finding(finding: Finding) -> Trouble:
    place = finding.place
    return Trouble(
        finding.severity,
        finding.title,
        finding.sentence,
        place,
        place.text,
        finding.remedy,
        finding.rule,
        finding.times,
    )


def _row(trouble: Trouble, key: str, wording: Wording) -> Row:
    text = wording.text
    word = text(SEVERITY[trouble.severity])
    said = one_line(text(trouble.sentence))
    where = one_line(trouble.where)
    tone = TONES[trouble.severity]
    cells = (
        Cell(word, tone, ICONS[trouble.severity], tone),
        Cell(said if not trouble.rule else f"{one_line(text(trouble.title))} — {said}"),
        Cell(where, "quiet"),
        Cell(str(trouble.times) if trouble.times > 1 else "", "quiet"),
    )
    return Row(key, cells, trouble, None, "\n".join(filter(None, (said, where))), spoken_cells(cells))


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
