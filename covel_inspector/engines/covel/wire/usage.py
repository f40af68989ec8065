"""Token counts of a reply in the engine's common form. Follows the reference on the wire, section 7."""

from collections.abc import Mapping, Sequence
from typing import Any

from covel_inspector.domain import Protocol, Usage

Json = Any

_MOST = 2**53 - 1


def read_usage(protocol: Protocol, replies: Sequence[Json]) -> Usage:
    """Counts of a reply, in the provider's tokens. ``replies`` are the reply, or Gemini's chunks in order.

    Input and output are 0 when nothing readable was reported; cache counts are None then.
    """
    match protocol:
        case Protocol.ANTHROPIC:
            return _anthropic(_last(replies, "usage"))
        case Protocol.OPENAI_CHAT:
            return _openai(_last(replies, "usage"), "prompt_tokens", "completion_tokens", "prompt_tokens_details")
        case Protocol.OPENAI_RESPONSES:
            return _openai(_last(replies, "usage"), "input_tokens", "output_tokens", "input_tokens_details")
        case Protocol.GOOGLE:
            return _google(replies)


def usage_json(usage: Usage) -> dict[str, int]:
    """The common object: absent cache counts are left out."""
    fields = {
        "inputTokens": usage.input or 0,
        "outputTokens": usage.output or 0,
        "cachedInputTokens": usage.cached,
        "cacheWriteInputTokens": usage.cache_write,
    }
    return {name: count for name, count in fields.items() if count is not None}


def _last(replies: Sequence[Json], name: str) -> Mapping[str, Json]:
    found = [reply[name] for reply in replies if isinstance(reply, Mapping) and isinstance(reply.get(name), Mapping)]
    return found[-1] if found else {}


def _count(value: Json) -> int | None:
    """A non-negative safe integer, from a number or a numeric text; None for everything else."""
    if isinstance(value, str):
        try:
            value = float(value) if value.strip() else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > _MOST:
        return None
    return int(value) if value >= 0 and value == int(value) else None


def _sum(*counts: int | None) -> int:
    return min(sum(count or 0 for count in counts), _MOST)


def _clamped(whole: int, output: int, read: int | None, written: int | None) -> Usage:
    """Cache counts are disjoint parts of the whole input."""
    read = None if read is None else min(read, whole)
    written = None if written is None else min(written, whole - (read or 0))
    return Usage(whole, output, read, written)


def _anthropic(usage: Mapping[str, Json]) -> Usage:
    read, written = _count(usage.get("cache_read_input_tokens")), _count(usage.get("cache_creation_input_tokens"))
    whole = _sum(_count(usage.get("input_tokens")), read, written)
    return _clamped(whole, _count(usage.get("output_tokens")) or 0, read, written)


def _openai(usage: Mapping[str, Json], whole: str, output: str, details: str) -> Usage:
    found = usage.get(details)
    parts = found if isinstance(found, Mapping) else {}
    read, written = _count(parts.get("cached_tokens")), _count(parts.get("cache_write_tokens"))
    return _clamped(_count(usage.get(whole)) or 0, _count(usage.get(output)) or 0, read, written)


def _google(replies: Sequence[Json]) -> Usage:
    merged: dict[str, Json] = {}
    for reply in replies:
        chunk = reply.get("usageMetadata") if isinstance(reply, Mapping) else None
        merged |= chunk if isinstance(chunk, Mapping) else {}
    output = _sum(_count(merged.get("candidatesTokenCount")), _count(merged.get("thoughtsTokenCount")))
    read = _count(merged.get("cachedContentTokenCount"))
    return _clamped(_count(merged.get("promptTokenCount")) or 0, output, read, None)
