"""Who filled each slot of the engine's input and export blocks. Step f of the reference on attribution.

A slot names the runtime that filled it. Which row that was is only said where one fits: a result of the same turn
that was there before the call, or the newest committed export.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from covel_inspector.domain import Grade, Kind, Origin, Sentence, Volatility, say
from covel_inspector.engines.covel.assembler.escaping import json_of
from covel_inspector.engines.covel.assembler.slot_text import Slot, SlotPiece, common, cut_slots, filled_by, fillings
from covel_inspector.engines.covel.attribution.blocks import Block
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.manifests import FilePlace, InputBinding
from covel_inspector.engines.covel.records.naming import (
    SLOT_FRAME_TITLES,
    slot_frame_key,
    slot_frame_kind,
    slot_key,
    slot_title,
)
from covel_inspector.engines.covel.records.rows import RuntimeExportRow

_FRAME_REASON = say("the engine's own text around the slots of a block")
_SLOT_REASON = say("a slot in the engine's form, which names the runtime that filled it")
_ALL_EQUAL = say("each of its values equals a row")
_NO_ROW = say("No row that was there before the call fits.")
_OTHER_VALUE = say("The row of this runtime's result holds another value.")
_UNKNOWN_PART = say("Which part of this runtime's result was bound is not known without the plugin's files.")
_SEVERAL = say("Several rows have this value: which of them it is cannot be told.")
_MORE_FIELDS = say("It has fields that no row tells of.")
_NOT_DECLARED = say("The manifest declares no input of this name.")
_OWN_FIELDS = {"one": {"cardinality", "value", "source"}, "many": {"cardinality", "items"}}
_ITEM_FIELDS = {"value", "source"}
_SOURCE_FIELDS = {"pluginId", "runtimeId"}
_SUCCESS = frozenset({"success", "completed"})
_MOST_MEMBERS = 100
_NO_PLACE = FilePlace("", 0)
_SECONDS = len("2026-01-01T00:00:00")


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of one value: ``equal`` says to what it is equal, None when no row has it."""

    origin: Origin
    equal: Sentence | None = None
    note: Sentence | None = None


@dataclass(frozen=True, slots=True)
class _Result:
    """The output of a run that a call could see; ``origin`` names the row that keeps it."""

    origin: Origin
    output: Any


class SlotReader:
    """Reads the blocks of one call. ``told``: the texts that the conversation shows as stories of this turn."""

    def __init__(self, moment: CallMoment, index: SessionIndex, told: Collection[str]) -> None:
        self._moment = moment
        self._index = index
        self._told = told
        self._manifest = index.runtime(moment.runtime_id)

    def claims(self, text: str, block: Block, kind: Kind) -> tuple[Claim, ...]:
        """Claims that tile the block; none when it is not made of slots. ``kind``: inputs or exports."""
        pieces = cut_slots(text[block.start : block.end])
        return tuple(
            Claim(block.start + piece.start, block.start + piece.end, self._label(piece, kind)) for piece in pieces
        )

    def _label(self, piece: SlotPiece, kind: Kind) -> Label:
        if piece.frame:
            return _frame(kind, piece.frame)
        binding = self._manifest.input(piece.name) if self._manifest is not None else None
        is_undeclared = self._manifest is not None and binding is None
        found = [self._find(filling, piece.name, kind, binding) for filling in fillings(piece.slot)]
        is_whole = _has_only_own_fields(piece.slot)
        grade, reason = Grade.STRUCTURAL, _SLOT_REASON
        if is_whole and not is_undeclared and found and all(one.equal is not None for one in found):
            grade, reason = Grade.EXACT, found[0].equal if len(found) == 1 and found[0].equal else _ALL_EQUAL
        notes = [*_told_of_many(piece.slot), *dict.fromkeys(one.note for one in found if one.note is not None)]
        if not is_whole:
            notes.append(_MORE_FIELDS)
        if is_undeclared:
            notes.append(_NOT_DECLARED)
        return Label(
            slot_key(kind, piece.name),
            kind,
            slot_title(kind, piece.name),
            grade,
            reason,
            found[0].origin if len(found) == 1 else _joined([one.origin for one in found]),
            Volatility.TURN,
            notes=tuple(notes),
        )

    def _find(self, filling: Slot, name: str, kind: Kind, binding: InputBinding | None) -> _Found:
        plugin, runtime = filled_by(filling)
        place = binding.place if binding is not None and binding.place is not None else _NO_PLACE
        origin = Origin(plugin, runtime, file=place.path, line=place.line)
        value = filling.get("value")
        if not runtime or value is None:
            return _Found(origin)
        results = list(self._results(origin)) if kind is Kind.INPUTS and _may_be(binding, "turn") else []
        found = list(islice(_equal_results(value, name, results, binding), 1))
        if kind is Kind.EXPORTS or _may_be(binding, "committed"):
            found.extend(self._equal_exports(value, origin, binding))
        if not found:
            return self._without_equal(value, name, origin, results, binding)
        return found[0] if len(found) == 1 else _Found(origin, note=_SEVERAL)

    def _without_equal(
        self, value: Any, name: str, origin: Origin, results: list[_Result], binding: InputBinding | None
    ) -> _Found:
        """A pointer at the story that the conversation shows, or a value that no row has."""
        if isinstance(value, str):
            for result in results:
                if any(isinstance(part, str) and part in self._told for _, part in _parts(result, name, binding)):
                    note = say(
                        "A pointer at the story that {runtime} told in this turn stands instead of a copy.",
                        runtime=origin.runtime,
                    )
                    return _Found(result.origin, note=note)
        if len(results) == 1:
            return _Found(results[0].origin, note=_UNKNOWN_PART if binding is None else _OTHER_VALUE)
        return _Found(origin, note=_NO_ROW)

    def _results(self, origin: Origin) -> Iterator[_Result]:
        """The successful results of a runtime in this turn that were there before the call, newest first."""
        turn, started = self._moment.turn_id, self._moment.started_at
        rows = self._index.executions.of_turn(turn)
        if started:
            rows = rows[: self._index.executions.number(turn, started) + 1]
        for row in reversed(rows):
            for run in reversed(row.runtime_results):
                if run.get("runtimeId") != origin.runtime or run.get("status") not in _SUCCESS or "output" not in run:
                    continue
                by = run.get("pluginId")
                if (by is None or by == origin.plugin) and not _ended_later(run.get("timestamp"), started):
                    yield _Result(_in_rows(origin, "turn_results", row.id), run["output"])

    def _equal_exports(self, value: Any, origin: Origin, binding: InputBinding | None) -> Iterator[_Found]:
        """The newest export of each name that was committed before the call, if its value is this one."""
        by_name = self._index.exports.get((origin.plugin, origin.runtime), {})
        wanted = binding.record_as if binding is not None else ""
        for name in [wanted] if wanted else by_name:
            row = _newest(by_name.get(name, ()), self._moment.started_at)
            if row is not None and any(_same(value, part) for part in _exported_parts(row, binding)):
                equal = say(
                    "equal to the export {name} of {runtime}, revision {n}",
                    name=name,
                    runtime=origin.runtime,
                    n=row.revision,
                )
                yield _Found(_in_rows(origin, "runtime_exports", row.result_id), equal)


