"""The rows and files of a session, hashed once, so that a call is attributed by look-ups."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from covel_inspector.domain import Grade, Kind, Origin, Sentence, say
from covel_inspector.engines.covel.attribution.body import Template, templates_of
from covel_inspector.engines.covel.attribution.claims import Label
from covel_inspector.engines.covel.attribution.evidence import CallMoment, SessionEvidence
from covel_inspector.engines.covel.attribution.lore import IndexedLore, by_label, index_lore
from covel_inspector.engines.covel.attribution.statics import IndexedStatic, index_statics
from covel_inspector.engines.covel.attribution.vocabulary import Vocabulary
from covel_inspector.engines.covel.attribution.world_text import world_lore_texts
from covel_inspector.engines.covel.records.executions import Executions
from covel_inspector.engines.covel.records.manifests import RuntimeManifest
from covel_inspector.engines.covel.records.naming import history_key
from covel_inspector.engines.covel.records.rows import (
    PluginDataRow,
    RuntimeExportRow,
    SummaryRow,
    ToolCallRow,
    TurnMessageRow,
)

_ROW_REASON = say("equal to a row that was committed before the call; the newest fitting row is taken")
_SUCCESS = frozenset({"success", "completed"})


@dataclass(frozen=True, slots=True)
class IndexedRow:
    """A history row with what is asked of it in every call.

    ``committed`` is when its execution was committed ("" = from the start), ``folded`` when the summary that now
    stands for it was made ("" = never, as far as rows tell). ``structured`` = output that other runtimes never see;
    ``is_filtered`` = a runtime's row that not every runtime is shown.
    ``label`` is what is said of a message that equals the row.
    """

    number: int
    row: TurnMessageRow
    committed: str
    folded: str
    structured: bool
    is_filtered: bool
    is_player: bool
    is_note: bool
    label: Label


@dataclass(frozen=True, slots=True)
class StoryText:
    """A text that a runtime of a turn gave out as (part of) its output."""

    plugin: str
    runtime: str
    table: str
    row: str
    has_twin: bool = False
    """Another row of the turn, or another runtime's result, has the same text."""


@dataclass(frozen=True, slots=True)
class SessionIndex:
    """Look-up tables over the evidence of one session; immutable, shared by all its calls."""

    evidence: SessionEvidence
    active: frozenset[str]
    """Ids of the active plugins."""
    rows: tuple[IndexedRow, ...]
    rows_by_text: dict[str, list[IndexedRow]]
    player_rows: dict[str, list[IndexedRow]]
    """Rows of the player by turn id."""
    stories: dict[str, dict[str, StoryText]]
    """Turn id -> text -> who gave it out."""
    storytellers: frozenset[str]
    """Ids of the runtimes whose rows are texts that others read: those that tell the story, as far as rows say."""
    summaries: dict[str, list[SummaryRow]]
    """By content, in the order of the rows."""
    lore: dict[str, list[IndexedLore]]
    """By first line of the content."""
    lore_labels: dict[str, list[IndexedLore]]
    statics: dict[str, list[IndexedStatic]]
    """Declared segments by plugin id."""
    templates: dict[str, list[Template]]
    """Bodies by runtime id, the session's locale first."""
    world_lore: dict[str, Origin]
    tool_rows: dict[tuple[str, str, str], list[ToolCallRow]]
    """Executed calls by (turn, runtime, tool)."""
    own_data: dict[str, dict[str, PluginDataRow]]
    """Plugin id -> "namespace\\nkey" -> row."""
    exports: dict[tuple[str, str], dict[str, list[RuntimeExportRow]]]
    """(plugin, runtime) -> name -> its committed values, oldest first."""
    executions: Executions
    pruned: frozenset[tuple[str, str, int]]
    """(turn, runtime, number of the execution) whose history was pruned, by the trace."""
    rewritten: dict[tuple[str, str], str]
    """(turn, runtime) whose system prompt a hook changed -> the hook's plugin."""
    vocabulary: Vocabulary

    def was_pruned(self, moment: CallMoment) -> bool:
        """True when the trace says that history was left out of requests of the call's run."""
        execution = self.executions.number(moment.turn_id, moment.started_at)
        return (moment.turn_id, moment.runtime_id, execution) in self.pruned

    def runtime(self, runtime_id: str) -> RuntimeManifest | None:
        """The manifest of a runtime, None without files."""
        checkout = self.evidence.checkout
        return checkout.runtime(runtime_id) if checkout is not None else None


