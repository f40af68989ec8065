"""What a context does not hold, and why."""

from collections.abc import Iterator

from covel_inspector.domain import AbsenceReason, Absent, Field, Group, Kind, Part, SegmentTree, Sentence, say
from covel_inspector.engines.covel.assembler.assembly import Composition
from covel_inspector.engines.covel.assembler.conversation import has_picture
from covel_inspector.engines.covel.assembler.extensions import Landing, place_of, sort_key
from covel_inspector.engines.covel.assembler.params import PromptSegment, RuntimeInject
from covel_inspector.engines.covel.assembler.pieces import Body, OwnData, PlacedMessage, TurnContextMessage, WorldLore
from covel_inspector.engines.covel.assembler.tree.describing_messages import (
    describe_message,
    row_key,
    row_origin,
    row_title,
)
from covel_inspector.engines.covel.assembler.tree.extension_notes import why_for
from covel_inspector.engines.covel.assembler.tree.spots import known
from covel_inspector.engines.covel.assembler.world_lore import LIMIT
from covel_inspector.engines.covel.javascript import is_blank, stringify
from covel_inspector.engines.covel.records.naming import (
    TITLES,
    own_data_title,
    segment_key,
    segment_title,
    summary_key,
)

_FALLBACK = {"stable": "mark:body", "turn_tail": "mark:lore", "turn_context": "", "before_history": ""}


def absences(made: Composition, tree: SegmentTree) -> tuple[Absent, ...]:
    """Everything left out, in the order of the request: system prompt, messages, then what the caller named."""
    keys = {segment.key for segment in tree.walk()}
    session = made.params.session
    return (
        *_unseen_segments(made.landing, keys),
        *_empty_segments(made.landing),
        *_body(made),
        *_world_lore(made),
        *_engine_blocks(made),
        *_own_data(made),
        *(session.left_out if session is not None else ()),
        *_compacted(made),
        *_pictures(made),
        *_stories(made),
        *_pruned(made),
        *made.params.left_out,
    )


def _unseen_segments(landing: Landing, keys: set[str]) -> Iterator[Absent]:
    for segment in landing.unseen:
        place = place_of(segment)
        before = [
            segment_key(other.plugin_id, other.id)
            for other in getattr(landing, place)
            if sort_key(other) < sort_key(segment)
        ]
        after = before[-1] if before else _FALLBACK.get(place, "")
        yield _segment(segment, AbsenceReason.AUDIENCE, why_for(segment), after if after in keys else "")


def _empty_segments(landing: Landing) -> Iterator[Absent]:
    for segment in landing.stable:
        if not segment.content:
            yield _segment(segment, AbsenceReason.EMPTY, say("its content is empty"))
    for segment in (*landing.turn_tail, *landing.turn_context):
        if not segment.content:
            note = say("its content is empty; the blank line that joins it may stay")
            yield _segment(segment, AbsenceReason.EMPTY, note)


def _segment(segment: PromptSegment, reason: AbsenceReason, note: Sentence, after: str = "") -> Absent:
    return Absent(
        segment_key(segment.plugin_id, segment.id),
        Kind.EXTENSION,
        segment_title(segment.id),
        reason,
        note,
        segment.content,
        known(segment.provenance.origin, plugin=segment.plugin_id, segment=segment.id),
        after,
    )


def _body(made: Composition) -> Iterator[Absent]:
    for piece in made.sections[1].pieces:
        for part in piece.source.parts if isinstance(piece.source, Body) else ():
            if part.path and not part.text:
                yield Absent(
                    f"variable:{part.path}",
                    Kind.BODY,
                    say("Value of {variable}", variable=part.path),
                    AbsenceReason.EMPTY,
                    say("the body asks for {variable}, which has no value here", variable="{{ " + part.path + " }}"),
                    origin=known(made.params.body_provenance.origin, variable=part.path),
                )


def _world_lore(made: Composition) -> Iterator[Absent]:
    session, manifest = made.params.session, made.params.manifest
    lore = session.world.get("lore") if session is not None and session.world else None
    if session is None or not isinstance(lore, str):
        return
    origin = session.world_provenance.origin
    title = TITLES[Kind.WORLD_LORE]
    if is_blank(lore):
        if manifest.tells_story:
            yield Absent("world-lore", Kind.WORLD_LORE, title, AbsenceReason.EMPTY, say("the world's lore is blank"))
        return
    if not manifest.tells_story:
        note = say("only runtimes that tell the story read the world's lore")
        yield Absent("world-lore", Kind.WORLD_LORE, title, AbsenceReason.AUDIENCE, note, lore, origin, "mark:body")
        return
    for piece in made.sections[2].pieces:
        if isinstance(piece.source, WorldLore) and piece.source.truncated:
            note = say("longer than the {limit} tokens of lore that the engine sends", limit=LIMIT)
            yield Absent(
                "world-lore", Kind.WORLD_LORE, title, AbsenceReason.CUT, note, piece.source.rest, origin, "world-lore"
            )


