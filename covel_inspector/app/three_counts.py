"""Three counts of one request, each named: the engine's estimate, a tokenizer's count, and what the provider reported.

They differ: the estimate is what the engine trims by, the tokenizer's count is near what is billed, and only the report
is what was billed. A story in Chinese, Japanese or Korean suffers most from the difference. Pure.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from covel_inspector.analysis.token_bridge import budget_bridge
from covel_inspector.app.figures import figure
from covel_inspector.app.sides import Side
from covel_inspector.app.unsent import missing_text
from covel_inspector.domain import BudgetRun, Kind, Sentence, Status, TooLong, say
from covel_inspector.report.names import estimator_name

COUNT_COMMAND = "count-tokens"
"""Id of the command that turns counting with tokenizers on."""

COUNT_TITLE = say("Count with the model's tokenizer")


@dataclass(frozen=True, slots=True)
class Counted:
    """A request counted by a tokenizer, text by text. ``exact``: it is the model's own."""

    tokens: int
    counter: str
    exact: bool
    note: Sentence
    left_out: int = 0
    """Pieces that are no text, such as pictures: no tokenizer can count them."""


@dataclass(frozen=True, slots=True)
class ThreeCounts:
    """What is known of one request; None where it is not, or not yet."""

    estimator: str
    estimated: int | None = None
    counted: Counted | None = None
    reported: int | None = None
    pictures: tuple[int, int] = (0, 0)
    """How many pictures there are, and the tokens that the engine counts for them."""
    missing: int | None = None
    """Tokens of the player's text by the error's numbers, where it is stored nowhere."""
    budget: BudgetRun | None = None
    is_same: bool = True
    """The request that is counted is the one that the budget was run on."""
    too_long: TooLong | None = None
    """The engine's own numbers, for a request that was never sent."""

    @property
    def ratio(self) -> float | None:
        """Reported over estimated; None unless both are known."""
        return self.reported / self.estimated if self.reported and self.estimated else None

    def lines(self) -> tuple[Sentence, ...]:
        """One line each, with its name."""
        found = [_too_long(self.too_long)] if self.too_long is not None else []
        if self.estimated is not None:
            found.append(self._estimate(self.estimated))
            found.extend(self._budgeted())
        if self.counted is not None:
            found.append(counted_line(self.counted))
        if self.reported is not None:
            found.append(say("{n} tokens reported by the provider", n=figure(self.reported)))
        return (*found, *self._reported())

    def differences(self) -> tuple[Sentence, ...]:
        """How the counts differ, in sentences, without the counts themselves."""
        return (*self._budgeted(), *self._reported())

    def _budgeted(self) -> Iterator[Sentence]:
        if self.estimated is not None and self.budget is not None:
            yield budget_bridge(self.estimated, self.budget, figure, is_same=self.is_same)

    def _reported(self) -> Iterator[Sentence]:
        if self.ratio is not None:
            yield say("The report is {ratio} times the estimate.", ratio=as_ratio(self.ratio))

    def _estimate(self, tokens: int) -> Sentence:
        told = say("{n} tokens by the engine's estimate ({estimator}), segment by segment", n=figure(tokens),
                   estimator=estimator_name(self.estimator))  # fmt: skip
        if self.missing is not None:
            told = say("{told}; {n} of them are the player's text, by the numbers of the error", told=told,
                       n=figure(self.missing))  # fmt: skip
        pieces, fixed = self.pictures
        if not pieces:
            return told
        return say("{told}; {n} of them are the engine's fixed count for pictures ({pieces})", told=told,
                   n=figure(fixed), pieces=pieces)  # fmt: skip


def _too_long(numbers: TooLong) -> Sentence:
    return say(
        "{needed} tokens by the engine's own error, {over} more than the limit of {limit}",
        needed=figure(numbers.needed),
        over=figure(numbers.over),
        limit=figure(numbers.limit),
    )


def counted_line(counted: Counted) -> Sentence:
    """A tokenizer's count, saying whether it is the model's own."""
    if counted.exact:
        told = say("{n} tokens counted with {counter}, the model's own tokenizer", n=figure(counted.tokens),
                   counter=counted.counter)  # fmt: skip
    else:
        told = say("{n} tokens counted with {counter}, which is not the model's own tokenizer",
                   n=figure(counted.tokens), counter=counted.counter)  # fmt: skip
    if not counted.left_out:
        return told
    return say("{told}; {n} pieces that are no text are not counted", told=told, n=counted.left_out)


def as_ratio(ratio: float) -> str:
    """Two digits behind the point."""
    return f"{ratio:.2f}"


def three_counts(side: Side, counted: Counted | None = None) -> ThreeCounts:
    """The counts of a side. What was reported belongs to the request that was sent, not to a rebuilt or changed one."""
    usage = side.call.usage if side.call is not None and not side.rebuilt else None
    return ThreeCounts(
        side.figures.estimator if side.figures is not None else "",
        side.figures.total if side.figures is not None else None,
        counted,
        usage.input if usage is not None else None,
        _pictures(side),
        _missing(side),
        side.budget,
        side.rebuilt or (side.verdict is not None and side.verdict.status is Status.IDENTICAL),
        side.call.too_long if side.call is not None and not side.changed else None,
    )


def _pictures(side: Side) -> tuple[int, int]:
    leaves = side.tree.leaves() if side.tree is not None else ()
    counts = [leaf.fixed_tokens for leaf in leaves if leaf.fixed_tokens and leaf.kind is not Kind.PLAYER_LINE]
    return len(counts), sum(counts)


def _missing(side: Side) -> int | None:
    line = missing_text(side.tree) if side.tree is not None else None
    return line.fixed_tokens if line is not None else None
