"""A runtime's body in one call, piece by piece, each variable with its value. The assembler fills the template."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from covel_inspector.domain import (
    AbsenceReason,
    Changes,
    Grade,
    Kind,
    Segment,
    SegmentTree,
    Sentence,
    TemplatePiece,
    TemplateReport,
    TemplateVariable,
    ValueSource,
    say,
)
from covel_inspector.engines.covel.assembler.pieces import TemplatePart
from covel_inspector.engines.covel.assembler.templates import fill, find_variables
from covel_inspector.engines.covel.assembler.variables import Variables
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.explain.sight import Sight
from covel_inspector.engines.covel.explain.values import value_origin
from covel_inspector.engines.covel.rebuild.context import Prepared, prepare
from covel_inspector.engines.covel.records.locales import choose_variant
from covel_inspector.engines.covel.records.manifests import FilePlace, RuntimeManifest


@dataclass(frozen=True, slots=True)
class _Filled:
    """A body after its template pass."""

    prepared: Prepared
    runtime: RuntimeManifest
    variant: str
    template: str
    place: FilePlace
    parts: tuple[TemplatePart, ...]
    computed: Mapping[str, str]
    """Values from rows and files where the recording has others, by path."""
    guessed: frozenset[str]
    """Paths whose recorded value is a guess, because another body was sent."""
    untold: frozenset[str]
    """Paths whose value stands here as rows and files of now give it, though another text was sent."""

    @property
    def text(self) -> str:
        return "".join([part.text for part in self.parts])

    @property
    def values(self) -> Mapping[str, str]:
        return {part.path: part.text for part in self.parts if part.path}


def template_report(sight: Sight, previous: Sight | None) -> TemplateReport | None:
    """The body of a call; ``previous`` is the runtime's call in an earlier turn. None when no file holds the body."""
    filled = _fill(sight)
    if filled is None:
        return None
    before = _fill(previous) if previous is not None else None
    # Another text of the template says nothing about its values.
    comparable = before if before is not None and before.template == filled.template else None
    return TemplateReport(
        address=sight.address,
        runtime=filled.runtime.id,
        file=filled.place.path,
        line=filled.place.line,
        variant=filled.variant,
        template=filled.template,
        pieces=tuple(_pieces(filled)),
        variables=tuple(_variables(filled, comparable, sight)),
        previous=previous.address if previous is not None and comparable is not None else None,
        differs=_difference(filled.text, sight.recorded),
    )


def _fill(sight: Sight) -> _Filled | None:
    prepared = prepare(sight.record, sight.moment, sight.recorded, Changes())
    declared = prepared.facts.declared
    locale = sight.record.evidence.session.locale
    variant = choose_variant(declared.body, locale) if declared is not None else None
    if declared is None or variant is None:
        return None
    params = prepared.params
    wording = Wording.of(prepared.pack, params.turn_input.locale, params.instruction_override)
    parts = fill(variant.text, Variables(params, wording).text)
    place = declared.body.places.get(variant.tag) or declared.place
    sent = _sent_values(sight.recorded, place.path)
    computed = {
        part.path: part.text
        for part in parts
        if part.path
        and sent.texts.get(part.path, part.text) != part.text
        # What the engine does not know it cannot have sent: then the body was another one.
        and value_origin(part.path, sight, params).source is not ValueSource.NOWHERE
    }
    as_sent = tuple(replace(part, text=sent.texts[part.path]) if part.path in computed else part for part in parts)
    # Some recorded values are inserted by the rebuild already.
    guessed = sent.guessed & {part.path for part in parts if part.given or part.path in computed}
    untold = _untold(as_sent, sent, sight.recorded)
    return _Filled(prepared, declared, variant.tag, variant.text, place, as_sent, computed, guessed, untold)


@dataclass(frozen=True, slots=True)
class _Sent:
    """Values of variables as they were recorded, by path; ``guessed`` are those of a body that was another one."""

    texts: Mapping[str, str]
    guessed: frozenset[str] = frozenset()


def _sent_values(recorded: SegmentTree | None, file: str) -> _Sent:
    """What was sent for each variable, where literal parts of this file stand around it in the recorded body."""
    body = _recorded_body(recorded)
    if recorded is None or body is None or body.is_leaf or body.origin.file != file:
        return _Sent({})
    empty = {
        absent.origin.variable: ""
        for absent in recorded.absent
        if absent.kind is Kind.BODY and absent.reason is AbsenceReason.EMPTY
    }
    firm: dict[str, str] = {}
    guesses: dict[str, set[str]] = {}
    for leaf in body.leaves():
        path = leaf.origin.variable
        if path and leaf.grade is Grade.GUESS:
            guesses.setdefault(path, set()).add(leaf.text)
        elif path:
            firm[path] = leaf.text
    # A variable that seems to have had two values has none that can be told.
    likely = {path: next(iter(texts)) for path, texts in guesses.items() if len(texts) == 1}
    return _Sent({**empty, **likely, **firm}, frozenset(guesses))