def _engine_blocks(made: Composition) -> Iterator[Absent]:
    params = made.params
    if params.event_catalog and not params.manifest.advertise_events:
        note = say("the runtime does not ask for the event directory")
        yield Absent("events", Kind.EVENTS, TITLES[Kind.EVENTS], AbsenceReason.DISABLED, note, params.event_catalog)
    results = {result.runtime: result.output for result in params.completed_results}
    for inject in params.manifest.injects:
        if isinstance(inject, RuntimeInject):
            output = results.get(inject.source)
            if not isinstance(output, dict) or output.get(inject.field) is None:
                tag = inject.as_tag.removeprefix("<").removesuffix(">")
                note = say("{runtime} gave no {field} in this turn", runtime=inject.source, field=inject.field)
                yield Absent(f"injected:{tag}", Kind.OWN_DATA, own_data_title(tag), AbsenceReason.EMPTY, note)


def _own_data(made: Composition) -> Iterator[Absent]:
    context = next((placed.source for placed in made.placed if isinstance(placed.source, TurnContextMessage)), None)
    for piece in context.pieces if context is not None else ():
        source = piece.source
        if isinstance(source, OwnData) and source.total > len(source.rows):
            key = f"own-data:{source.tag}"
            note = say(
                "{n} of {total} rows of {namespace} are not shown: the block holds at most {limit}",
                n=source.total - len(source.rows),
                total=source.total,
                namespace=source.inject.namespace,
                limit=source.inject.max_entries,
            )
            yield Absent(key, Kind.OWN_DATA, own_data_title(source.tag), AbsenceReason.CUT, note, after=key)


def _compacted(made: Composition) -> Iterator[Absent]:
    params = made.params
    if not params.summaries:
        return
    known_ids = {summary.id for summary in params.summaries}
    for row in params.message_history:
        if not row.summary_id:
            continue
        if row.summary_id in known_ids:
            note, after = say("a summary stands for it: {id}", id=row.summary_id), summary_key(row.summary_id)
        else:
            note, after = say("it is marked as covered by a summary that is not there: {id}", id=row.summary_id), ""
        yield Absent(
            row_key(row),
            Kind.HISTORY,
            row_title(row),
            AbsenceReason.COMPACTION,
            note,
            row.content,
            row_origin(row),
            after,
        )


def _pictures(made: Composition) -> Iterator[Absent]:
    limit = made.params.picture_attachments
    if limit <= 0:
        return
    with_pictures = [row for row in made.params.message_history if has_picture(row)]
    for row in with_pictures[:-limit]:
        note = say("only the newest {n} pictures are sent", n=limit)
        yield Absent(
            f"picture:{row.id}",
            Kind.PICTURES,
            say("Picture"),
            AbsenceReason.PICTURE,
            note,
            row.content,
            row_origin(row),
        )


def _stories(made: Composition) -> Iterator[Absent]:
    for row in made.params.execution_story:
        if not row.content:
            yield Absent(
                "story",
                Kind.STORY,
                TITLES[Kind.STORY],
                AbsenceReason.EMPTY,
                say("an earlier stage told nothing"),
                origin=row_origin(row),
            )


def _pruned(made: Composition) -> Iterator[Absent]:
    step = made.pruned.step if made.pruned is not None else None
    for touched in step.touched if step is not None else ():
        placed = made.conversation.messages[touched.index]
        note = say("dropped by the budget, {tokens} tokens: {why}", tokens=touched.tokens_before, why=touched.note)
        yield _dropped(placed, made, note)


def _dropped(placed: PlacedMessage, made: Composition, note: Sentence) -> Absent:
    content = placed.message.content
    text = content if isinstance(content, str) else stringify(content)
    part = Part(Group.MESSAGES, 0, 0, Field.CONTENT, text, placed.message.role)
    segment = describe_message(placed.source, [(0, part)], made.params)[0]
    return Absent(
        segment.key, segment.kind, segment.title, AbsenceReason.PRUNED, note, text, segment.origin, "prune-marker"
    )
