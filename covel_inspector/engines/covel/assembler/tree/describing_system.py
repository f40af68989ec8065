"""The segments of the system prompt and of the turn context, by what their pieces are made of."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from covel_inspector.domain import Grade, Kind, Origin, Segment, Sentence, Volatility, say
from covel_inspector.domain.building import branch
from covel_inspector.engines.covel.assembler.params import ContextParams, LoreContribution, PromptSegment, Provenance
from covel_inspector.engines.covel.assembler.pieces import (
    ActivationBlock,
    Body,
    Events,
    Injected,
    OwnData,
    Piece,
    PreamblePart,
    Slots,
    TemplatePart,
    WorldLore,
)
from covel_inspector.engines.covel.assembler.tree.describing_slots import slots
from covel_inspector.engines.covel.assembler.tree.extension_notes import audience_text, position_text, why_here
from covel_inspector.engines.covel.assembler.tree.spots import Spot, known, leaf
from covel_inspector.engines.covel.assembler.world_lore import LIMIT
from covel_inspector.engines.covel.javascript import number_text
from covel_inspector.engines.covel.records.naming import (
    TITLES,
    lore_key,
    lore_title,
    own_data_title,
    segment_key,
    segment_title,
)

_PREAMBLE_TITLES = {
    "runtime": say("Preamble · runtime"),
    "language": say("Preamble · language"),
    "completion": say("Preamble · completion"),
}
_LORE_PLACES = {
    "before_plugin": say("Position before_plugin: behind the stable segments, before the session's blocks."),
    "after_plugin": say("Position after_plugin: behind the session's blocks, before the last cache mark."),
}
_VOLATILITIES = {"stable": Volatility.STABLE, "session": Volatility.SESSION, "turn": Volatility.TURN}
_LITERAL_TITLE = say("Text of the body")
_DATA_RULE = say("turn data, built by the engine")


def describe(piece: Piece, spot: Spot, params: ContextParams) -> Segment:
    """The segment of one piece of the system prompt or the turn context."""
    return _DESCRIBERS[type(piece.source)](piece.source, spot, params)


def extension(segment: PromptSegment, spot: Spot, _params: ContextParams) -> Segment:
    """An extension segment, wherever it landed."""
    provenance = segment.provenance
    return leaf(
        spot,
        segment_key(segment.plugin_id, segment.id),
        Kind.EXTENSION,
        segment_title(segment.id),
        say("a segment of {plugin}, by audience, position and order", plugin=segment.plugin_id or "?"),
        provenance,
        origin=known(provenance.origin, plugin=segment.plugin_id, segment=segment.id),
        volatility=_VOLATILITIES.get(segment.volatility),
        position=position_text(segment),
        order=segment.order or 0,
        audience=audience_text(segment),
        notes=why_here(segment),
    )


def lore(entry: LoreContribution, spot: Spot, _params: ContextParams) -> Segment:
    """A lorebook entry, wherever it landed."""
    provenance = entry.provenance
    plugin = entry.owner.removeprefix("plugin:") if entry.owner.startswith("plugin:") else ""
    if entry.position == "at_depth":
        depth = number_text(4 if entry.depth is None else entry.depth)
        position, place = f"depth {depth}", say("Depth {depth}: counted from the end of the conversation.", depth=depth)
    else:
        position, place = entry.position, _LORE_PLACES.get(entry.position, say("a position of its own"))
    return leaf(
        spot,
        lore_key(entry.id, entry.owner),
        Kind.LORE,
        lore_title(entry.label or entry.id),
        say("an active lorebook entry under its heading"),
        provenance,
        origin=known(provenance.origin, plugin=plugin, segment=entry.id),
        position=position,
        order=entry.order,
        notes=(*entry.notes, place, say("Order {order}; sorted by order, then id.", order=number_text(entry.order))),
    )


def _preamble(source: PreamblePart, spot: Spot, params: ContextParams) -> Segment:
    reason = say("written by the engine; wording of the text pack")
    notes: tuple[Sentence, ...] = ()
    provenance = params.preamble_provenance
    if source.given:
        reason = say("the preamble was given as a text")
    elif source.part == "completion":
        notes = (_how_it_ends(params),)
    elif source.part == "language":
        notes = (say("The session's locale is {locale}.", locale=params.turn_input.locale or ""),)
        if not source.name_known:
            notes += (say("Our list has no name for this language, so its tag stands here: a guess."),)
            provenance = Provenance(provenance.origin, Grade.GUESS)
    key = f"preamble:{source.part}" if source.part else "preamble:text"
    title = _PREAMBLE_TITLES.get(source.part, TITLES[Kind.PREAMBLE])
    return leaf(spot, key, Kind.PREAMBLE, title, reason, provenance, volatility=Volatility.STABLE, notes=notes)


def _how_it_ends(params: ContextParams) -> Sentence:
    manifest = params.manifest
    if manifest.tells_story:
        return say("The runtime tells the story, so it ends with prose.")
    if manifest.require_tool_use and manifest.complete_after_tools:
        return say("The runtime ends with one of its tools: {tools}.", tools=", ".join(manifest.complete_after_tools))
    if manifest.output_schema is not None:
        return say("The runtime has an output schema, so it ends with JSON.")
    return say("The runtime ends by calling the tool that closes a run.")


def _body(source: Body, spot: Spot, params: ContextParams) -> Segment:
    provenance = params.body_provenance
    origin = known(provenance.origin, plugin=params.manifest.plugin_id, runtime=params.manifest.name)
    reason = say("the runtime's own body")
    whole = leaf(
        spot, "body", Kind.BODY, TITLES[Kind.BODY], reason, provenance, origin=origin, volatility=Volatility.STABLE
    )
    if all(not part.path for part in source.parts):
        return whole
    children: list[Segment] = []
    offset = 0
    literals = 0
    line = origin.line
    for part in source.parts:
        here = known(origin, variable=part.path) if part.path else origin
        if line:
            here = replace(here, line=line)
        if part.path:
            if part.text:
                children.append(_variable(part, spot.within(offset, part.text), here, params))
            literals += 1
        else:
            children.append(
                leaf(
                    spot.within(offset, part.text),
                    f"literal:{literals}",
                    Kind.BODY,
                    _LITERAL_TITLE,
                    say("a literal part of the body"),
                    provenance,
                    origin=here,
                    volatility=Volatility.STABLE,
                )
            )
            line += part.text.count("\n") if line else 0
        offset += len(part.text)
    return branch(whole, children)


def _variable(part: TemplatePart, spot: Spot, origin: Origin, params: ContextParams) -> Segment:
    notes: tuple[Sentence, ...] = ()
    if part.escaped:
        notes = (say("The value stands inside a tagged block, so it is escaped."),)
    reason = say("value of {variable}", variable="{{ " + part.path + " }}")
    provenance = params.body_provenance
    if part.given:
        reason = say(
            "{variable}: this text was given instead of the computed value", variable="{{ " + part.path + " }}"
        )
        provenance = Provenance(provenance.origin)
    return leaf(
        spot,
        f"variable:{part.path}",
        Kind.BODY,
        say("Value of {variable}", variable=part.path),
        reason,
        Provenance(origin, provenance.grade),
        notes=notes,
        taken=part.given,
    )


def _world_lore(source: WorldLore, spot: Spot, params: ContextParams) -> Segment:
    provenance = params.session.world_provenance if params.session is not None else Provenance()
    notes = [say("The runtime tells the story, so it reads the world's lore.")]
    if source.truncated:
        notes.append(
            say(
                "Shortened: the lore is about {tokens} tokens, and the engine sends the lines within {limit}.",
                tokens=source.tokens,
                limit=LIMIT,
            )
        )
    return leaf(
        spot,
        "world-lore",
        Kind.WORLD_LORE,
        TITLES[Kind.WORLD_LORE],
        say("the world's lore in the engine's tag"),
        provenance,
        volatility=Volatility.STABLE,
        notes=tuple(notes),
    )


def _events(_source: Events, spot: Spot, params: ContextParams) -> Segment:
    return leaf(
        spot,
        "events",
        Kind.EVENTS,
        TITLES[Kind.EVENTS],
        say("the directory of events in the engine's tag"),
        params.events_provenance,
        volatility=Volatility.SESSION,
        notes=(say("The runtime asks for the event directory."),),
    )


def _activation(source: ActivationBlock, spot: Spot, params: ContextParams) -> Segment:
    note = (
        say("Started by a stage, so the block stands with the session's blocks in the system prompt.")
        if source.staged
        else say("Started by {source}, so the block belongs to the turn.", source=source.source)
    )
    return leaf(
        spot,
        "activation",
        Kind.ACTIVATION,
        TITLES[Kind.ACTIVATION],
        say("why the runtime runs, in the engine's tag"),
        params.activation_provenance,
        volatility=Volatility.SESSION if source.staged else Volatility.TURN,
        notes=(note,),
    )


def _injected(source: Injected, spot: Spot, _params: ContextParams) -> Segment:
    inject = source.inject
    return leaf(
        spot,
        f"injected:{source.tag}",
        Kind.OWN_DATA,
        own_data_title(source.tag),
        _DATA_RULE,
        origin=Origin(runtime=inject.source, segment=source.tag),
        volatility=Volatility.TURN,
        notes=(say("The field {field} of the result of {runtime}.", field=inject.field, runtime=inject.source),),
    )


def _own_data(source: OwnData, spot: Spot, params: ContextParams) -> Segment:
    provenance = _worst([row.provenance for row in source.rows])
    rows = tuple(row.id for row in source.rows if row.id)
    note = say(
        "Rows of {namespace}: {shown} of {total}.",
        namespace=source.inject.namespace,
        shown=len(source.rows),
        total=source.total,
    )
    return leaf(
        spot,
        f"own-data:{source.tag}",
        Kind.OWN_DATA,
        own_data_title(source.tag),
        _DATA_RULE,
        provenance,
        origin=known(
            provenance.origin,
            plugin=params.manifest.plugin_id,
            segment=source.tag,
            table="plugin_data" if rows else "",
            rows=rows,
        ),
        volatility=Volatility.TURN,
        notes=(note,),
    )


def _worst(found: list[Provenance]) -> Provenance:
    """The provenance that is least sure, without the rows of one; a plain one when there is none."""
    worst = max(found, key=lambda provenance: provenance.grade.rank, default=Provenance())
    return Provenance(grade=worst.grade, reason=worst.reason, notes=worst.notes)


_DESCRIBERS: dict[type, Callable[[Any, Spot, ContextParams], Segment]] = {
    PreamblePart: _preamble,
    Body: _body,
    WorldLore: _world_lore,
    PromptSegment: extension,
    LoreContribution: lore,
    Events: _events,
    ActivationBlock: _activation,
    Injected: _injected,
    OwnData: _own_data,
    Slots: slots,
}
