"""ContextParams from the JSON of a case."""

from collections.abc import Mapping

from covel_inspector.engines.covel.assembler.params import (
    Activation,
    CompletedResult,
    ContextParams,
    HistoryRow,
    Inject,
    LoreContribution,
    Manifest,
    PluginDataInject,
    PluginRow,
    PromptSegment,
    RuntimeInject,
    SessionMeta,
    SessionSnapshot,
    Summary,
    TurnInput,
)
from covel_inspector.engines.covel.budget.limits import BudgetOptions
from covel_inspector.engines.covel.evaluate.expanding import (
    CaseError,
    Json,
    number,
    rows,
    section,
    text,
    texts,
    whole,
)
from covel_inspector.engines.covel.javascript import ordered_items


def context_params(params: Mapping[str, Json]) -> ContextParams:
    """The params of a ``context`` case. Raises CaseError for a field of a wrong shape."""
    store = params.get("store")
    preamble = params.get("frameworkPreamble")
    return ContextParams(
        manifest=manifest(section(params, "manifest")),
        prompt_template=text(params, "promptTemplate"),
        turn_input=_turn_input(section(params, "turnInput")),
        completed_results=tuple(
            CompletedResult(runtime, result.get("output") if isinstance(result, dict) else None)
            for runtime, result in ordered_items(section(params, "completedResults"))
        ),
        message_history=tuple(map(history_row, rows(params, "messageHistory"))),
        execution_story=tuple(map(history_row, rows(params, "executionStory"))),
        picture_attachments=whole(params, "pictureAttachments"),
        summaries=tuple(map(summary, rows(params, "summaries"))),
        prompt_segments=tuple(map(_segment, rows(params, "promptSegments"))),
        session=_snapshot(params["sessionContext"]) if isinstance(params.get("sessionContext"), dict) else None,
        session_meta=_meta(params["sessionMeta"]) if isinstance(params.get("sessionMeta"), dict) else None,
        user_settings=section(params, "userSettings"),
        event_catalog=text(params, "eventCatalogText"),
        input_slots=section(params, "inputSlots"),
        export_slots=section(params, "exportSlots"),
        activation=_activation(section(params, "activation")),
        framework_preamble=preamble if isinstance(preamble, str) else None,
        estimator=text(params, "estimator") or None,
        context_budget=budget_options(params["contextBudget"]) if params.get("contextBudget") else None,
        plugin_data=tuple(map(_plugin_row, rows(store, "pluginData"))) if isinstance(store, dict) else None,
    )


def manifest(value: Mapping[str, Json]) -> Manifest:
    """The manifest of a case."""
    contract = value.get("outputContract")
    return Manifest(
        name=text(value, "name"),
        plugin_id=text(value, "pluginId"),
        output_kind=text(value, "outputKind"),
        output_contract=contract if isinstance(contract, str) else None,
        advertise_events=value.get("advertiseEvents") is True,
        require_tool_use=value.get("requireToolUse") is True,
        complete_after_tools=texts(value, "completeAfterTools"),
        output_schema=section(value, "output").get("schema"),
        injects=tuple(map(_inject, rows(section(value, "input"), "inject"))),
    )


def history_row(value: Mapping[str, Json]) -> HistoryRow:
    """A row of the message log."""
    return HistoryRow(
        role=text(value, "role"),
        content=text(value, "content"),
        name=text(value, "name"),
        id=text(value, "id"),
        turn_id=text(value, "turnId"),
        source_type=text(value, "sourceType"),
        source_runtime_id=text(value, "sourceRuntimeId"),
        summary_id=text(value, "compactedAtTurnId"),
        ui=value.get("ui"),
    )


def summary(value: Mapping[str, Json]) -> Summary:
    """A stored summary."""
    return Summary(text(value, "id"), text(value, "content"), texts(value, "focusSections"))


def budget_options(value: Json) -> BudgetOptions:
    """Limits, unchecked. Raises CaseError when one is no number at all."""
    if not isinstance(value, dict):
        raise CaseError("the budget should be an object")
    return BudgetOptions(
        number(value, "maxInputTokens") or 0,
        number(value, "reservedForResponse"),
        number(value, "protectLastUserTurns"),
    )


def _turn_input(value: Mapping[str, Json]) -> TurnInput:
    manual = value.get("manualTrigger")
    return TurnInput(
        session_id=text(value, "sessionId"),
        turn_id=text(value, "turnId"),
        player_message=text(value, "playerMessage"),
        locale=text(value, "locale") or None,
        manual_runtime_id=text(manual, "runtimeId") if isinstance(manual, dict) else None,
    )


def _inject(value: Mapping[str, Json]) -> Inject:
    if text(value, "kind") == "plugin-data":
        return PluginDataInject(
            text(value, "namespace"),
            text(value, "as"),
            text(value, "format") or "summary",
            whole(value, "maxEntries", 50),
        )
    return RuntimeInject(text(value, "from"), text(value, "field"), text(value, "as"))


def _segment(value: Mapping[str, Json]) -> PromptSegment:
    position, audience = value.get("position"), value.get("audience")
    return PromptSegment(
        id=text(value, "id"),
        content=text(value, "content"),
        position="depth" if isinstance(position, dict) else text(value, "position"),
        depth=number(position, "depth") if isinstance(position, dict) else None,
        role=text(value, "role"),
        audience="" if isinstance(audience, dict) else text(value, "audience"),
        contract=text(audience, "contract") if isinstance(audience, dict) else None,
        volatility=text(value, "volatility"),
        order=number(value, "order"),
        plugin_id=text(value, "providerPluginId"),
    )


def _snapshot(value: Mapping[str, Json]) -> SessionSnapshot:
    world = value.get("world")
    return SessionSnapshot(
        session_id=text(value, "sessionId"),
        turn_number=number(value, "turnNumber"),
        locale=text(value, "locale") or None,
        meta=_meta(value["sessionMeta"]) if isinstance(value.get("sessionMeta"), dict) else None,
        world=world if isinstance(world, dict) else None,
        contributions=tuple(
            _contribution(entry) for entry in rows(value, "contributions") if entry.get("kind") == "lore_entry"
        ),
    )


def _contribution(value: Mapping[str, Json]) -> LoreContribution:
    return LoreContribution(
        id=text(value, "sourceId"),
        content=text(value, "content"),
        position=text(value, "position"),
        order=number(value, "order") or 0,
        depth=number(value, "depth"),
    )


def _meta(value: Mapping[str, Json]) -> SessionMeta:
    return SessionMeta(
        number(value, "turnNumber"),
        tuple(rows(value, "characters")),
        value.get("lastFormValues"),
        text(value, "currentCharacterId") or None,
    )


def _activation(value: Mapping[str, Json]) -> Activation | None:
    if not value:
        return None
    return Activation(text(value, "source"), bool(value.get("detached")), value.get("payload"), "payload" in value)


def _plugin_row(value: Mapping[str, Json]) -> PluginRow:
    return PluginRow(
        plugin_id=text(value, "pluginId"),
        namespace=text(value, "namespace"),
        key=text(value, "key"),
        value=value.get("value"),
        created_at=text(value, "createdAt"),
        updated_at=text(value, "updatedAt"),
    )
