"""Rules about messages that more than one wire follows. Follows the reference on the wire, sections 1 and 3."""

from collections.abc import Iterable, Sequence
from typing import Any

from covel_inspector.domain import Group
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.wire.decoding import decode
from covel_inspector.engines.covel.wire.drafts import WireCall
from covel_inspector.engines.covel.wire.texts import Spot, Stretch, Text

Json = Any

ENVELOPE_OPEN, ENVELOPE_CLOSE = "<system-instruction>\n", "\n</system-instruction>"
_FORMAT_OPEN, _FORMAT_CLOSE = "<response-format>", "</response-format>"
_OPEN, _CLOSE = Text(ENVELOPE_OPEN), Text(ENVELOPE_CLOSE)

SYSTEM_ROLES = frozenset({"system", "developer"})


def enveloped(text: Text) -> Text:
    """A late system message as it travels in a user message."""
    return _OPEN + text + _CLOSE


def leading(messages: Sequence[KernelMessage], roles: Iterable[str]) -> int:
    """How many messages at the start have one of the roles."""
    wanted = frozenset(roles)
    return next((index for index, message in enumerate(messages) if message.role not in wanted), len(messages))


def continuation(call: WireCall, message: KernelMessage) -> list[dict[str, Json]] | None:
    """The native items of an assistant message, when they fit this protocol, model and base URL; else None."""
    kept = message.provider_continuation
    if not isinstance(kept, dict) or message.role != "assistant":
        return None
    if kept.get("protocol") != call.protocol.value or not fits_target(call, kept):
        return None
    items = kept.get("items")
    if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
        return items
    return None


def fits_target(call: WireCall, kept: dict[str, Json]) -> bool:
    """True when a continuation is from this model at this base URL."""
    base = kept.get("baseUrl")
    return kept.get("model") == call.model and isinstance(base, str) and base.rstrip("/") == call.base


def arguments_of(call: dict[str, Json]) -> tuple[Json, bool]:
    """The decoded arguments of a tool call, and whether they were JSON; no text at all counts as ``{}``."""
    text = call.get("arguments")
    if not isinstance(text, str):
        return ({} if text is None else text), True
    if not text:
        return {}, True
    try:
        return decode(text), True
    except ValueError:
        return text, False


def format_text(call: WireCall, lead: str) -> Text | None:
    """The text that asks for structured output; None when none is wanted or a system message holds it already.

    The schema in it is the response format of the request.
    """
    schema = call.schema
    if schema is None:
        return None
    written = stringify(schema)
    tagged = f"{_FORMAT_OPEN}{written}{_FORMAT_CLOSE}"
    if any(message.role == "system" and tagged in _strings(message) for message in call.messages):
        return None
    head = f"{lead}\n{_FORMAT_OPEN}"
    whole = stringify(call.response_format)
    start = whole.find(written)
    spot = Spot(Group.RESPONSE_FORMAT, 0)
    stretches = [Stretch(len(head), len(written), spot, start)] if start >= 0 else []
    return Text(f"{head}{written}{_FORMAT_CLOSE}", stretches)


def schema_spot(call: WireCall) -> Spot:
    """Where the schema of the wanted output stands in the response format of the request."""
    spot = Spot(Group.RESPONSE_FORMAT, 0)
    return spot.inside() if call.schema is call.response_format else spot.inside("schema")


def _strings(message: KernelMessage) -> str:
    content = message.content
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
