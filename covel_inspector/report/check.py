"""The outcome of a check as lines and as JSON.

JSON, an object: ``location, calls, broken`` (ids of broken rules) and ``results``, a list of ``{rule, title, state,
violations}`` with ``state`` ``ok``, ``broken`` or ``off``; a violation is ``{severity, breaks, sentence, remedy, times,
place}``; ``place`` has ``file, line, table, row, address, segment`` (empty texts, 0 and null where they do not apply),
``times`` counts the calls it was seen in.
"""

from collections.abc import Iterator
from typing import Any

from covel_inspector.analysis.checking.outcome import CheckOutcome, RuleResult, Violation
from covel_inspector.domain import FindingPlace, Sentence, Severity, say
from covel_inspector.domain.listing import labelled
from covel_inspector.report.figures import figure
from covel_inspector.report.terminal import one_line
from covel_inspector.report.wording import Catalogue

_SEVERITIES: dict[Severity, Sentence] = {
    Severity.ERROR: say("error"),
    Severity.WARNING: say("warning"),
    Severity.HINT: say("hint"),
}


def check_object(outcome: CheckOutcome, words: Catalogue) -> dict[str, Any]:
    """The JSON form (see the module's text)."""
    return {
        "location": outcome.location,
        "calls": outcome.calls,
        "broken": [result.rule.id for result in outcome.broken],
        "results": [_result_object(result, words) for result in outcome.results],
    }


def _result_object(result: RuleResult, words: Catalogue) -> dict[str, Any]:
    state = "off" if result.is_off else "broken" if result.is_broken else "ok"
    return {
        "rule": result.rule.id,
        "title": words.text(result.rule.title),
        "state": state,
        "violations": [_violation_object(violation, words) for violation in result.violations],
    }


def _violation_object(violation: Violation, words: Catalogue) -> dict[str, Any]:
    return {
        "severity": violation.severity.value,
        "breaks": violation.breaks,
        "sentence": words.text(violation.sentence),
        "remedy": words.text(violation.remedy) if violation.remedy is not None else "",
        "times": violation.times,
        "place": _place_object(violation.place),
    }


def _place_object(place: FindingPlace) -> dict[str, Any]:
    return {
        "file": place.file,
        "line": place.line,
        "table": place.table,
        "row": place.row,
        "address": str(place.address) if place.address is not None else None,
        "segment": place.segment,
    }


def check_lines(outcome: CheckOutcome, words: Catalogue) -> list[str]:
    """Every rule that has something to say, and one line that sums up."""
    lines: list[str] = []
    for result in outcome.results:
        if result.violations:
            state = say("broken") if result.is_broken else say("told only")
            head = f"{one_line(words.text(result.rule.title))} [{result.rule.id}]"
            lines.append(words.text(labelled(head, state)))
            for violation in result.violations:
                lines.extend(_violation_lines(violation, words))
            lines.append("")
    checked = [result for result in outcome.results if not result.is_off]
    summary = (
        say(
            "{broken} of {rules} rules are broken in {calls} calls.",
            broken=len(outcome.broken),
            rules=len(checked),
            calls=figure(outcome.calls),
        )
        if outcome.broken
        else say("No rule of {rules} is broken in {calls} calls.", rules=len(checked), calls=figure(outcome.calls))
    )
    return [*lines, words.text(summary)]


def _violation_lines(violation: Violation, words: Catalogue) -> Iterator[str]:
    sentence = one_line(words.text(labelled(_SEVERITIES[violation.severity], violation.sentence)))
    times = words.text(say(" ({n} calls)", n=violation.times)) if violation.times > 1 else ""
    yield f"  {sentence}{times}"
    yield f"    {one_line(where(violation.place))}"
    if violation.remedy is not None:
        yield f"    → {one_line(words.text(violation.remedy))}"


def where(place: FindingPlace) -> str:
    """The place in one line, with the call beside a file or row."""
    if place.address is None or not (place.file or place.row):
        return place.text
    return f"{place.text} · {place.address}"
