"""The checks that need figures: verdicts, shared prefixes, tokens, and what nobody claims."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from covel_inspector.analysis.checking.outcome import PREFIX, TOKENS, UNKNOWN, VERDICT, RuleResult, Violation
from covel_inspector.analysis.checking.rule_file import RuleFile, Threshold
from covel_inspector.analysis.prefix import measure
from covel_inspector.analysis.token_table import request_tokens
from covel_inspector.domain import (
    Address,
    Call,
    FindingPlace,
    Grade,
    SegmentTree,
    Sentence,
    Severity,
    Source,
    Status,
    say,
)
from covel_inspector.domain.listing import labelled
from covel_inspector.domain.names import STATUS, estimator_name

Progress = Callable[[int, int], None]
"""Called with the number of calls that were looked at, and of all."""


@dataclass(slots=True)
class _Worst:
    """The worst figure of a runtime, where it was seen, and in how many calls the limit was broken."""

    figure: float
    address: Address
    times: int = 1

    def see(self, figure: float, address: Address) -> None:
        """One more call that breaks the limit."""
        self.times += 1
        if figure > self.figure:
            self.figure, self.address = figure, address


def check_calls(source: Source, calls: Sequence[Call], rules: RuleFile, progress: Progress | None) -> list[RuleResult]:
    """Verdict, tokens and unknown text of every call that is not concealed, as far as the rules ask for them."""
    verdicts: list[Violation] = []
    tokens: dict[tuple[str, str], _Worst] = {}
    unknown: dict[tuple[str, str], _Worst] = {}
    for number, call in enumerate(calls, 1):
        if not call.concealed:
            if rules.allowed_verdicts is not None:
                verdicts.extend(_verdict(source, call.address, rules.allowed_verdicts))
            tree = source.recorded(call.address) if rules.tokens or rules.unknown_percent else None
            if tree is not None:
                _compare(tokens, rules.tokens, call.address, _tokens(tree, source))
                _compare(unknown, rules.unknown_percent, call.address, _unknown_percent(tree))
        if progress is not None:
            progress(number, len(calls))
    return [
        *([RuleResult(VERDICT, tuple(verdicts))] if rules.allowed_verdicts is not None else []),
        *([RuleResult(TOKENS, tuple(_too_many(tokens, rules.tokens, source)))] if rules.tokens else []),
        *([RuleResult(UNKNOWN, tuple(_too_unknown(unknown, rules.unknown_percent)))] if rules.unknown_percent else []),
    ]


def check_prefix(source: Source, sessions: Iterable[str], rules: RuleFile) -> list[RuleResult]:
    """The shared prefix of every runtime that was called in at least two turns; cache marks do not count."""
    if not rules.prefix:
        return []
    found: list[Violation] = []
    for session in sessions:
        for entry in measure(source.measured(session), ignore_marks=True):
            size = sum(pair.size for pair in entry.pairs)
            least = rules.prefix.of(entry.runtime or "")
            if least is None or not size:
                continue
            share = sum(pair.shared for pair in entry.pairs) / size
            if share < least:
                sentence = say(
                    "{runtime} shares {share} % with the turn before, less than {least} %",
                    runtime=entry.runtime or "?",
                    share=_rounded(share * 100),
                    least=_rounded(least * 100),
                )
                place = FindingPlace(table="trace_events", row=entry.pairs[-1].row)
                found.append(_broken(sentence, place))
    return [RuleResult(PREFIX, tuple(found))]


def _verdict(source: Source, address: Address, allowed: frozenset[Status]) -> Iterator[Violation]:
    verdict = source.verdict(address)
    if verdict.status not in allowed:
        sentence = labelled(STATUS[verdict.status], verdict.reason)
        yield _broken(sentence, FindingPlace(address=address))


def _tokens(tree: SegmentTree, source: Source) -> float:
    return request_tokens(tree, source.estimate)


def _unknown_percent(tree: SegmentTree) -> float:
    unknown = sum(len(leaf.text) for leaf in tree.leaves() if leaf.grade is Grade.UNKNOWN)
    return 100 * unknown / tree.request.length if tree.request.length else 0.0


def _compare(worst: dict[tuple[str, str], _Worst], limits: Threshold, address: Address, figure: float) -> None:
    limit = limits.of(address.runtime)
    if limit is None or figure <= limit:
        return
    key = (address.session, address.runtime)
    if key in worst:
        worst[key].see(figure, address)
    else:
        worst[key] = _Worst(figure, address)


def _too_many(worst: Mapping[tuple[str, str], _Worst], limits: Threshold, source: Source) -> Iterator[Violation]:
    for (_, runtime), found in worst.items():
        sentence = say(
            "{runtime} sent {tokens} tokens ({estimator}), more than {most}",
            runtime=runtime,
            tokens=int(found.figure),
            estimator=estimator_name(source.estimator_name),
            most=_rounded(limits.of(runtime) or 0),
        )
        yield _broken(sentence, FindingPlace(address=found.address), found.times)


def _too_unknown(worst: Mapping[tuple[str, str], _Worst], limits: Threshold) -> Iterator[Violation]:
    for (_, runtime), found in worst.items():
        sentence = say(
            "{share} % of a request of {runtime} has no known source, more than {most} %",
            runtime=runtime,
            share=_rounded(found.figure),
            most=_rounded(limits.of(runtime) or 0),
        )
        yield _broken(sentence, FindingPlace(address=found.address), found.times)


def _rounded(figure: float) -> str:
    """At most two places, so that a share just below its limit does not read like the limit."""
    return f"{figure:.2f}".rstrip("0").rstrip(".")


def _broken(sentence: Sentence, place: FindingPlace, times: int = 1) -> Violation:
    return Violation(sentence, place, Severity.ERROR, breaks=True, times=times)
