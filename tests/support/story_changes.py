"""Two turns of a narrator that go well, to change one thing in, and the cause that is found for it."""

from dataclasses import replace
from typing import Any

from story_requests import HISTORY, Narrator, call

from covel_inspector.analysis.causes import Cause, Side, find_cause
from covel_inspector.domain import Call

BEFORE = Narrator()
GROWN = (*HISTORY, ("h3", "user", BEFORE.line), ("h4", "assistant", "A red light answers from the sea."))
NEXT = replace(BEFORE, history=GROWN, context="<clock>night</clock>", line="I wave back.")
"""The next turn when all goes well."""


def between(before: Narrator, now: Narrator, was: Call | None = None, became: Call | None = None, **more: Any) -> Cause:
    """The cause of what became different from one request to the next."""
    first = Side(was or call(1), before.tree(), more.pop("turn_before", None), more.pop("parameters_before", {}))
    second = Side(became or call(2), now.tree(), more.pop("turn", None), more.pop("parameters", {}))
    return find_cause(first, second, **more)
