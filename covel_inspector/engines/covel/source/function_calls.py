"""What function runtimes asked of models: the engine records what that cost, not what was sent.

Follows the reference on the database, section 5, events ``gateway.*``.
"""

from typing import Any

from covel_inspector.domain import FunctionCall, Usage
from covel_inspector.engines.covel.database import CovelDatabase

_ANSWERED = ("gateway.responded",)


def function_calls(database: CovelDatabase, session: str) -> tuple[FunctionCall, ...]:
    """The answered calls of a session."""
    return tuple(
        FunctionCall(
            session=row.session_id,
            turn_id=row.turn_id,
            runtime=_text(row.payload, "runtimeId"),
            row=row.id,
            model=_text(row.payload, "model"),
            provider=_text(row.payload, "provider"),
            usage=_usage(row.payload.get("usage")),
        )
        for row in database.traces(session, _ANSWERED)
    )


def _text(payload: dict[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _usage(usage: object) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    names = ("inputTokens", "outputTokens", "cachedInputTokens", "cacheWriteInputTokens")
    return Usage(*(_count(usage.get(name)) for name in names))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
