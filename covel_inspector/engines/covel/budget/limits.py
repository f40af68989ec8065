"""The limits of a request budget, checked. Follows the reference on the assembler, section 15."""

from dataclasses import dataclass

DEFAULT_RESERVE = 4000
"""Tokens kept for the answer when nothing is given."""


class BudgetError(ValueError):
    """Limits that make no sense; ``field`` names the one that was checked first and failed."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class BudgetOptions:
    """Limits as configured, unchecked. All numbers are tokens by the engine's estimate, or counts of messages."""

    max_input_tokens: float
    reserved_for_response: float | None = None
    protect_last_user_turns: float | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """Checked limits. ``cap`` is what the input may hold."""

    window: int
    reserve: int
    protected_user_turns: int

    @property
    def cap(self) -> int:
        """Window minus reserve, in tokens."""
        return self.window - self.reserve


def check_limits(options: BudgetOptions) -> Limits:
    """The limits with defaults filled in; the fields are checked in the engine's order.

    Raises BudgetError for a window that is no positive integer, a reserve outside 0 … window - 1, or a negative or
    fractional number of protected user turns.
    """
    window = _whole(options.max_input_tokens)
    if window is None or window <= 0:
        raise BudgetError(
            "maxInputTokens", f"The input window must be a whole number above 0, not {options.max_input_tokens}"
        )
    given_reserve = DEFAULT_RESERVE if options.reserved_for_response is None else options.reserved_for_response
    reserve = _whole(given_reserve)
    if reserve is None or not 0 <= reserve < window:
        raise BudgetError(
            "reservedForResponse", f"The reserve must be a whole number from 0 to below {window}, not {given_reserve}"
        )
    given_turns = 1 if options.protect_last_user_turns is None else options.protect_last_user_turns
    turns = _whole(given_turns)
    if turns is None or turns < 0:
        raise BudgetError(
            "protectLastUserTurns", f"The number of protected user turns must be 0 or more, not {given_turns}"
        )
    return Limits(window, reserve, turns)


def _whole(number: float) -> int | None:
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    return int(number) if number == number // 1 and abs(number) != float("inf") else None
