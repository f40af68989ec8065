"""The session as its loader saw it at a moment: world, characters, lorebook, and which values are too new."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from covel_inspector.domain import Grade, Origin, Sentence, say
from covel_inspector.engines.covel.assembler.params import Provenance, SessionSnapshot
from covel_inspector.engines.covel.assembler.session_state import (
    LoreEntry,
    ScannedMessage,
    SessionState,
    WorldRecord,
)
from covel_inspector.engines.covel.assembler.snapshot import take_snapshot
from covel_inspector.engines.covel.attribution import SessionEvidence
from covel_inspector.engines.covel.rebuild.moment import Moment
from covel_inspector.engines.covel.rebuild.row_names import row_name
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.rows import LorebookRow, PlayerInputRow, TurnMessageRow, WorldRow
from covel_inspector.engines.covel.textpack import TextPack

_VARIABLE = re.compile(r"\{\{\s*([^}]+?)\s*\}\}")
_DEEPEST_SCAN = 20


def snapshot_at(record: SessionRecord, pack: TextPack, moment: Moment, line: str) -> SessionSnapshot:
    """The snapshot a call was built from. Values of rows that changed later are the later ones, and marked."""
    return take_snapshot(session_state(record, moment, line), pack)


def session_state(record: SessionRecord, moment: Moment, line: str) -> SessionState:
    """What the session loader read when a call was prepared; ``line`` is the player's line of that turn."""
    evidence = record.evidence
    latest = latest_form(record, moment)
    return SessionState(
        session_id=evidence.session.id,
        locale=evidence.session.locale or None,
        turn_number=_turn_number(record, moment),
        world_id=evidence.session.world_id or None,
        player_message=line,
        lore_override=evidence.session.lore_override,
        characters=tuple(
            {
                "id": character.id,
                "name": character.name,
                "type": character.type,
                "description": character.description or None,
                "fields": character.fields,
            }
            for character in evidence.characters
            if character.created_at < moment.started_at
        ),
        last_form_values=latest.values if latest is not None else None,
        lorebook=stored_lore(record, moment),
        world=_world(evidence.world),
        recent_messages=scan_tail(record, moment),
        world_provenance=_world_provenance(evidence.world, moment),
    )


def latest_form(record: SessionRecord, moment: Moment) -> PlayerInputRow | None:
    """The form that was filled last before a call."""
    forms = [form for form in record.player_inputs if form.created_at < moment.started_at]
    return max(forms, key=lambda form: (form.created_at, form.id), default=None)


def changed_variables(
    evidence: SessionEvidence, moment: Moment, body: str, recorded: Mapping[str, str]
) -> dict[str, str]:
    """Template paths whose rows changed after the call, with the text that was recorded for them."""
    characters = any(row.updated_at >= moment.started_at for row in evidence.characters)
    world = evidence.world is not None and evidence.world.updated_at >= moment.started_at
    found: dict[str, str] = {}
    for match in _VARIABLE.finditer(body):
        path = match[1].strip()
        changed = (characters and path.startswith(("player.character", "characters."))) or (
            world and path.startswith("world.")
        )
        if changed and path in recorded:
            found[path] = recorded[path]
    return found


def _turn_number(record: SessionRecord, moment: Moment) -> int:
    """Player rows of the whole log that were committed before the call."""
    return sum(1 for row in committed_rows(record, moment) if row.source_type == "player")


def stored_lore(record: SessionRecord, moment: Moment) -> tuple[LoreEntry, ...]:
    """The entries whose rows were there when a call was made."""
    return tuple(lore_entry(row, moment) for row in record.evidence.lorebook if row.created_at < moment.started_at)


def scan_tail(record: SessionRecord, moment: Moment) -> tuple[ScannedMessage, ...]:
    """The last committed rows of the log, compacted ones included, oldest first: what lorebook keys are sought in."""
    newest = islice(committed_rows(record, moment), _DEEPEST_SCAN)
    return tuple(reversed([ScannedMessage(row.content, row.id, row_name(row, record.turn_numbers)) for row in newest]))


def committed_rows(record: SessionRecord, moment: Moment) -> Iterator[TurnMessageRow]:
    """The rows of the log that were committed before a call, compacted ones included, newest first."""
    for row in reversed(record.evidence.rows):
        committed = record.executions.commit_time(row)
        if committed is None or committed < moment.started_at:
            yield row


def lore_entry(row: LorebookRow, moment: Moment) -> LoreEntry:
    """A stored entry as the loader reads it; one that changed after the call is marked as a guess."""
    owner = row.owner or "world"
    origin = Origin(
        plugin=owner.removeprefix("plugin:") if owner.startswith("plugin:") else "",
        table="lorebook_entries",
        rows=(row.id,),
    )
    provenance = Provenance(origin)
    if row.updated_at >= moment.started_at:
        provenance = Provenance(
            origin, Grade.GUESS, None, (say("the row is newer than the call: it may have read otherwise then"),)
        )
    return LoreEntry(
        id=row.id,
        content=row.content,
        keys=row.keys,
        enabled=row.enabled,
        strategy=row.strategy,
        position=row.position.replace("-", "_"),
        insertion_order=row.insertion_order,
        owner_kind=owner.partition(":")[0],
        owner_id=owner.partition(":")[2],
        extra=row.extra,
        provenance=provenance,
    )


def _world(row: WorldRow | None) -> WorldRecord | None:
    if row is None:
        return None
    return WorldRecord(
        id=row.id,
        name=row.name or None,
        description=row.description or None,
        tags=row.tags,
        lore=row.lore,
        locale=row.locale or None,
        metadata=row.metadata,
    )


def _world_provenance(row: WorldRow | None, moment: Moment) -> Provenance:
    if row is None:
        return Provenance()
    notes: tuple[Sentence, ...] = ()
    if row.updated_at >= moment.started_at:
        notes = (say("the world's row is newer than the call: it may have read otherwise then"),)
    return Provenance(Origin(table="worlds", rows=(row.id,)), Grade.EXACT, None, notes)
