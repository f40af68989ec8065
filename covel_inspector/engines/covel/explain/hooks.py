"""What hooks took out of a request: the trace keeps a prompt as it was before a hook and after it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from covel_inspector.domain import Segment
from covel_inspector.engines.covel.attribution import CallMoment, attribute
from covel_inspector.engines.covel.explain.sight import Sight
from covel_inspector.engines.covel.records.calls import KernelMessage, RecordedCall


@dataclass(frozen=True, slots=True)
class Removed:
    """A segment that stood in a prompt until a hook changed it."""

    segment: Segment
    hook: str
    """The hook's name."""
    plugin: str
    """Whose hook it is."""


def removed_by_hooks(sight: Sight) -> dict[str, Removed]:
    """Segments of the prompt before a hook that the recorded request does not hold, by key."""
    if sight.recorded is None:
        return {}
    held = {segment.key.partition("#")[0] for segment in sight.recorded.walk()}
    moment = sight.moment
    seen = CallMoment(moment.turn_id, moment.runtime_id, moment.plugin_id, moment.started_at)
    found: dict[str, Removed] = {}
    for payload in _rewrites(sight):
        before = _as_call(payload["diff"].get("before"), moment.runtime_id, moment.plugin_id)
        if before is None:
            continue
        for segment in attribute(before, seen, sight.record.index).walk():
            key = segment.key.partition("#")[0]
            if key not in held and segment.origin.plugin:
                hook, plugin = str(payload.get("hookName") or ""), str(payload.get("pluginId") or "")
                found.setdefault(key, Removed(segment, hook, plugin))
    return found


def _rewrites(sight: Sight) -> Iterator[Mapping[str, Any]]:
    """Payloads of the hooks that changed a prompt of this run."""
    for trace in sight.record.evidence.traces:
        if (
            trace.type == "hook.rewrote"
            and trace.turn_id == sight.moment.turn_id
            and trace.payload.get("runtimeId") == sight.moment.runtime_id
            and isinstance(trace.payload.get("diff"), dict)
        ):
            yield trace.payload


def _as_call(side: object, runtime: str, plugin: str) -> RecordedCall | None:
    """One side of a change as a call; None when it holds no prompt."""
    if not isinstance(side, dict) or not isinstance(side.get("messages"), list):
        return None
    raw = [message for message in side["messages"] if isinstance(message, dict)]
    system = side.get("systemPrompt")
    try:
        messages = [KernelMessage.model_validate(message) for message in raw]
    except ValidationError:
        return None
    if isinstance(system, str):
        messages.insert(0, KernelMessage(role="system", content=system))
    return RecordedCall(runtimeId=runtime, pluginId=plugin, messages=tuple(messages))
