"""What a budget did, step by step: values that a view can show without running anything again."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain import Sentence


class StepName(StrEnum):
    """The steps in the order in which the engine tries them."""

    REPLAY = "replay"
    OMIT = "omit"
    FOLD = "fold"
    PRUNE = "prune"
    CUT_TOOL_RESULTS = "cut-tool-results"
    CUT_SUMMARIES = "cut-summaries"


class Action(StrEnum):
    """What happened to a message."""

    DROPPED = "dropped"
    CUT = "cut"
    OMITTED = "omitted"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Touched:
    """A message that a step changed or removed.

    ``index`` counts the messages as they were given, the system prompt not among them; -2 is a fold's message.
    Tokens by the run's estimator, before and after.
    """

    index: int
    action: Action
    tokens_before: int
    tokens_after: int
    note: Sentence


@dataclass(frozen=True, slots=True)
class Protected:
    """A message that a step was not allowed to touch."""

    index: int
    tokens: int
    why: Sentence


@dataclass(frozen=True, slots=True)
class Step:
    """One step. ``over`` is how many tokens the request was above the limit when it began; ``goal`` how many it
    wanted to save (None when it has no such number); ``stopped`` says where and why it ended."""

    name: StepName
    over: int
    saved: int
    touched: tuple[Touched, ...]
    protected: tuple[Protected, ...]
    stopped: Sentence
    goal: int | None = None
