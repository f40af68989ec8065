"""All that one session offers to a rebuild, read once."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from covel_inspector.engines.covel.attribution import SessionEvidence, SessionIndex
from covel_inspector.engines.covel.rebuild.limits import Overflow
from covel_inspector.engines.covel.records.executions import Executions
from covel_inspector.engines.covel.records.rows import EventRow, PlayerInputRow
from covel_inspector.engines.covel.textpack import TextPack


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """The rows and files of a session, with what was derived from them once.

    ``pack`` holds the fixed sentences: learned from this database's recordings where possible, ours elsewhere.
    ``learned`` names the keys of the pack that were learned; nothing is learned over a pack that was given.
    ``media_bytes`` maps a media id to its size in bytes, ``turn_numbers`` a turn's id to the number people use.
    """

    evidence: SessionEvidence
    index: SessionIndex
    executions: Executions
    pack: TextPack
    learned: frozenset[str] = frozenset()
    is_pack_given: bool = False
    events: tuple[EventRow, ...] = ()
    player_inputs: tuple[PlayerInputRow, ...] = ()
    overflows: tuple[Overflow, ...] = ()
    media_bytes: dict[str, int] = field(default_factory=dict)
    turn_numbers: Mapping[str, str] = field(default_factory=dict)
