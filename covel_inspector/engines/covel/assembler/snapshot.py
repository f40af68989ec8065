"""The session snapshot. Follows the reference on the assembler, sections 9 and 10."""

from collections.abc import Mapping

from covel_inspector.engines.covel.assembler.lorebook import activate
from covel_inspector.engines.covel.assembler.params import Json, SessionMeta, SessionSnapshot
from covel_inspector.engines.covel.assembler.session_state import SessionState
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.assembler.world_view import world_view
from covel_inspector.engines.covel.textpack import TextPack


def take_snapshot(state: SessionState, pack: TextPack) -> SessionSnapshot:
    """World view, characters and active lorebook entries of a session, with the reasons for both kinds of entries.

    Raises TextPackError when the pack lacks the heading of lorebook entries.
    """
    activated = activate(state, Wording.of(pack, state.locale, state.instruction_override))
    return SessionSnapshot(
        session_id=state.session_id,
        turn_number=state.turn_number,
        locale=state.locale,
        meta=SessionMeta(
            state.turn_number,
            tuple(map(_character, state.characters)),
            state.last_form_values,
            state.current_character_id,
        ),
        world=world_view(state),
        contributions=activated.contributions,
        left_out=activated.left_out,
        world_provenance=state.world_provenance,
    )


def _character(character: Mapping[str, Json]) -> Mapping[str, Json]:
    """A character without the optional fields that are null."""
    return {name: member for name, member in character.items() if member is not None}
