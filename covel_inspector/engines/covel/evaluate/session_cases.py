"""Snapshots and history steps on JSON cases."""

from collections.abc import Mapping

from covel_inspector.engines.covel.assembler.history_steps import BranchReply, HistoryView, view_history
from covel_inspector.engines.covel.assembler.params import LoreContribution, SessionSnapshot
from covel_inspector.engines.covel.assembler.session_state import (
    LoreEntry,
    ScannedMessage,
    SessionState,
    WorldContext,
    WorldRecord,
)
from covel_inspector.engines.covel.assembler.snapshot import take_snapshot
from covel_inspector.engines.covel.evaluate.context_params import history_row
from covel_inspector.engines.covel.evaluate.expanding import Json, number, rows, section, text, texts
from covel_inspector.engines.covel.textpack import TextPack

_RECORD_FIELDS = ("strategy", "position", "insertionOrder", "createdAt", "updatedAt", "extra")


def session_state(params: Mapping[str, Json]) -> SessionState:
    """What the loader would read, from ``store``, ``sessionId`` and ``opts``."""
    store, options = section(params, "store"), section(params, "opts")
    world_id = text(options, "worldId") or None
    override = section(section(store, "session"), "metadata").get("loreOverride")
    context = section(options, "worldContext")
    return SessionState(
        session_id=text(params, "sessionId"),
        locale=text(options, "locale") or None,
        turn_number=number(options, "turnNumber"),
        world_id=world_id,
        player_message=text(options, "playerMessage"),
        lore_override=override if isinstance(override, str) else None,
        characters=tuple(rows(store, "characters")),
        last_form_values=section(store, "latestPlayerInput").get("values"),
        lorebook=tuple(map(_entry, rows(store, "lorebook"))),
        world=next((_world(world) for world in rows(store, "worlds") if world.get("id") == world_id), None),
        world_context=WorldContext(
            schema=context.get("schema"),
            dimensions=context["dimensions"] if isinstance(context.get("dimensions"), dict) else None,
            dimension_provider=text(context, "dimensionProviderPluginId") or None,
            entries=section(context, "entries"),
        ),
        recent_messages=tuple(
            ScannedMessage(text(message, "content"), text(message, "id")) for message in rows(options, "recentMessages")
        ),
    )


def snapshot_result(params: Mapping[str, Json], pack: TextPack) -> dict[str, Json]:
    """The snapshot in the shape of the vectors."""
    snapshot = take_snapshot(session_state(params), pack)
    result: dict[str, Json] = {"sessionId": snapshot.session_id}
    if snapshot.turn_number is not None:
        result["turnNumber"] = snapshot.turn_number
    if snapshot.locale is not None:
        result["locale"] = snapshot.locale
    result["sessionMeta"] = _meta(snapshot)
    if snapshot.world is not None:
        result["world"] = snapshot.world
    result["characters"] = list(snapshot.meta.characters) if snapshot.meta else []
    result["loreEntries"] = [_record(entry) for entry in rows(section(params, "store"), "lorebook")]
    result["summaries"] = []
    result["contributions"] = [_contribution(entry) for entry in snapshot.contributions]
    return result


def history_view(params: Mapping[str, Json], runtime: str) -> HistoryView:
    """The rows that a runtime sees, from ``rows``, ``branchReplies`` and ``policy``."""
    window = number(section(params, "policy"), "maxTurns")
    return view_history(
        tuple(map(history_row, rows(params, "rows"))),
        runtime,
        [
            BranchReply(text(reply, "key"), section(reply, "value"), text(reply, "updatedAt"))
            for reply in rows(params, "branchReplies")
        ],
        None if window is None else int(window),
    )


def _entry(value: Mapping[str, Json]) -> LoreEntry:
    owner = section(value, "owner")
    order = number(value, "insertionOrder")
    return LoreEntry(
        id=text(value, "id"),
        content=text(value, "content"),
        keys=texts(value, "keys") if "keys" in value else None,
        enabled=value.get("enabled") is not False,
        strategy=text(value, "strategy"),
        position=text(value, "position"),
        insertion_order=100 if order is None else order,
        owner_kind=text(owner, "kind"),
        owner_id=text(owner, "pluginId") or text(owner, "worldId"),
        extra=value.get("extra"),
    )


def _world(value: Mapping[str, Json]) -> WorldRecord:
    def optional(name: str) -> str | None:
        return text(value, name) if value.get(name) is not None else None

    return WorldRecord(
        id=text(value, "id"),
        name=optional("name"),
        description=optional("description"),
        tags=texts(value, "tags") if value.get("tags") is not None else None,
        lore=optional("lore"),
        locale=optional("locale"),
        metadata=section(value, "metadata"),
    )


def _meta(snapshot: SessionSnapshot) -> dict[str, Json]:
    meta = snapshot.meta
    if meta is None:
        return {}
    result: dict[str, Json] = {"turnNumber": meta.turn_number, "characters": list(meta.characters)}
    if meta.last_form_values is not None:
        result["lastFormValues"] = meta.last_form_values
    return result


def _record(stored: Mapping[str, Json]) -> dict[str, Json]:
    record = {name: stored[name] for name in ("id", "owner", "content", "keys", "enabled") if name in stored}
    record["extra"] = {name: stored[name] for name in _RECORD_FIELDS if name in stored}
    return record


def _contribution(entry: LoreContribution) -> dict[str, Json]:
    result: dict[str, Json] = {
        "kind": "lore_entry",
        "sourceType": "world",
        "sourceId": entry.id,
        "content": entry.content,
        "position": entry.position,
        "order": entry.order,
    }
    if entry.depth is not None:
        result["depth"] = entry.depth
    stored = entry.entry
    if stored is not None:
        result["debugTrace"] = _trace(stored)
    return result


def _trace(entry: LoreEntry) -> dict[str, Json]:
    owner_field = "pluginId" if entry.owner_kind == "plugin" else "worldId"
    trace: dict[str, Json] = {
        "owner": {"kind": entry.owner_kind, owner_field: entry.owner_id},
        "strategy": entry.strategy,
        "keys": list(entry.keys or ()),
    }
    rule = entry.inner_extra.get("sourceRuleId")
    if isinstance(rule, str):
        trace["sourceRuleId"] = rule
    return trace