def index_session(evidence: SessionEvidence) -> SessionIndex:
    """The look-up tables of a session. Build it again when the session's rows or the checkout change."""
    executions = Executions(evidence.turn_results)
    rows = _index_rows(evidence, executions)
    by_text: dict[str, list[IndexedRow]] = defaultdict(list)
    players: dict[str, list[IndexedRow]] = defaultdict(list)
    for row in rows:
        by_text[row.row.content].append(row)
        if row.is_player:
            players[row.row.turn_id].append(row)
    active = frozenset(evidence.session.active_plugins)
    tools: dict[tuple[str, str, str], list[ToolCallRow]] = defaultdict(list)
    for call in evidence.tool_calls:
        tools[call.turn_id, call.runtime_id, call.tool_name].append(call)
    own: dict[str, dict[str, PluginDataRow]] = defaultdict(dict)
    for data in evidence.plugin_data:
        own[data.plugin_id][f"{data.namespace}\n{data.key}"] = data
    lore = index_lore(evidence.lorebook)
    return SessionIndex(
        evidence=evidence,
        active=active,
        rows=rows,
        rows_by_text=dict(by_text),
        player_rows=dict(players),
        stories=_stories(evidence, rows),
        storytellers=frozenset(row.row.source_runtime_id for row in rows if _tells(row)),
        summaries=_by_content(evidence.summaries),
        lore=lore,
        lore_labels=by_label(lore),
        statics=index_statics(evidence.checkout, active, evidence.session.locale),
        templates=templates_of(evidence.checkout, active, evidence.session.locale),
        world_lore=world_lore_texts(evidence.session, evidence.world),
        tool_rows=dict(tools),
        own_data=dict(own),
        exports=_by_producer(evidence.exports),
        executions=executions,
        pruned=_pruned(evidence, executions),
        rewritten=_rewritten(evidence),
        vocabulary=Vocabulary(evidence),
    )


def _by_content(summaries: Iterable[SummaryRow]) -> dict[str, list[SummaryRow]]:
    found: dict[str, list[SummaryRow]] = defaultdict(list)
    for summary in summaries:
        found[summary.content].append(summary)
    return dict(found)


def _by_producer(
    exports: Iterable[RuntimeExportRow],
) -> dict[tuple[str, str], dict[str, list[RuntimeExportRow]]]:
    found: dict[tuple[str, str], dict[str, list[RuntimeExportRow]]] = defaultdict(lambda: defaultdict(list))
    for export in sorted(exports, key=lambda export: (export.committed_at, export.revision)):
        found[export.producer_plugin_id, export.producer_runtime_id][export.record_as].append(export)
    return {producer: dict(by_name) for producer, by_name in found.items()}


def _index_rows(evidence: SessionEvidence, executions: Executions) -> tuple[IndexedRow, ...]:
    folded = {summary.id: summary.created_at for summary in evidence.summaries}
    ordered = sorted(evidence.rows, key=lambda row: (row.created_at, row.order))
    return tuple(
        _indexed(number, row, executions.commit_time(row) or "", _folded(row, folded))
        for number, row in enumerate(ordered)
    )


def _folded(row: TurnMessageRow, made: dict[str, str]) -> str:
    """When the row's summary was made; a summary that is gone counts as older than everything."""
    return made.get(row.summary_id, "0") if row.summary_id else ""


def _indexed(number: int, row: TurnMessageRow, committed: str, folded: str) -> IndexedRow:
    note = _is_picture_note(row)
    label = Label(
        f"note:{row.id}" if note else history_key(row.id),
        Kind.NOTE if note else Kind.HISTORY,
        _row_title(row, note),
        Grade.EXACT,
        _ROW_REASON,
        Origin(plugin=row.source_plugin_id, runtime=row.source_runtime_id, table="turn_messages", rows=(row.id,)),
    )
    by_runtime = row.source_type == "runtime"
    structured = by_runtime and _looks_structured(row.content)
    filtered = structured or (by_runtime and not row.content.strip())
    return IndexedRow(number, row, committed, folded, structured, filtered, row.source_type == "player", note, label)


