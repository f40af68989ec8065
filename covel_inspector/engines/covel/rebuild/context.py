"""The parameters of one context, each from the best source at hand: rows, then files, then the recording."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from covel_inspector.domain import AbsenceReason, Absent, Changes, Grade, Kind, Origin, SegmentTree, Sentence, say
from covel_inspector.engines.covel.assembler.history_steps import is_note, view_history
from covel_inspector.engines.covel.assembler.params import (
    CompletedResult,
    ContextParams,
    HistoryRow,
    PluginRow,
    PromptSegment,
    Provenance,
    Summary,
    TurnInput,
)
from covel_inspector.engines.covel.assembler.tree.describing_messages import row_title
from covel_inspector.engines.covel.attribution import CallMoment, Lesson, learn_pack, overlay
from covel_inspector.engines.covel.javascript.locales import instruction_language
from covel_inspector.engines.covel.rebuild.absences import LATER, SAME_TURN, Why
from covel_inspector.engines.covel.rebuild.changing import changed_facts, changed_params, changed_record
from covel_inspector.engines.covel.rebuild.facts import RuntimeFacts, facts_of, stage_rank
from covel_inspector.engines.covel.rebuild.moment import History, Moment, history_at
from covel_inspector.engines.covel.rebuild.observed import Observed, observe
from covel_inspector.engines.covel.rebuild.older_values import NEWER, OlderValue, older_values
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.rebuild.slots import InputSlots, activation_of, input_slots, own_rows
from covel_inspector.engines.covel.rebuild.snapshot import changed_variables, snapshot_at
from covel_inspector.engines.covel.rebuild.taken import LEARNED, taken_keys, taken_segments
from covel_inspector.engines.covel.rebuild.unsent import UNKNOWN_LINE
from covel_inspector.engines.covel.records.locales import choose_variant
from covel_inspector.engines.covel.records.manifests import PluginManifest
from covel_inspector.engines.covel.records.naming import history_key, segment_key, summary_key
from covel_inspector.engines.covel.records.rows import TurnMessageRow
from covel_inspector.engines.covel.textpack import TextPack

_PICTURES = 2
_LEARNED_KEYS: Mapping[str, str] = {
    "preamble:runtime": "preamble.runtime",
    "preamble:language": "preamble.language",
    "preamble:completion": "preamble.completion",
    "cue": "story.cue",
    "prune-marker": "pruned.marker",
}
"""Key of a segment that is one fixed sentence → start of its key in the text pack."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What goes into the assembler, and what must be said about it afterwards.

    ``taken`` maps keys of segments to the reason why they come from the recording.
    """

    params: ContextParams
    pack: TextPack
    learned: frozenset[str]
    language: str
    facts: RuntimeFacts
    taken: Mapping[str, Sentence]
    absent: tuple[Absent, ...] = ()
    older: Mapping[str, OlderValue] = field(default_factory=dict)
    """Key of a variable's segment → its value, where only some members of it come from the recording."""


