"""Changes of a rebuild that the assembler itself can follow: locale, lorebook, window, body, segments, rows.

What has no parameter of its own is edited in the assembled messages instead, see :mod:`.editing`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from covel_inspector.domain import AbsenceReason, Absent, Changes, Grade, Kind, Origin, Sentence, say
from covel_inspector.engines.covel.assembler.params import ContextParams, HistoryRow, PromptSegment, Provenance
from covel_inspector.engines.covel.assembler.tree.describing_messages import row_key, row_title
from covel_inspector.engines.covel.rebuild.facts import RuntimeFacts
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.naming import lore_key, segment_key, segment_title, summary_key
from covel_inspector.engines.covel.records.rows import LorebookRow

OFF = say("switched off by hand")
EDITED = say("edited by hand")


def changed_record(record: SessionRecord, changes: Changes) -> SessionRecord:
    """The session with another locale and other lorebook entries."""
    evidence = record.evidence
    if changes.locale is not None and changes.locale != evidence.session.locale:
        evidence = replace(evidence, session=evidence.session.model_copy(update={"locale": changes.locale}))
    off = {*changes.lore_off, *changes.without}
    on = set(changes.lore_on)
    depths = dict(changes.lore_depth)
    if any(lore_key(row.id, row.owner) in off | on | set(depths) for row in evidence.lorebook):
        evidence = replace(evidence, lorebook=tuple(_entry(row, on, off, depths) for row in evidence.lorebook))
    return record if evidence is record.evidence else replace(record, evidence=evidence)


def changed_facts(facts: RuntimeFacts, changes: Changes) -> RuntimeFacts:
    """The runtime with another history window."""
    if changes.max_turns is not None:
        facts = replace(facts, max_turns=changes.max_turns if changes.max_turns >= 0 else None)
    if changes.include_summaries is not None:
        facts = replace(facts, include_summaries=changes.include_summaries)
    return facts


def changed_params(params: ContextParams, changes: Changes) -> tuple[ContextParams, tuple[Absent, ...]]:
    """The parameters with segments, rows and summaries switched off or edited, and what is absent for it."""
    without, texts = set(changes.without), dict(changes.texts)
    if changes.body is not None:
        edited = Provenance(params.body_provenance.origin, Grade.EXACT, EDITED)
        params = replace(params, prompt_template=changes.body, body_provenance=edited)
    if not without and not texts:
        return params, ()
    absent = [
        *_gone_segments(params.prompt_segments, without),
        *_gone_rows(params.message_history, without),
    ]
    return replace(
        params,
        prompt_segments=tuple(
            _segment(segment, texts)
            for segment in params.prompt_segments
            if segment_key(segment.plugin_id, segment.id) not in without
        ),
        message_history=tuple(row for row in params.message_history if row_key(row) not in without),
        summaries=tuple(summary for summary in params.summaries if summary_key(summary.id) not in without),
    ), tuple(absent)


def _entry(row: LorebookRow, on: set[str], off: set[str], depths: Mapping[str, int]) -> LorebookRow:
    key = lore_key(row.id, row.owner)
    if key in depths:
        row = row.model_copy(update={"position": "at_depth", "extra": _with_depth(row.extra, depths[key])})
    if key in off:
        return row.model_copy(update={"enabled": False})
    if key in on:
        return row.model_copy(update={"enabled": True, "strategy": "constant"})
    return row


def _with_depth(extra: object, depth: int) -> dict[str, object]:
    """The entry's extra fields with another place; the nested object counts where there is one."""
    fields = dict(extra) if isinstance(extra, Mapping) else {}
    coordinate = {"position": "at_depth", "depth": depth}
    inner = fields.get("extra")
    if isinstance(inner, Mapping):
        return {**fields, "extra": {**inner, "coordinate": coordinate}}
    return {**fields, "coordinate": coordinate}


def _segment(segment: PromptSegment, texts: dict[str, str]) -> PromptSegment:
    text = texts.get(segment_key(segment.plugin_id, segment.id))
    if text is None:
        return segment
    return replace(segment, content=text, provenance=Provenance(segment.provenance.origin, Grade.EXACT, EDITED))


def _gone_segments(segments: Iterable[PromptSegment], without: set[str]) -> Iterable[Absent]:
    for segment in segments:
        key = segment_key(segment.plugin_id, segment.id)
        if key in without:
            origin = segment.provenance.origin
            yield by_hand(key, Kind.EXTENSION, segment_title(segment.id), segment.content, origin)


def _gone_rows(rows: Iterable[HistoryRow], without: set[str]) -> Iterable[Absent]:
    for row in rows:
        if row_key(row) in without:
            kind = Kind.NOTE if row_key(row).startswith("note:") else Kind.HISTORY
            yield by_hand(row_key(row), kind, row_title(row), row.content, row.provenance.origin)


def by_hand(key: str, kind: Kind, title: Sentence, text: str, origin: Origin, after: str = "") -> Absent:
    """Something that a reader switched off."""
    return Absent(key, kind, title, AbsenceReason.DISABLED, OFF, text, origin, after, Grade.EXACT)
