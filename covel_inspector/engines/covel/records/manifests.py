"""What a Covel checkout or home folder declares, as far as the prompt is concerned.

Follows the reference on plugins.
"""

from dataclasses import dataclass, field
from typing import Any

from covel_inspector.domain import Problem


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A line of a file; ``path`` is relative to the root that was given, ``line`` counts from 1."""

    path: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class Localized:
    """A text and its variants by locale tag; the empty tag is the file or value without a locale."""

    variants: dict[str, str]
    places: dict[str, FilePlace] = field(default_factory=dict)
    """Where the text of a variant begins, by tag."""

    def distinct(self) -> tuple[tuple[str, str], ...]:
        """Every different text with the first tag it stands under: what to try when the locale is not certain."""
        first: dict[str, str] = {}
        for tag, text in self.variants.items():
            first.setdefault(text, tag)
        return tuple((tag, text) for text, tag in first.items())


@dataclass(frozen=True, slots=True)
class StaticSegment:
    """An entry of ``contributes.prompt``. ``depth`` is set when the position is ``{depth: n}`` (position "depth")."""

    id: str
    content: Localized
    position: str
    depth: int | None = None
    role: str = ""
    order: float | None = None
    place: FilePlace | None = None
    """The line that names it."""


@dataclass(frozen=True, slots=True)
class SelfData:
    """An entry of ``io.selfData``: a bounded block of the plugin's own rows, inside a tag."""

    namespace: str
    tag: str
    """As declared, angle brackets included or not."""
    format: str = "summary"
    max_entries: int = 50


@dataclass(frozen=True, slots=True)
class InputBinding:
    """An entry of ``io.inputs``; ``source`` is the raw ``from`` object."""

    name: str
    source: dict[str, Any]
    cardinality: str = "one"
    scope: str = "turn"
    select: str = ""
    accepts: str = ""
    required: bool | None = None
    record_as: str = ""
    place: FilePlace | None = None
    """The line that names it."""

    def part_of(self, output: Any) -> Any:
        """The part of a result that is bound; None when the pointer leads nowhere.

        Without a pointer an output with a member of the input's own name stands for that member.
        """
        if self.select:
            for step in self.select.strip("/").split("/"):
                if not isinstance(output, dict) or step not in output:
                    return None
                output = output[step]
            return output
        if isinstance(output, dict) and self.name in output:
            return output[self.name]
        return output


@dataclass(frozen=True, slots=True)
class RuntimeManifest:
    """One runtime: the inline one of a PLUGIN.md, or a RUNTIME.md.

    ``body`` is trimmed, without front matter; an empty file gives no variant. ``type`` is ``agent`` or ``function``,
    and empty when the front matter that would say so cannot be read.
    """

    id: str
    plugin: str
    type: str
    body: Localized
    place: FilePlace
    stage: str = ""
    trigger: dict[str, Any] = field(default_factory=dict)
    visibility: str = ""
    """``story``, ``plugin`` or ``system``: the kernel's output kind."""
    concealed: bool = False
    output_contract: str = ""
    output_schema: Any = None
    """The schema object, read from its file; None when there is none."""
    inputs: tuple[InputBinding, ...] = ()
    self_data: tuple[SelfData, ...] = ()
    slot: str = ""
    max_turns: int | None = None
    include_summaries: bool = False
    advertise_events: bool = False
    require_tool_use: bool = False
    complete_after_tools: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    max_retries: int = 1
    reasoning_effort: str = ""
    """As declared; "disabled" for reasoning switched off in either spelling."""
    tool_choice: Any = None
    """``"required"``, ``{"name": …}``, or None when nothing is declared."""
    record_as: str = ""
    needs: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    completion: str = ""
    """``await``, ``detached`` …: whether the turn waits for it."""

    def input(self, name: str) -> InputBinding | None:
        """The input of a name, None when none is declared."""
        return next((binding for binding in self.inputs if binding.name == name), None)


@dataclass(frozen=True, slots=True)
class PluginManifest:
    """One plugin package. ``extensions`` are (point, id) pairs; ``settings`` are defaults by key."""

    id: str
    version: str
    display_name: str
    place: FilePlace
    segments: tuple[StaticSegment, ...] = ()
    extensions: tuple[tuple[str, str], ...] = ()
    hooks: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    runtimes: tuple[RuntimeManifest, ...] = ()
    user_copy: bool = False
    kind: str = ""
    provides: tuple[str, ...] = ()
    """Contract ids."""


@dataclass(frozen=True, slots=True)
class WorldPackage:
    """A world folder: its lore text, metadata and authored lorebook entries (raw objects)."""

    id: str
    place: FilePlace
    metadata: dict[str, Any] = field(default_factory=dict)
    lore: Localized | None = None
    lorebook: tuple[dict[str, Any], ...] = ()
    default_locale: str = ""
    """The locale of texts without a tag."""
    dimensions: Any = None
    """As authored: in ``world.yaml`` or in a data file; None when there are none."""
    characters: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class SlotLimits:
    """Limits of a model slot: the context window and the tokens reserved for the answer; None = not given."""

    slot: str
    window: int | None = None
    reserve: int | None = None
    model: str = ""
    provider: str = ""
    protocol: str = ""
    late_system_as_user: bool | None = None
    prompt_cache_key: bool | None = None


@dataclass(frozen=True, slots=True)
class Checkout:
    """Everything read from the folder given as ``--covel-root``."""

    root: str
    plugins: dict[str, PluginManifest] = field(default_factory=dict)
    worlds: dict[str, WorldPackage] = field(default_factory=dict)
    slots: dict[str, SlotLimits] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    shadowed: tuple[PluginManifest, ...] = ()
    """Copies of a plugin that another one takes precedence over."""

    def runtime(self, runtime_id: str) -> RuntimeManifest | None:
        """The manifest of a runtime id (``plugin`` or ``plugin/runtime``)."""
        plugin = self.plugins.get(runtime_id.partition("/")[0])
        if plugin is None:
            return None
        return next((runtime for runtime in plugin.runtimes if runtime.id == runtime_id), None)

    def copies(self, plugin_id: str) -> tuple[PluginManifest, ...]:
        """Every copy of a plugin that was found, the one that counts first."""
        found = self.plugins.get(plugin_id)
        others = (plugin for plugin in self.shadowed if plugin.id == plugin_id)
        return (found, *others) if found is not None else ()
