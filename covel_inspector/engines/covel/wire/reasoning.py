"""Thinking: the level in force and the fields it becomes. Follows the reference on the wire, section 6."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.wire.drafts import WireCall
from covel_inspector.engines.covel.wire.models import (
    AUTOMATIC,
    DISABLED,
    NONE,
    Family,
    Thinking,
    family_of,
    thinking_of,
)

Json = Any

PROVIDER_DEFAULT = "provider-default"

_FIELDS = (
    "reasoningEffort",
    "reasoning_effort",
    "enable_thinking",
    "thinking_budget",
    "thinking",
    "thinkingConfig",
    "reasoning",
    "output_config",
)
"""Free settings that decide about thinking; with one of them the runtime's preference does not apply."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The thinking level of a call: ``level`` empty = nothing is sent; ``thinking`` None = an unknown model."""

    level: str
    thinking: Thinking | None
    is_provider_default: bool = False


def effort_of(call: WireCall) -> Effort:
    """The level that a slot's settings or the runtime's preference choose."""
    chosen = _explicit(call)
    if chosen == PROVIDER_DEFAULT:
        return Effort("", None, is_provider_default=True)
    if chosen:
        known = thinking_of(call.model, call.provider, call.protocol)
        offered = known is None or chosen in known.levels
        return Effort(chosen if offered else "", known)
    if call.defaults.get("reasoningEffort") == DISABLED and not _decides(call.metadata):
        known = thinking_of(call.model, call.provider)
        return Effort(known.off if known is not None else "", known)
    return Effort("", None)


def _explicit(call: WireCall) -> str:
    """The level that the slot itself sets; empty when it sets none."""
    given = (
        call.overrides.get("reasoningEffort"),
        call.metadata.get("reasoningEffort"),
        call.metadata.get("reasoning_effort"),
    )
    for level in given:
        if isinstance(level, str) and level:
            return level
    return ""


def _decides(metadata: Mapping[str, Json]) -> bool:
    if any(metadata.get(name) is not None for name in _FIELDS):
        return True
    generation = metadata.get("generationConfig")
    return isinstance(generation, Mapping) and generation.get("thinkingConfig") is not None


def apply_effort(call: WireCall, effort: Effort, settings: dict[str, Json]) -> None:
    """Set the fields of a level in the settings of a body (any protocol but Gemini's)."""
    if effort.is_provider_default:
        for name in _FIELDS:
            settings.pop(name, None)
        return
    if not effort.level:
        return
    if call.protocol is Protocol.ANTHROPIC:
        _anthropic(call, effort, settings)
    elif call.protocol is Protocol.OPENAI_RESPONSES:
        kept = settings.get("reasoning")
        level = NONE if effort.level == DISABLED else effort.level
        settings["reasoning"] = {**(kept if isinstance(kept, Mapping) else {}), "effort": level}
    else:
        _chat(call, effort, settings)


def _anthropic(call: WireCall, effort: Effort, settings: dict[str, Json]) -> None:
    if effort.level in (DISABLED, NONE):
        settings["thinking"] = {"type": "disabled"}
        return
    if effort.thinking is not None and effort.thinking.adaptive:
        kept = settings.get("thinking")
        display = kept.get("display") if isinstance(kept, Mapping) else None
        settings["thinking"] = {"type": "adaptive", "display": display or "summarized"}
    elif family_of(call.model, call.provider) is Family.DEEPSEEK:
        settings["thinking"] = {"type": "enabled"}
    config = settings.get("output_config")
    settings["output_config"] = {**(config if isinstance(config, Mapping) else {}), "effort": effort.level}


def _chat(call: WireCall, effort: Effort, settings: dict[str, Json]) -> None:
    family = effort.thinking.family if effort.thinking is not None else family_of(call.model, call.provider)
    off = effort.level in (DISABLED, NONE)
    level = NONE if off else effort.level
    if family is Family.DEEPSEEK:
        settings.pop("thinking", None)
        settings["thinking"] = {"type": "disabled" if off else "enabled"}
        if not off and effort.level != AUTOMATIC:
            settings["reasoning_effort"] = level
    elif family is Family.QWEN and effort.thinking is not None:
        for name in ("enable_thinking", "thinking_budget", "reasoning_effort"):
            settings.pop(name, None)
        settings["enable_thinking"] = not off
        if effort.level in effort.thinking.budgets:
            settings["thinking_budget"] = effort.thinking.budgets[effort.level]
        elif effort.thinking.by_effort and effort.level != AUTOMATIC:
            settings["reasoning_effort"] = level
    else:
        settings["reasoning_effort"] = level


def google_thinking(effort: Effort, inherited: Json) -> Json:
    """Gemini's ``thinkingConfig``; None when nothing is sent."""
    if effort.is_provider_default:
        return None
    if not effort.level:
        return inherited
    kept = inherited if isinstance(inherited, Mapping) else {}
    fields = {key: value for key, value in kept.items() if key not in ("thinkingBudget", "thinkingLevel")}
    budgets = effort.thinking.budgets if effort.thinking is not None else {}
    if effort.level in budgets:
        return {**fields, "thinkingBudget": budgets[effort.level]}
    return {**fields, "thinkingLevel": effort.level}


def is_thinking(settings: Mapping[str, Json]) -> bool:
    """True when a body switches thinking on, so that no tool can be forced."""
    thinking = settings.get("thinking")
    kind = thinking.get("type") if isinstance(thinking, Mapping) else None
    return settings.get("enable_thinking") is True or kind in ("enabled", "adaptive")
