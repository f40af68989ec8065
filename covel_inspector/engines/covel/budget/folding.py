"""What the ledger writes in place of tool results and of whole groups. Follows the reference on the runtime, 6."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from covel_inspector.engines.covel.javascript import WHITESPACE_CLASS, stringify, trim
from covel_inspector.engines.covel.records.calls import KernelMessage

ARGUMENTS_LIMIT = 120
"""Code points of a call's arguments in a fold."""

SUMMARY_LIMIT = 80
"""Code points of a summary or an error code in a fold."""

_ENVELOPE_KEYS = ("data", "summary", "error", "staged")
_BLANKS = re.compile(WHITESPACE_CLASS + "+")


def omitted(result: KernelMessage, marker: str) -> KernelMessage:
    """A result without its data: of an envelope only ``data`` goes, any other string becomes the marker, and what is
    no string stays."""
    if not isinstance(result.content, str):
        return result
    envelope = _envelope(result.content)
    if envelope is None:
        return result.model_copy(update={"content": marker})
    if "data" not in envelope:
        return result
    return result.model_copy(update={"content": stringify({**envelope, "data": marker})})


def fold_lines(group: Sequence[KernelMessage]) -> list[str]:
    """One line for each call of a group: name, arguments, and how it went."""
    calls = group[0].tool_calls or ()
    return [_line(call, result) for call, result in zip(calls, group[1:], strict=True)]


def _line(call: Mapping[str, Any], result: KernelMessage) -> str:
    arguments = call.get("arguments")
    preview = _preview(arguments if isinstance(arguments, str) else stringify(arguments or ""), ARGUMENTS_LIMIT)
    head = f"- {call.get('name', '')} {preview}" if preview else f"- {call.get('name', '')}"
    envelope = _envelope(result.content) if isinstance(result.content, str) else None
    return f"{head} -> {_outcome(envelope or {})}"


def _outcome(envelope: Mapping[str, Any]) -> str:
    error = envelope.get("error")
    if error is not None and error is not False:
        code = _error_code(error, envelope)
        return f"failed: {code}" if code else "failed"
    summary = envelope.get("summary")
    preview = _preview(summary, SUMMARY_LIMIT) if isinstance(summary, str) else ""
    return f"ok: {preview}" if preview else "ok"


def _error_code(error: object, envelope: Mapping[str, Any]) -> str:
    inner = error.get("code") if isinstance(error, Mapping) else None
    for code in (inner, envelope.get("code"), error):
        if isinstance(code, str):
            return _preview(code, SUMMARY_LIMIT)
    return ""


def _preview(text: str, limit: int) -> str:
    line = trim(_BLANKS.sub(" ", text))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _envelope(content: str) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and any(key in value for key in _ENVELOPE_KEYS) else None
