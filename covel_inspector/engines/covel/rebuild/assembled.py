"""A request as it stands before its budget: what the budget is given, whatever the limits are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from covel_inspector.domain import Absent, Boundary, Request, Sentence
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.rebuild.borrowed import Borrowed
from covel_inspector.engines.covel.rebuild.limits import Target
from covel_inspector.engines.covel.rebuild.units import Unit

Tools = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class AssembledRequest:
    """Everything that goes into a request, untrimmed.

    ``units`` begin with the system prompt. ``earlier`` tells, for each request this run made before, how many of the
    units it had: the budget remembers what it did to them. ``protect`` counts the user messages of the current turn;
    ``tools`` are counted as the recording has them. ``retry_text`` is the longest retry hint, spelled out.
    ``boundaries`` are places in ``base``, the request that the assembler made. ``sizes`` gives tokens for texts that
    stand for something unknown.
    """

    units: tuple[Unit, ...]
    earlier: tuple[int, ...]
    protect: int
    tools: Tools
    response_format: Any
    retry_text: str
    texts: BudgetTexts
    target: Target
    base: Request
    boundaries: tuple[Boundary, ...]
    absent: tuple[Absent, ...]
    reason: Sentence
    """From what it was built."""
    sizes: tuple[tuple[str, int], ...] = ()
    guesses_hint: bool = False
    """True when nobody saw the engine's retry hint: ours is counted in its place."""
    unsent: str = ""
    """The error of a request that was never sent."""
    borrowed: Borrowed = field(default_factory=Borrowed)
    """What of a recording stands inside segments of another source."""
