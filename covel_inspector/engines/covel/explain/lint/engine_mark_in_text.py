"""The engine's cache mark, or one of its own tags, in a text that a player or a model wrote."""

import re
from collections.abc import Iterator, Mapping

from covel_inspector.domain import Address, Finding, FindingPlace, Rule, Sentence, Severity, say
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.naming import SENTINEL, history_key
from covel_inspector.engines.covel.records.rows import TurnMessageRow

RULE = Rule("engine-mark-in-text", say("Mark or tag of the engine in a story text"), Severity.WARNING)

_TAGS = (
    "world-lore",
    "available-events",
    "runtime-activation",
    "runtime-inputs",
    "runtime-exports",
    "compacted_history",
    "system-instruction",
)
_OWN = re.compile(rf"^\s*(</?(?:{'|'.join(_TAGS)})>|\[(?:RUNTIME|LANGUAGE|COMPLETION)\] |\[retry \d+\])", re.MULTILINE)


def look(record: SessionRecord, addresses: Mapping[str, Address]) -> Iterator[Finding]:
    """Rows of players and runtimes that hold such a text."""
    for row in record.evidence.rows:
        if row.source_type != "system":
            sentence = _what(row)
            if sentence is not None:
                place = FindingPlace(
                    table="turn_messages",
                    row=row.id,
                    address=addresses.get(row.turn_id),
                    segment="player-line" if row.source_type == "player" else history_key(row.id),
                )
                yield Finding(RULE.id, RULE.severity, RULE.title, sentence, _REMEDY, place)


_REMEDY = say("Take it out of the row's text, or expect the model to take what follows for a part of the prompt.")


def _what(row: TurnMessageRow) -> Sentence | None:
    if SENTINEL in row.content:
        return _say(row, say("the engine's cache mark"))
    found = _OWN.search(row.content)
    return _say(row, say("{text}, which only the engine writes", text=found[1].strip())) if found else None


def _say(row: TurnMessageRow, mark: Sentence) -> Sentence:
    if row.source_type == "player":
        return say("The player's line holds {mark}", mark=mark)
    return say("A reply of {runtime} holds {mark}", runtime=row.source_runtime_id or "?", mark=mark)
