"""The segments of a block of slots: each slot by itself, and the text of the block around them."""

from covel_inspector.domain import Kind, Segment, Sentence, Volatility, say
from covel_inspector.domain.building import branch
from covel_inspector.engines.covel.assembler.params import NOWHERE, ContextParams
from covel_inspector.engines.covel.assembler.pieces import Slots
from covel_inspector.engines.covel.assembler.slot_text import SlotPiece, cut_slots, fillings, same_source
from covel_inspector.engines.covel.assembler.tree.spots import Spot, known, leaf
from covel_inspector.engines.covel.records.naming import (
    SLOT_FRAME_TITLES,
    TITLES,
    slot_frame_key,
    slot_frame_kind,
    slot_key,
    slot_title,
)

_BLOCK_REASON = say("turn data, built by the engine")
_FRAME_REASON = say("the engine's own text around the slots of a block")
_SLOT_REASON = say("a slot in the engine's form, which names the runtime that filled it")
_POINTER = say("A pointer at the story below stands instead of a copy.")


def slots(source: Slots, spot: Spot, params: ContextParams) -> Segment:
    """A branch of slots and frame; one leaf where the caller gave slots that are none."""
    kind = Kind.INPUTS if source.tag == "runtime-inputs" else Kind.EXPORTS
    notes = [say("Slots: {names}.", names=", ".join(source.names))]
    if source.replaced:
        notes.append(
            say("{names}: a pointer at the story below stands instead of a copy.", names=", ".join(source.replaced))
        )
    whole = leaf(spot, kind.value, kind, TITLES[kind], _BLOCK_REASON, volatility=Volatility.TURN, notes=tuple(notes))
    pieces = cut_slots(spot.text)
    if not pieces:
        return whole
    return branch(whole, [_piece(piece, kind, source, spot, params) for piece in pieces])


def _piece(piece: SlotPiece, kind: Kind, source: Slots, spot: Spot, params: ContextParams) -> Segment:
    here = spot.within(piece.start, spot.text[piece.start : piece.end])
    if piece.frame:
        key, title = slot_frame_key(kind, piece.frame), SLOT_FRAME_TITLES[piece.frame]
        of = slot_frame_kind(kind, piece.frame)
        return leaf(here, key, of, title, _FRAME_REASON, volatility=Volatility.TURN)
    provenance = params.slot_provenance.get(piece.name, NOWHERE) if kind is Kind.INPUTS else NOWHERE
    plugin, runtime = same_source(piece.slot)
    notes: list[Sentence] = []
    if piece.name in source.replaced:
        notes.append(_POINTER)
    if piece.slot["cardinality"] == "many":
        notes.append(say("{n} values.", n=len(fillings(piece.slot))))
    return leaf(
        here,
        slot_key(kind, piece.name),
        kind,
        slot_title(kind, piece.name),
        _SLOT_REASON,
        provenance,
        origin=known(provenance.origin, plugin=plugin, runtime=runtime),
        volatility=Volatility.TURN,
        notes=tuple(notes),
    )
