"""What the engine's trace keeps of a body. Follows the reference on the wire, section 8."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = Any

REDACTED = "[redacted resource URL]"

_KEPT = frozenset(
    (
        "model", "state", "questions", "messages", "input", "instructions", "system", "tools", "tool_choice",
        "parallel_tool_calls", "response_format", "text", "temperature", "top_p", "top_k", "max_tokens",
        "max_completion_tokens", "max_output_tokens", "frequency_penalty", "presence_penalty", "seed", "stop",
        "stream", "stream_options", "thinking", "reasoning", "reasoning_effort", "enable_thinking", "output_config",
        "verbosity", "service_tier", "store", "contents", "systemInstruction", "generationConfig",
    )
)  # fmt: skip
_ADDRESS = re.compile(
    r"https?:[/\\]{2,}(?P<owner>[^/\\?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?P<fragment>#.*)?",
    re.IGNORECASE | re.DOTALL,
)
_HOST = re.compile(r"(?:\[[0-9a-f:.]+\]|[^\s\x00-\x20#%/:<>?@\[\\\]^|\x7f]+)(?::\d{0,5})?", re.IGNORECASE)
_REMOVED = re.compile(r"[\t\n\r]")


@dataclass(frozen=True, slots=True)
class Observed:
    """A body as the trace keeps it. ``complete`` is False when a field or an address was left out."""

    body: dict[str, Json]
    complete: bool
    omitted_field_count: int


def observe(body: Mapping[str, Json]) -> Observed:
    """The trace's own projection of a sent body: known fields in their order, addresses with secrets replaced."""
    redactions: list[str] = []
    kept = {key: _redacted(value, redactions) for key, value in body.items() if key in _KEPT}
    omitted = len(body) - len(kept)
    return Observed(kept, omitted == 0 and not redactions, omitted)


def _redacted(value: Json, redactions: list[str]) -> Json:
    if isinstance(value, str):
        if value[:4].lower() == "http" and has_secrets(value):
            redactions.append(value)
            return REDACTED
        return value
    if isinstance(value, list | tuple):
        return [_redacted(member, redactions) for member in value]
    if isinstance(value, Mapping):
        return {key: _redacted(member, redactions) for key, member in value.items()}
    return value


def has_secrets(text: str) -> bool:
    """True for a text that reads as a web address with user, query or fragment, however long it goes on."""
    found = _ADDRESS.fullmatch(_REMOVED.sub("", text))
    if found is None:
        return False
    user, at, host = found["owner"].rpartition("@")
    if not _HOST.fullmatch(host):
        return False
    named = at and user.strip(":")
    return bool(named) or any(len(found[part] or "") > 1 for part in ("query", "fragment"))