def _row_title(row: TurnMessageRow, note: bool) -> Sentence:
    if note:
        return say("Note about a picture")
    if row.source_type == "player":
        return say("Player")
    return say("Reply of {runtime}", runtime=row.source_runtime_id or row.source_plugin_id or row.source_type)


def _is_picture_note(row: TurnMessageRow) -> bool:
    if row.source_type != "system" or not isinstance(row.ui, list) or not row.ui:
        return False
    return isinstance(row.ui[0], dict) and row.ui[0].get("type") == "asset.generate"


def _looks_structured(content: str) -> bool:
    """The engine's own test for output that other runtimes must not read: the runtime reference, section 3."""
    text = content.strip()
    if text.startswith("```") and text.endswith("```") and len(text) > 6:
        first, _, rest = text[3:-3].partition("\n")
        text = rest.strip() if first.strip().replace("-", "").isalnum() or not first.strip() else text[3:-3].strip()
    elif len(text) > 2 and text[0] == text[-1] == "`":
        text = text[1:-1].strip()
    lowered = text[:7].lower()
    return text[:1] in ("{", "[") or lowered.startswith(("<tool-", "<tool ", "<tool>", "<tool\n"))


def _tells(indexed: IndexedRow) -> bool:
    row = indexed.row
    return (
        row.source_type == "runtime"
        and row.role == "assistant"
        and bool(row.content.strip())
        and not indexed.structured
    )


def _stories(evidence: SessionEvidence, rows: Iterable[IndexedRow]) -> dict[str, dict[str, StoryText]]:
    found: dict[str, dict[str, StoryText]] = defaultdict(dict)
    for indexed in rows:
        row = indexed.row
        if _tells(indexed):
            story = StoryText(row.source_plugin_id, row.source_runtime_id, "turn_messages", row.id)
            known = found[row.turn_id].setdefault(row.content, story)
            if known is not story:
                found[row.turn_id][row.content] = replace(known, has_twin=True)
    for result in evidence.turn_results:
        for run in result.runtime_results:
            if run.get("status") not in _SUCCESS:
                continue
            story = StoryText(str(run.get("pluginId", "")), str(run.get("runtimeId", "")), "turn_results", result.id)
            for text in _output_texts(run.get("output")):
                known = found[result.turn_id].setdefault(text, story)
                if known.runtime != story.runtime or (known.table == story.table and known.row != story.row):
                    found[result.turn_id][text] = replace(known, has_twin=True)
    return dict(found)


def _output_texts(output: object) -> list[str]:
    values = output.values() if isinstance(output, dict) else (output,)
    return [value for value in values if isinstance(value, str) and value.strip()]


def _pruned(evidence: SessionEvidence, executions: Executions) -> frozenset[tuple[str, str, int]]:
    return frozenset(
        (trace.turn_id, str(trace.payload.get("runtimeId", "")), executions.number(trace.turn_id, trace.created_at))
        for trace in evidence.traces
        if trace.type == "context.pruned" and _positive(trace.payload.get("prunedMessageCount"))
    )


def _positive(value: object) -> bool:
    return isinstance(value, int | float) and value > 0


def _rewritten(evidence: SessionEvidence) -> dict[tuple[str, str], str]:
    """Runs whose system prompt a hook replaced by another text."""
    found: dict[tuple[str, str], str] = {}
    for trace in evidence.traces:
        if trace.type != "hook.rewrote":
            continue
        diff = trace.payload.get("diff")
        if not isinstance(diff, dict):
            continue
        before, after = (_system_prompt(diff.get(side)) for side in ("before", "after"))
        if before != after:
            run = (trace.turn_id, str(trace.payload.get("runtimeId", "")))
            found[run] = str(trace.payload.get("pluginId") or "")
    return found


def _system_prompt(side: object) -> object:
    if not isinstance(side, dict):
        return None
    if "systemPrompt" in side:
        return side["systemPrompt"]
    messages = side.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    return first.get("content") if isinstance(first, dict) and first.get("role") == "system" else None