def prepare(
    record: SessionRecord, moment: Moment, recorded: SegmentTree | None, changes: Changes, lent: bool = False
) -> Prepared:
    """The parameters of a call, as it was made or with changes. Raises nothing of its own.

    ``lent``: the recording is that of another call of the same runtime; what belongs to its turn alone is not used.
    """
    recorded_locale = record.evidence.session.locale
    pack, learned = _pack(record, recorded, moment)
    record = changed_record(record, changes)
    evidence = record.evidence
    locale = evidence.session.locale
    language = instruction_language(locale or None)
    if language != instruction_language(recorded_locale or None):
        # Sentences of another language were never seen in this database: they are ours.
        learned = frozenset()
    facts = changed_facts(facts_of(evidence.checkout, moment.runtime_id, moment.plugin_id, recorded), changes)
    plugin = evidence.checkout.plugins.get(facts.manifest.plugin_id) if evidence.checkout is not None else None
    seen = observe(recorded)
    if lent:
        seen = replace(seen, player_line=UNKNOWN_LINE, inputs={}, exports={}, activation=None)
    history = history_at(evidence.rows, evidence.summaries, record.executions, moment)
    view = view_history([_history_row(row) for row in history.live], moment.runtime_id, (), facts.max_turns)
    own, own_taken = _own_data(record, moment, seen)
    statics = _statics(plugin, locale)
    known = {segment_key(segment.plugin_id, segment.id) for segment in statics}
    dynamic = taken_segments(recorded, known) if recorded is not None else []
    taken: dict[str, Sentence] = dict.fromkeys(
        taken_keys(dynamic), say("taken from the recording: plugin code makes this segment")
    )
    taken.update(own_taken)
    taken.update(_learned_segments(learned))
    body, body_provenance, variables = _body(facts, locale, seen, taken)
    if changes.body is not None:
        body, variables = changes.body, {}
    line, line_provenance = _player_line(record, moment, seen, changes, taken)
    changed = changed_variables(evidence, moment, body, seen.variables)
    inputs = _slots(record, moment, facts, seen, taken)
    activation = activation_of(facts.declared, moment, record.events)
    if activation is None and seen.activation is not None:
        activation = seen.activation
        taken["activation"] = say("taken from the recording: no row says what started the runtime")
    if seen.event_catalog:
        taken["events"] = say("taken from the recording: plugin code words the event directory")
    if seen.exports:
        taken["exports"] = say("taken from the recording: no manifest declares these inputs")
    params = ContextParams(
        manifest=facts.manifest,
        prompt_template=body,
        turn_input=TurnInput(
            evidence.session.id,
            moment.turn_id,
            line,
            locale or None,
            moment.runtime_id if activation is not None and activation.source == "manual" else None,
            line_provenance,
        ),
        completed_results=tuple(_results(record, moment, facts)),
        message_history=view.rows,
        execution_story=tuple(_history_row(row) for row in _stories(record, moment, facts)),
        picture_attachments=_PICTURES if facts.manifest.tells_story else 0,
        summaries=_summaries(history, facts),
        prompt_segments=(*statics, *dynamic),
        session=snapshot_at(record, pack, moment, line),
        user_settings=plugin.settings if plugin is not None else {},
        event_catalog=seen.event_catalog,
        input_slots=inputs.slots,
        export_slots=seen.exports,
        activation=activation,
        framework_preamble=None if facts.declared is not None else seen.preamble,
        plugin_data=own,
        body_provenance=body_provenance,
        slot_provenance=inputs.provenance,
        left_out=view.left_out,
    )
    older = older_values(params, pack, changed)
    params = replace(params, rendered_variables={**variables, **{path: value.text for path, value in older.items()}})
    taken.update({f"variable:{path}": NEWER for path, value in older.items() if value.is_whole})
    if facts.declared is None and seen.preamble is not None:
        taken["preamble"] = say("taken from the recording: no manifest says how the runtime ends")
    params, switched_off = changed_params(params, changes)
    for key in [key for key, _ in changes.texts] + (["body"] if changes.body is not None else []):
        taken.pop(key, None)
    absent = (*_absent_rows(history, facts, moment), *switched_off)
    partly = {f"variable:{path}": value for path, value in older.items() if not value.is_whole}
    return Prepared(params, pack, learned, language, facts, taken, absent, partly)


def _pack(record: SessionRecord, recorded: SegmentTree | None, moment: Moment) -> tuple[TextPack, frozenset[str]]:
    """The session's pack, with what only this request shows; a pack that was given is never changed."""
    if recorded is None or record.is_pack_given:
        return record.pack, record.learned
    seen = CallMoment(moment.turn_id, moment.runtime_id, moment.plugin_id, moment.started_at)
    own = learn_pack([Lesson(recorded, seen, record.index)])
    new = {key: variants for key, variants in own.items() if key not in record.learned}
    return overlay(record.pack, new), record.learned | set(new)


