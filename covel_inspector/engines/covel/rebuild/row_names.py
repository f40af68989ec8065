"""What people call a row of the history: by its turn and who speaks, never by its id."""

from collections.abc import Mapping

from covel_inspector.domain import Sentence, say
from covel_inspector.engines.covel.records.rows import TurnMessageRow


def row_name(row: TurnMessageRow, turn_numbers: Mapping[str, str]) -> Sentence:
    """ "turn 11, player"; without the turn where its number is not known. ``turn_numbers`` are by turn id."""
    who = _speaker(row)
    number = turn_numbers.get(row.turn_id)
    return say("turn {turn}, {who}", turn=number, who=who) if number else who


def _speaker(row: TurnMessageRow) -> Sentence:
    if row.source_type == "player":
        return say("player")
    speaker = row.source_runtime_id or row.name
    return say("reply of {runtime}", runtime=speaker) if speaker else say("{role} message", role=row.role)
