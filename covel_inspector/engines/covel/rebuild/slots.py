"""Inputs, activation and own data of a runtime, from rows. Follows the reference on the assembler, section 8.

The engine keeps a result's resolved inputs nowhere but in a suspension; they are put together again from the
declarations of the manifest and the results of the same execution.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from covel_inspector.domain import Grade, Origin, say
from covel_inspector.engines.covel.assembler.params import Activation, PluginRow, Provenance
from covel_inspector.engines.covel.rebuild.moment import Moment
from covel_inspector.engines.covel.records.manifests import Checkout, InputBinding, RuntimeManifest
from covel_inspector.engines.covel.records.rows import EventRow, PluginDataRow, TurnResultRow

Json = Any


@dataclass(frozen=True, slots=True)
class InputSlots:
    """Name → slot for the inputs of a runtime, and where each was taken from."""

    slots: Mapping[str, Json]
    provenance: Mapping[str, Provenance] = field(default_factory=dict)


def input_slots(runtime: RuntimeManifest, results: Sequence[TurnResultRow], checkout: Checkout) -> InputSlots:
    """The slots of the declared inputs that a result of these executions can fill.

    ``results`` are the executions whose results the runtime could see, oldest first; a later one wins.
    """
    slots: dict[str, Json] = {}
    provenance: dict[str, Provenance] = {}
    for binding in runtime.inputs:
        found = [
            (row.id, result)
            for row in results
            for result in row.runtime_results
            if _produces(result, binding, checkout)
        ]
        if not found:
            continue
        if binding.cardinality == "one":
            found = found[-1:]
            slots[binding.name] = {"cardinality": "one", **_slot_value(found[0][1], binding)}
        else:
            values = [_slot_value(result, binding) for _, result in found]
            slots[binding.name] = {"cardinality": "many", "items": values}
        provenance[binding.name] = _provenance(binding, [row for row, _ in found])
    return InputSlots(slots, provenance)


def _provenance(binding: InputBinding, rows: Sequence[str]) -> Provenance:
    """Where the slot is declared, and the rows of the results in it. The slot itself names the runtime."""
    place = binding.place
    origin = Origin(
        file=place.path if place is not None else "",
        line=place.line if place is not None else 0,
        table="turn_results",
        rows=tuple(dict.fromkeys(rows)),
    )
    return Provenance(origin, Grade.EXACT, say("a result of this turn, bound as the manifest declares it"))


def _produces(result: Mapping[str, Json], binding: InputBinding, checkout: Checkout) -> bool:
    if result.get("status") not in ("success", "completed") or "output" not in result:
        return False
    runtime_id = result.get("runtimeId")
    if not isinstance(runtime_id, str):
        return False
    if binding.source.get("runtime") == runtime_id:
        return True
    contract = binding.source.get("contract")
    producer = checkout.runtime(runtime_id)
    return bool(contract) and producer is not None and producer.output_contract == contract


def _slot_value(result: Mapping[str, Json], binding: InputBinding) -> dict[str, Json]:
    source = {
        "pluginId": result.get("pluginId"),
        "runtimeId": result.get("runtimeId"),
        "resultId": result.get("runId"),
    }
    return {"value": binding.part_of(result.get("output")), "source": source}


def activation_of(runtime: RuntimeManifest | None, moment: Moment, events: Sequence[EventRow]) -> Activation | None:
    """What started the runtime, when rows tell: a manual execution, or an event that its trigger names."""
    execution = moment.execution
    if execution is not None and execution.origin == "manual":
        return Activation("manual", payload={"runtimeId": moment.runtime_id})
    trigger = runtime.trigger if runtime is not None else {}
    if trigger.get("type") != "event":
        return None
    topic = trigger.get("topic")
    for event in events:
        if event.turn_id == moment.turn_id and event.topic == topic:
            return Activation("event", payload={"topic": event.topic, "data": event.payload})
    return None


def own_rows(rows: Sequence[PluginDataRow], moment: Moment, recorded_block: str) -> tuple[list[PluginRow], list[str]]:
    """The plugin's rows as they were when the call was made, and the keys whose value came from the recording.

    A row that changed after the call has lost its old value; the recorded line of its key still shows it, unless
    the line was cut. ``recorded_block`` is the recorded text of the block, unescaped, empty when there is none.
    """
    lines = {key: value for key, value in (_line(line) for line in recorded_block.split("\n")) if key}
    found: list[PluginRow] = []
    taken: list[str] = []
    for row in rows:
        if row.plugin_id != moment.plugin_id or row.created_at >= moment.started_at:
            continue
        value, updated = row.value, row.updated_at
        provenance = Provenance(Origin(plugin=row.plugin_id, table="plugin_data", rows=(row.id,)))
        if row.updated_at >= moment.started_at and row.key in lines:
            value, updated = lines[row.key], row.created_at
            taken.append(row.key)
            provenance = Provenance(
                provenance.origin, Grade.GUESS, say("the row is newer than the call: its old value is the recorded one")
            )
        found.append(
            PluginRow(row.plugin_id, row.namespace, row.key, value, row.created_at, updated, row.id, provenance)
        )
    return found, taken


def _line(line: str) -> tuple[str, Json]:
    """Key and value of a recorded line of an own-data block; an empty key when it has no readable value."""
    head, divider, tail = line.removeprefix("- ").partition(" | ")
    if not divider:
        head, divider, tail = line.removeprefix("- ").partition(": ")
    if not divider or not line.startswith("- "):
        return "", None
    try:
        return head, json.loads(tail)
    except ValueError:
        return "", None