def _history_row(row: TurnMessageRow) -> HistoryRow:
    return HistoryRow(
        role=row.role,
        content=row.content,
        name=row.name,
        id=row.id,
        turn_id=row.turn_id,
        source_type=row.source_type,
        source_runtime_id=row.source_runtime_id,
        ui=row.ui,
        provenance=Provenance(
            Origin(plugin=row.source_plugin_id, runtime=row.source_runtime_id, table="turn_messages", rows=(row.id,))
        ),
    )


def _statics(plugin: PluginManifest | None, locale: str) -> list[PromptSegment]:
    """The static segments of the runtime's own plugin, in the session's language."""
    found: list[PromptSegment] = []
    for segment in plugin.segments if plugin is not None else ():
        variant = choose_variant(segment.content, locale)
        if plugin is None or variant is None:
            continue
        place = segment.content.places.get(variant.tag) or plugin.place
        found.append(
            PromptSegment(
                id=segment.id,
                content=variant.text,
                position=segment.position,
                depth=segment.depth,
                role=segment.role,
                audience="self",
                volatility="stable",
                order=segment.order,
                plugin_id=plugin.id,
                provenance=Provenance(
                    Origin(plugin=plugin.id, segment=segment.id, file=place.path, line=place.line),
                    Grade.EXACT,
                    say("declared in the plugin's manifest"),
                ),
            )
        )
    return found


def _body(
    facts: RuntimeFacts, locale: str, seen: Observed, taken: dict[str, Sentence]
) -> tuple[str, Provenance, dict[str, str]]:
    """The body's template, where it is from, and variables that must be inserted as they were recorded."""
    if facts.declared is not None:
        variant = choose_variant(facts.declared.body, locale)
        if variant is not None:
            place = facts.declared.body.places.get(variant.tag) or facts.declared.place
            origin = Origin(plugin=facts.declared.plugin, runtime=facts.declared.id, file=place.path, line=place.line)
            return variant.text, Provenance(origin, Grade.EXACT, say("the body in the plugin's folder")), {}
    taken["body"] = say("taken from the recording: no file holds the body")
    provenance = Provenance(Origin(runtime=facts.manifest.name), Grade.STRUCTURAL, taken["body"])
    if "{{" not in seen.body:
        return seen.body, provenance, {}
    taken["variable:recorded.body"] = taken["body"]
    return "{{recorded.body}}", provenance, {"recorded.body": seen.body}


def _player_line(
    record: SessionRecord, moment: Moment, seen: Observed, changes: Changes, taken: dict[str, Sentence]
) -> tuple[str, Provenance]:
    if changes.player_line is not None:
        return changes.player_line, Provenance(Origin(), Grade.EXACT, say("changed by hand"))
    for row in record.evidence.rows:
        if row.turn_id == moment.turn_id and row.source_type == "player":
            return row.content, Provenance(Origin(table="turn_messages", rows=(row.id,)))
    if seen.player_line:
        taken["player-line"] = say("taken from the recording: the turn left no row of the player's line")
    return seen.player_line, Provenance()


def _own_data(record: SessionRecord, moment: Moment, seen: Observed) -> tuple[list[PluginRow], dict[str, Sentence]]:
    rows, newer = own_rows(record.evidence.plugin_data, moment, "\n".join(seen.own_data.values()))
    why = say("some rows are newer than the call: {keys}", keys=", ".join(newer))
    return rows, {f"own-data:{tag}": why for tag in seen.own_data} if newer else {}


def _slots(
    record: SessionRecord, moment: Moment, facts: RuntimeFacts, seen: Observed, taken: dict[str, Sentence]
) -> InputSlots:
    checkout = record.evidence.checkout
    if facts.declared is None or checkout is None:
        if seen.inputs:
            taken["inputs"] = say("taken from the recording: no manifest declares these inputs")
        return InputSlots(seen.inputs)
    visible = [
        result
        for result in record.executions.of_turn(moment.turn_id)
        if result.created_at < moment.started_at or result is moment.execution
    ]
    return input_slots(facts.declared, visible, checkout)


