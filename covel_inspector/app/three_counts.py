"""Three counts of one request, each named: the engine's estimate, a tokenizer's count, and what the provider reported.

They differ: the estimate is what the engine trims by, the tokenizer's count is near what is billed, and only the report
is what was billed. A story in Chinese, Japanese or Korean suffers most from the difference. Pure.
"""

from dataclasses import dataclass

from covel_inspector.app.figures import figure
from covel_inspector.app.sides import Side
from covel_inspector.domain import Sentence, say
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


@dataclass(frozen=True, slots=True)
class ThreeCounts:
    """What is known of one request; None where it is not, or not yet."""

    estimator: str
    estimated: int | None = None
    counted: Counted | None = None
    reported: int | None = None

    @property
    def ratio(self) -> float | None:
        """Reported over estimated; None unless both are known."""
        return self.reported / self.estimated if self.reported and self.estimated else None

    def lines(self) -> tuple[Sentence, ...]:
        """One line each, with its name."""
        found: list[Sentence] = []
        if self.estimated is not None:
            found.append(
                say("{n} tokens by the engine's estimate ({estimator})", n=figure(self.estimated),
                    estimator=estimator_name(self.estimator))
            )  # fmt: skip
        if self.counted is not None:
            found.append(counted_line(self.counted))
        if self.reported is not None:
            found.append(say("{n} tokens reported by the provider", n=figure(self.reported)))
        if self.ratio is not None:
            found.append(say("The report is {ratio} times the estimate.", ratio=as_ratio(self.ratio)))
        return tuple(found)


def counted_line(counted: Counted) -> Sentence:
    """A tokenizer's count, saying whether it is the model's own."""
    if counted.exact:
        return say("{n} tokens counted with {counter}, the model's own tokenizer", n=figure(counted.tokens),
                   counter=counted.counter)  # fmt: skip
    return say("{n} tokens counted with {counter}, which is not the model's own tokenizer", n=figure(counted.tokens),
               counter=counted.counter)  # fmt: skip


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
    )
