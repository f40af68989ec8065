"""What a check found: one result a rule."""

from dataclasses import dataclass

from covel_inspector.domain import FindingPlace, Rule, Sentence, Severity, say


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that a rule has to say. ``breaks`` is False for what is only told."""

    sentence: Sentence
    place: FindingPlace
    severity: Severity
    breaks: bool
    remedy: Sentence | None = None
    times: int = 1


@dataclass(frozen=True, slots=True)
class RuleResult:
    """A rule with its violations, those that break it first. ``is_off`` = it was not checked."""

    rule: Rule
    violations: tuple[Violation, ...] = ()
    is_off: bool = False

    @property
    def is_broken(self) -> bool:
        """True when at least one violation breaks it."""
        return any(violation.breaks for violation in self.violations)


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """A whole check. ``calls`` counts the recorded calls that were looked at."""

    location: str
    calls: int
    results: tuple[RuleResult, ...]

    @property
    def broken(self) -> tuple[RuleResult, ...]:
        """The rules that were broken."""
        return tuple(result for result in self.results if result.is_broken)


VERDICT = Rule("verdict", say("Recorded and rebuilt requests agree"), Severity.ERROR)
PREFIX = Rule("prefix", say("Enough of each request repeats the turn before"), Severity.ERROR)
TOKENS = Rule("tokens", say("No request is too long"), Severity.ERROR)
UNKNOWN = Rule("unknown", say("Nearly everything in a request has a known source"), Severity.ERROR)