def _results(record: SessionRecord, moment: Moment, facts: RuntimeFacts) -> Iterable[CompletedResult]:
    """Outputs of runtimes of earlier stages in this execution, for ``inputs.*`` variables."""
    checkout = record.evidence.checkout
    for result in moment.execution.runtime_results if moment.execution is not None else ():
        runtime_id = result.get("runtimeId")
        producer = checkout.runtime(runtime_id) if checkout is not None and isinstance(runtime_id, str) else None
        if producer is not None and stage_rank(producer.stage) < facts.stage_rank:
            yield CompletedResult(str(runtime_id), result.get("output"))


def _stories(record: SessionRecord, moment: Moment, facts: RuntimeFacts) -> Sequence[TurnMessageRow]:
    """The stories of this execution that the runtime could see: rows of story runtimes of earlier stages."""
    execution = moment.execution
    if execution is None:
        return ()
    found = []
    for row in record.evidence.rows:
        if row.turn_id != moment.turn_id or row.role != "assistant":
            continue
        if record.executions.of(row.turn_id, row.created_at) is not execution or not row.content.strip():
            continue
        if _tells_story_before(record, row.source_runtime_id, facts):
            found.append(row)
    return found


def _tells_story_before(record: SessionRecord, runtime_id: str, facts: RuntimeFacts) -> bool:
    checkout = record.evidence.checkout
    producer = checkout.runtime(runtime_id) if checkout is not None else None
    if producer is None:
        # Without files only a runtime that tells no story itself can be said to stand behind one.
        return runtime_id in _story_runtimes(record) and not facts.manifest.tells_story
    return producer.visibility == "story" and stage_rank(producer.stage) < facts.stage_rank


def _story_runtimes(record: SessionRecord) -> set[str]:
    """Without files: runtimes whose results name a narrative."""
    return {
        str(result.get("runtimeId"))
        for row in record.evidence.turn_results
        for result in row.runtime_results
        if isinstance(result.get("output"), dict) and isinstance(result["output"].get("narrative"), str)
    }


def _summaries(history: History, facts: RuntimeFacts) -> tuple[Summary, ...]:
    if facts.max_turns is not None and not facts.include_summaries:
        return ()
    return tuple(
        Summary(
            summary.id,
            summary.content,
            summary.focus_sections,
            Provenance(Origin(table="session_summaries", rows=(summary.id,))),
        )
        for summary in history.summaries
    )


def _absent_rows(history: History, facts: RuntimeFacts, moment: Moment) -> tuple[Absent, ...]:
    """Rows that a summary stands for, and rows that were committed later: they are not sent themselves."""
    shown = facts.max_turns is None or facts.include_summaries
    note = (
        say("a summary stands for it")
        if shown
        else say("it was compacted into a summary, and this runtime sees no summaries")
    )
    compacted = [
        _absent_row(row, Why(AbsenceReason.COMPACTION, note, Grade.EXACT), summary_key(row.summary_id) if shown else "")
        for row in history.compacted
    ]
    later = [_absent_row(row, SAME_TURN if row.turn_id == moment.turn_id else LATER, "") for row in history.later]
    return (*compacted, *later)


def _absent_row(row: TurnMessageRow, why: Why, after: str) -> Absent:
    logged = _history_row(row)
    note = is_note(logged)
    return Absent(
        f"note:{row.id}" if note else history_key(row.id),
        Kind.NOTE if note else Kind.HISTORY,
        row_title(logged),
        why.reason,
        why.note,
        row.content,
        Origin(plugin=row.source_plugin_id, runtime=row.source_runtime_id, table="turn_messages", rows=(row.id,)),
        after,
        why.grade,
    )


def _learned_segments(learned: frozenset[str]) -> dict[str, Sentence]:
    return {
        key: LEARNED
        for key, start in _LEARNED_KEYS.items()
        if any(name == start or name.startswith(start + ".") for name in learned)
    }
