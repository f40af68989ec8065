"""Data blocks of the turn: injects, slots, activation. Follows the reference on the assembler, section 8."""

import re
from collections.abc import Iterator, Mapping, Sequence

from covel_inspector.engines.covel.assembler.errors import AssemblerError
from covel_inspector.engines.covel.assembler.escaping import Json, escape, model_facing, printed, shortened
from covel_inspector.engines.covel.assembler.params import (
    Activation,
    ContextParams,
    PluginDataInject,
    PluginRow,
    RuntimeInject,
)
from covel_inspector.engines.covel.assembler.pieces import ActivationBlock, Injected, OwnData, Piece, Slots
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.javascript import ordered_items, stringify

SUMMARY_LIMIT = 200
"""UTF-16 units of a row's JSON in the summary format."""

HIDDEN = "_hidden."
"""Namespaces that begin so are never shown."""

_SAFE_TAG = re.compile(r"[A-Za-z0-9_-]+")


def turn_data(params: ContextParams, wording: Wording) -> tuple[Piece, ...]:
    """The blocks in prompt order. Raises AssemblerError for what the engine refuses."""
    pieces = [
        piece
        for inject in params.manifest.injects
        if (
            piece := _runtime_block(inject, params)
            if isinstance(inject, RuntimeInject)
            else _own_data_block(inject, params, wording)
        )
        is not None
    ]
    if params.input_slots:
        stories = {row.content for row in params.execution_story if row.content}
        pieces.append(_slots_block("runtime-inputs", params.input_slots, stories, wording))
    if params.export_slots:
        pieces.append(_slots_block("runtime-exports", params.export_slots, frozenset(), wording))
    if params.activation is not None and params.activation.source != "stage":
        pieces.append(activation_block(params.activation))
    return tuple(pieces)


def activation_block(activation: Activation) -> Piece:
    """The ``<runtime-activation>`` block. A missing payload has no key; null stays."""
    value: dict[str, Json] = {"source": activation.source, "detached": activation.detached}
    if activation.has_payload:
        value["payload"] = model_facing(activation.payload)
    block = f"<runtime-activation>\n{escape(stringify(value))}\n</runtime-activation>"
    return Piece(block, ActivationBlock(activation.source, activation.source == "stage"))


def safe_tag(declared: str) -> str:
    """The tag of an inject without its brackets. Raises AssemblerError (unsafe-tag) for other characters."""
    tag = declared.removeprefix("<").removesuffix(">")
    if _SAFE_TAG.fullmatch(tag) is None:
        raise AssemblerError(
            "unsafe-tag", declared, f"'{declared}' cannot be a tag: only letters, digits, '-' and '_' are allowed"
        )
    return tag


def shown_rows(rows: Sequence[PluginRow], limit: int) -> tuple[PluginRow, ...]:
    """The rows of a bounded read: all in creation order, or the oldest half and the most recently updated others."""
    created = sorted(rows, key=lambda row: row.created_at)
    if len(created) <= limit:
        return tuple(created)
    oldest = created[: limit // 2]
    others = sorted(created[limit // 2 :], key=lambda row: row.key)
    others.sort(key=lambda row: row.updated_at, reverse=True)
    return (*oldest, *others[: limit - len(oldest)])


def _runtime_block(inject: RuntimeInject, params: ContextParams) -> Piece | None:
    output: Json = None
    for result in params.completed_results:
        if result.runtime == inject.source:
            output = result.output
    value = output.get(inject.field) if isinstance(output, Mapping) else None
    if value is None:
        return None
    tag = safe_tag(inject.as_tag)
    return Piece(f"<{tag}>{escape(printed(value))}</{tag}>", Injected(inject, tag))


def _own_data_block(inject: PluginDataInject, params: ContextParams, wording: Wording) -> Piece:
    if params.plugin_data is None:
        raise AssemblerError(
            "store-required", inject.namespace, f"Own data of '{inject.namespace}' needs the plugin's stored rows"
        )
    if inject.namespace.startswith(HIDDEN):
        raise AssemblerError(
            "hidden-namespace", inject.namespace, f"The namespace '{inject.namespace}' is hidden and is never shown"
        )
    tag = safe_tag(inject.as_tag)
    plugin = params.manifest.plugin_id
    rows = [row for row in params.plugin_data if row.plugin_id == plugin and row.namespace == inject.namespace]
    shown = shown_rows(rows, inject.max_entries)
    source = OwnData(inject, tag, shown, len(rows))
    if not rows:
        return Piece(f"<{tag}>{wording.text('plugindata.none')}</{tag}>", source)
    lines = escape("\n".join(_row_line(row, inject.format) for row in shown))
    if len(rows) > len(shown):
        lines += "\n" + wording.text("plugindata.more", total=len(rows), shown=len(shown))
    return Piece(f"<{tag}>\n{lines}\n</{tag}>", source)


def _row_line(row: PluginRow, layout: str) -> str:
    if layout == "ids-only":
        return f"- {row.key}"
    value = model_facing(row.value)
    if isinstance(value, dict) and value.get("id") == row.key:
        value = {name: member for name, member in value.items() if name != "id"}
    text = stringify(value)
    return f"- {row.key}: {text}" if layout == "full" else f"- {row.key} | {shortened(text, SUMMARY_LIMIT)}"


def _slots_block(tag: str, slots: Mapping[str, Json], stories: frozenset[str] | set[str], wording: Wording) -> Piece:
    shown: dict[str, Json] = {}
    replaced: list[str] = []
    for name, slot in ordered_items(slots):
        if isinstance(slot, Mapping):
            points = _points_at(slot, stories)
            if points:
                replaced.append(name)
            shown[name] = dict(_slot(slot, wording.text("inputs.storyNote") if points else None))
        else:
            shown[name] = slot
    block = f"<{tag}>\n{escape(stringify(shown))}\n</{tag}>"
    return Piece(block, Slots(tag, tuple(shown), tuple(replaced)))


def _points_at(slot: Mapping[str, Json], stories: frozenset[str] | set[str]) -> bool:
    """True when the whole value of a slot for one value is the text of a story of this execution."""
    value = slot.get("value")
    return slot.get("cardinality") == "one" and isinstance(value, str) and value in stories


def _slot(slot: Mapping[str, Json], pointer: str | None) -> Iterator[tuple[str, Json]]:
    for name, member in slot.items():
        if name == "value":
            yield name, model_facing(member) if pointer is None else pointer
        elif name == "source":
            yield name, _origin(member)
        elif name == "items" and isinstance(member, list):
            yield name, [dict(_slot(item, None)) if isinstance(item, Mapping) else item for item in member]
        else:
            yield name, member


def _origin(source: Json) -> Json:
    if not isinstance(source, Mapping):
        return source
    return {name: source[name] for name in ("pluginId", "runtimeId") if name in source}
