"""Runs a file of rules over a story."""

from collections.abc import Iterable, Sequence

from covel_inspector.analysis.checking.outcome import CheckOutcome, RuleResult, Violation
from covel_inspector.analysis.checking.rule_file import RuleFile
from covel_inspector.analysis.checking.thresholds import Progress, check_calls, check_prefix
from covel_inspector.analysis.lint.lint import lint
from covel_inspector.analysis.lint.registry import all_rules
from covel_inspector.domain import Finding, Rule, Session, Severity, Source

_SEVERITIES = tuple(Severity)


def check(
    source: Source, rules: RuleFile, sessions: Sequence[Session] | None = None, progress: Progress | None = None
) -> CheckOutcome:
    """Every rule's result: figures first, then lint. Raises SourceError when the source does."""
    chosen = list(source.sessions() if sessions is None else sessions)
    calls = [call for session in chosen for call in source.calls(session.id)]
    results = [
        *check_calls(source, calls, rules, progress),
        *check_prefix(source, [session.id for session in chosen], rules),
        *_lint_results(all_rules(source), lint(source, chosen, rules.off), rules),
    ]
    return CheckOutcome(source.location, len(calls), tuple(results))


def _lint_results(known: Iterable[Rule], findings: Sequence[Finding], rules: RuleFile) -> list[RuleResult]:
    results: list[RuleResult] = []
    for rule in known:
        own = [_violation(finding, rules) for finding in findings if finding.rule == rule.id]
        own.sort(key=lambda violation: not violation.breaks)
        results.append(RuleResult(rule, tuple(own), is_off=rule.id in rules.off))
    return results


def _violation(finding: Finding, rules: RuleFile) -> Violation:
    severity = rules.severities.get(finding.rule, finding.severity)
    breaks = finding.rule in rules.forbidden or _SEVERITIES.index(severity) <= _SEVERITIES.index(rules.fail_on)
    return Violation(finding.sentence, finding.place, severity, breaks, finding.remedy, finding.times)