@cache
def _frame(kind: Kind, frame: str) -> Label:
    key, title = slot_frame_key(kind, frame), SLOT_FRAME_TITLES[frame]
    of = slot_frame_kind(kind, frame)
    return Label(key, of, title, Grade.STRUCTURAL, _FRAME_REASON, volatility=Volatility.TURN)


def _may_be(binding: InputBinding | None, scope: str) -> bool:
    return binding is None or binding.scope == scope


def _ended_later(time: object, started: str) -> bool:
    """Whether a run ended after a call began. The two times come from different clocks: whole seconds count."""
    return isinstance(time, str) and time[:_SECONDS] > started[:_SECONDS] > ""


def _newest(rows: Sequence[RuntimeExportRow], started: str) -> RuntimeExportRow | None:
    """The last row, of rows in order, that was committed before a call."""
    number = bisect_right(rows, started, key=lambda row: row.committed_at) if started else len(rows)
    return rows[number - 1] if number else None


def _in_rows(origin: Origin, table: str, row: str) -> Origin:
    return Origin(origin.plugin, origin.runtime, file=origin.file, line=origin.line, table=table, rows=(row,))


def _equal_results(value: Any, name: str, results: list[_Result], binding: InputBinding | None) -> Iterator[_Found]:
    """Results with a part of this value, newest first, one part of each."""
    for result in results:
        equal = (pointer for pointer, part in _parts(result, name, binding) if _same(value, part))
        yield from (_Found(result.origin, _equal_to(result.origin.runtime, pointer)) for pointer in islice(equal, 1))


def _parts(result: _Result, name: str, binding: InputBinding | None) -> Iterator[tuple[str, Any]]:
    """What of an output may have been bound: what the manifest says, or, without files, itself and its members."""
    output = result.output
    if binding is not None:
        part = binding.part_of(output)
        own_name = name if part is not output else ""
        yield (binding.select or own_name), part
        return
    yield "", output
    if isinstance(output, dict):
        if name in output:
            yield name, output[name]
        yield from islice(output.items(), _MOST_MEMBERS)


def _exported_parts(row: RuntimeExportRow, binding: InputBinding | None) -> Iterator[Any]:
    yield row.value
    if binding is not None:
        yield binding.part_of(row.value)


def _equal_to(runtime: str, part: str) -> Sentence:
    if part:
        return say("equal to {part} in the result of {runtime}", part=part, runtime=runtime)
    return say("equal to the result of {runtime}", runtime=runtime)


def _same(value: Any, part: Any) -> bool:
    """Whether a printed value is a stored one without the fields that the engine leaves out."""
    if isinstance(value, str | dict | list) or isinstance(part, str | dict | list):
        if type(value) is not type(part):
            return False
        if isinstance(value, str):
            return bool(value == part)
    return stringify(value) == json_of(part)


def _has_only_own_fields(slot: Slot) -> bool:
    """Whether a slot has the engine's own fields and no more: then its whole text follows from its values."""
    if slot.keys() != _OWN_FIELDS[slot["cardinality"]]:
        return False
    return all(
        filling["source"].keys() == _SOURCE_FIELDS and (filling is slot or filling.keys() == _ITEM_FIELDS)
        for filling in fillings(slot)
    )


def _joined(origins: Sequence[Origin]) -> Origin:
    """One origin for all values of a slot: what differs between them is left empty; rows stay if in one table."""
    table = common([origin.table for origin in origins])
    return Origin(
        plugin=common([origin.plugin for origin in origins]),
        runtime=common([origin.runtime for origin in origins]),
        file=next((origin.file for origin in origins), ""),
        line=next((origin.line for origin in origins), 0),
        table=table,
        rows=tuple(dict.fromkeys(row for origin in origins for row in origin.rows)) if table else (),
    )


def _told_of_many(slot: Slot) -> Iterator[Sentence]:
    if slot["cardinality"] == "many":
        runtimes = dict.fromkeys(filled_by(filling)[1] or "?" for filling in fillings(slot))
        yield say("{n} values, from {runtimes}.", n=len(fillings(slot)), runtimes=", ".join(runtimes) or "–")