def _untold(parts: tuple[TemplatePart, ...], sent: _Sent, recorded: SegmentTree | None) -> frozenset[str]:
    """The paths of values that are not what the recording shows; none where the whole body is as it was recorded."""
    body = _recorded_body(recorded)
    if recorded is None or (body is not None and body.whole_text == "".join([part.text for part in parts])):
        return frozenset()
    return frozenset(
        part.path for part in parts if part.path and not part.given and sent.texts.get(part.path) != part.text
    )


def _recorded_body(recorded: SegmentTree | None) -> Segment | None:
    return next((segment for segment in recorded.walk() if segment.key == "body"), None) if recorded else None


def _pieces(filled: _Filled) -> list[TemplatePiece]:
    """The parts with the stretch of the template that each stands for."""
    pieces: list[TemplatePiece] = []
    variables = find_variables(filled.template)
    position = 0
    for part in filled.parts:
        # Literal parts hold text; one without text and path is a variable whose name is blank.
        is_literal = bool(part.text) and not part.path
        end = position + len(part.text) if is_literal else next(variables).end
        source = filled.template[position:end]
        pieces.append(TemplatePiece(source, part.text, position, part.path))
        position = end
    return pieces


def _variables(filled: _Filled, before: _Filled | None, sight: Sight) -> list[TemplateVariable]:
    found: dict[str, TemplateVariable] = {}
    uses: dict[str, int] = {}
    for piece, part in zip(_pieces(filled), filled.parts, strict=True):
        if not piece.variable:
            continue
        uses[piece.variable] = uses.get(piece.variable, 0) + 1
        if piece.variable not in found:
            line = filled.place.line + filled.template.count("\n", 0, piece.start) if filled.place.line else 0
            found[piece.variable] = _variable(part, line, filled, before, sight)
    return [replace(variable, uses=uses[path]) for path, variable in found.items()]


def _variable(part: TemplatePart, line: int, filled: _Filled, before: _Filled | None, sight: Sight) -> TemplateVariable:
    origin = value_origin(part.path, sight, filled.prepared.params)
    # What rows of now give says nothing about what changed between two calls that sent something else.
    is_told = before is not None and part.path not in before.untold | filled.untold
    earlier = before.values.get(part.path) if before is not None and is_told else None
    notes = list(origin.notes)
    source, where = origin.source, origin.where
    if part.given:
        source = ValueSource.RECORDING
        older = filled.prepared.older.get(f"variable:{part.path}")
        where = say("as recorded: its row is newer than the call ({where})", where=origin.where)
        notes.extend([older.reason] if older is not None else [])
    elif part.path in filled.computed:
        source = ValueSource.RECORDING
        where = say("as recorded: rows and files of now give another text ({where})", where=origin.where)
    if part.path in filled.guessed:
        notes.append(say("Another body was sent than the file has now, so which part of it was this value is a guess."))
    if part.path in filled.untold:
        notes.append(
            say(
                "The text that was sent reads otherwise, and this value cannot be told from it: the one shown is of "
                "the rows and files of now and may not be what was sent."
            )
        )
    if part.escaped:
        notes.append(say("The value stands inside a tagged block, so it is escaped."))
    return TemplateVariable(
        path=part.path,
        value=part.text,
        source=source,
        where=where,
        volatility=origin.volatility,
        origin=origin.origin,
        changed=None if earlier is None else earlier != part.text,
        before=earlier,
        is_missing=not part.text,
        cut=origin.cut,
        tokens=covel_tokens(part.text),
        line=line,
        notes=tuple(notes),
    )


def _difference(text: str, recorded: SegmentTree | None) -> Sentence | None:
    """What the recorded body has otherwise; None when it is the same or nothing was recorded."""
    if recorded is None:
        return None
    body = _recorded_body(recorded)
    if body is None:
        return say("the recorded request does not hold this body: the file is newer, or a hook replaced it")
    sent = body.whole_text
    if sent == text:
        return None
    same = next((n for n, (a, b) in enumerate(zip(sent, text, strict=False)) if a != b), min(len(sent), len(text)))
    note = body.notes[0] if body.notes else say("The texts are not the same.")
    return say("the recorded body differs from the file from character {n} on. {note}", n=same + 1, note=note)
