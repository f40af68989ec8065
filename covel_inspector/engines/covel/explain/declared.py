"""What a plugin's files declare, in the nouns that every view shares."""

from collections.abc import Iterable, Mapping
from typing import Any

from covel_inspector.domain import Address, DeclaredInput, DeclaredSegment, RuntimeReport, Segment, Volatility
from covel_inspector.engines.covel.assembler.escaping import printed
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.javascript import number_text
from covel_inspector.engines.covel.records.locales import choose_variant
from covel_inspector.engines.covel.records.manifests import (
    InputBinding,
    PluginManifest,
    RuntimeManifest,
    StaticSegment,
)
from covel_inspector.engines.covel.records.naming import segment_key


def declared_segments(plugin: PluginManifest, locale: str) -> tuple[DeclaredSegment, ...]:
    """The static segments, with their texts in the session's language."""
    return tuple(_static(segment, plugin, locale) for segment in plugin.segments)


def _static(segment: StaticSegment, plugin: PluginManifest, locale: str) -> DeclaredSegment:
    variant = choose_variant(segment.content, locale)
    text = variant.text if variant is not None else ""
    place = segment.place or plugin.place
    if variant is not None and variant.tag in segment.content.places:
        place = segment.content.places[variant.tag]
    return DeclaredSegment(
        key=segment_key(plugin.id, segment.id),
        id=segment.id,
        is_static=True,
        position=position_text(segment),
        role=segment.role,
        audience="self",
        volatility=Volatility.STABLE,
        order=segment.order,
        text=text,
        tokens=covel_tokens(text),
        file=place.path,
        line=place.line,
    )


def position_text(segment: StaticSegment) -> str:
    """The position as people write it: system, pre-history, post-history, depth 2."""
    return f"depth {number_text(segment.depth or 0)}" if segment.position == "depth" else segment.position


def observed_segment(segment: Segment) -> DeclaredSegment:
    """A segment that plugin code made, as far as a recording shows it."""
    text = segment.whole_text
    return DeclaredSegment(
        key=segment.key.partition("#")[0],
        id=segment.origin.segment,
        is_static=False,
        position=segment.position,
        role=segment.role,
        audience=segment.audience,
        volatility=segment.volatility,
        order=segment.order,
        text=text,
        tokens=covel_tokens(text),
    )


def runtime_report(runtime: RuntimeManifest, calls: Iterable[Address]) -> RuntimeReport:
    """A runtime as declared, with its calls in the turn."""
    return RuntimeReport(
        id=runtime.id,
        is_agent=runtime.type == "agent",
        stage=runtime.stage,
        trigger=_one_line(runtime.trigger),
        visibility=runtime.visibility,
        contract=runtime.output_contract,
        slot=runtime.slot,
        concealed=runtime.concealed,
        max_turns=runtime.max_turns,
        include_summaries=runtime.include_summaries,
        advertise_events=runtime.advertise_events,
        inputs=tuple(map(_input, runtime.inputs)),
        own_data=tuple(data.tag.removeprefix("<").removesuffix(">") for data in runtime.self_data),
        tools=runtime.tools,
        file=runtime.place.path,
        line=runtime.place.line,
        calls=tuple(calls),
    )


def _input(binding: InputBinding) -> DeclaredInput:
    source = _one_line(binding.source)
    if binding.select:
        source = f"{source} → {binding.select}"
    return DeclaredInput(binding.name, source, binding.scope, binding.required)


def _one_line(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {printed(value)}" for name, value in values.items())


def settings_of(plugin: PluginManifest) -> tuple[tuple[str, str], ...]:
    """Keys and defaults."""
    return tuple((key, printed(value)) for key, value in plugin.settings.items())


def topics_of(plugin: PluginManifest) -> tuple[str, ...]:
    """Topics of the events it may emit."""
    return tuple(str(event["topic"]) for event in plugin.events if event.get("topic"))
