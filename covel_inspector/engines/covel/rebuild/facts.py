"""What the assembler must know of a runtime: from its manifest, or read off the recording when there are no files."""

from dataclasses import dataclass

from covel_inspector.domain import Kind, SegmentTree, Sentence, say
from covel_inspector.engines.covel.assembler.params import Manifest, PluginDataInject
from covel_inspector.engines.covel.records.manifests import Checkout, RuntimeManifest

STAGES = ("setup", "pre-turn", "narrative", "post-turn", "audit")
"""Stages in the order they run; a runtime without a stage runs after all of them."""


@dataclass(frozen=True, slots=True)
class RuntimeFacts:
    """A runtime as far as its prompt is concerned.

    ``declared`` is its manifest, None when no folder holds it; then ``manifest`` says what the recording shows.
    ``max_turns`` None = the whole live history.
    """

    manifest: Manifest
    declared: RuntimeManifest | None
    max_turns: int | None
    include_summaries: bool
    source: Sentence

    @property
    def stage_rank(self) -> int:
        """Position of the runtime's stage; behind all stages without one."""
        return stage_rank(self.declared.stage if self.declared else "")


def stage_rank(stage: str) -> int:
    """Position of a stage among the five; behind all of them for an empty or unknown name."""
    return STAGES.index(stage) if stage in STAGES else len(STAGES)


def facts_of(checkout: Checkout | None, runtime_id: str, plugin_id: str, recorded: SegmentTree | None) -> RuntimeFacts:
    """Facts from the runtime's manifest where a folder holds it, else as far as the recording shows them."""
    runtime = checkout.runtime(runtime_id) if checkout is not None else None
    if runtime is not None and runtime.type:
        return declared_facts(runtime)
    return observed_facts(runtime_id, plugin_id, recorded)


def declared_facts(runtime: RuntimeManifest) -> RuntimeFacts:
    """Facts from a manifest."""
    manifest = Manifest(
        name=runtime.id,
        plugin_id=runtime.plugin,
        output_kind=runtime.visibility,
        output_contract=runtime.output_contract or None,
        advertise_events=runtime.advertise_events,
        require_tool_use=runtime.require_tool_use,
        complete_after_tools=runtime.complete_after_tools,
        output_schema=runtime.output_schema,
        injects=tuple(
            PluginDataInject(data.namespace, data.tag, data.format, data.max_entries) for data in runtime.self_data
        ),
    )
    return RuntimeFacts(
        manifest,
        runtime,
        runtime.max_turns,
        runtime.include_summaries,
        say("declared in {file}", file=runtime.place.path),
    )


def observed_facts(runtime_id: str, plugin_id: str, recorded: SegmentTree | None) -> RuntimeFacts:
    """Facts as far as a recorded request shows them; everything it cannot show stays at its default."""
    kinds = {segment.kind for segment in recorded.walk()} if recorded is not None else set()
    manifest = Manifest(
        name=runtime_id,
        plugin_id=plugin_id or runtime_id.partition("/")[0],
        output_kind="story" if kinds & {Kind.WORLD_LORE, Kind.PICTURES} else "",
        advertise_events=Kind.EVENTS in kinds,
    )
    return RuntimeFacts(
        manifest,
        None,
        None,
        Kind.SUMMARY in kinds,
        say("no manifest: read off the recorded request"),
    )
