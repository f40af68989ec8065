"""What a row says about a segment besides its title: where it comes from, what the signs mean, in sentences."""

from covel_inspector.analysis.compare import Pair, PairState
from covel_inspector.app.figures import figure
from covel_inspector.domain import Absent, Boundary, Grade, Kind, Reader, Segment, Sentence, Setter, plain, say
from covel_inspector.report.names import estimator_name
from covel_inspector.text.invisible import draw_invisible

LEFT_OUT = say("left out")
IN_THE_REQUEST = say("stands in the request")

STATE_WORDS: dict[PairState, Sentence] = {
    PairState.EQUAL: say("the same on both sides"),
    PairState.CHANGED: say("changed"),
    PairState.ADDED: say("only in B"),
    PairState.REMOVED: say("only in A"),
    PairState.MOVED: say("moved, text unchanged"),
    PairState.MOVED_CHANGED: say("moved and changed"),
}

_SETTERS: dict[Setter, Sentence] = {
    Setter.ENGINE: say("written by the engine"),
    Setter.PROVIDER: say("provider mark"),
    Setter.PREFIX: say("implicit prefix"),
}

_READERS: dict[frozenset[Reader], Sentence] = {
    frozenset({Reader.NEXT_TURN}): say("next turn can read to here"),
    frozenset({Reader.NEXT_STEP}): say("only this turn's next step can read to here"),
    frozenset({Reader.NEXT_STEP, Reader.NEXT_TURN}): say("next step and next turn can read to here"),
}

_QUOTED = frozenset({Kind.HISTORY, Kind.NOTE, Kind.PLAYER_LINE, Kind.STORY, Kind.TOOL_RESULT, Kind.UNKNOWN})
"""Kinds of which there are many with the same title: their first words tell them apart."""

_EXCERPT = 60
_SHORT_NOTE = 36


def origin_hint(segment: Segment) -> Sentence | None:
    """The small grey fact at the right of a row; None when there is nothing to add. A guess says so."""
    hint = _origin(segment)
    if segment.grade is Grade.GUESS:
        return say("guess · {hint}", hint=hint) if hint is not None else say("guess")
    return hint


def _origin(segment: Segment) -> Sentence | None:
    if segment.kind is Kind.GROUP or (segment.kind is Kind.HISTORY and not segment.is_leaf):
        return None
    origin = segment.origin
    if segment.kind is Kind.LORE:
        # Which key matched, and where, says more than the table it lies in.
        return segment.notes[0] if segment.notes else None
    if origin.plugin and origin.runtime and not origin.runtime.startswith(origin.plugin):
        return plain(f"{origin.plugin} · {origin.runtime}")
    name = origin.runtime or origin.plugin or origin.variable
    return plain(name) if name else None


def pair_hint(pair: Pair) -> Sentence | None:
    """The origin, after what a re-labelled segment has to say first. Where a moved one was, stands in A's half."""
    return pair.notes[0] if pair.notes else origin_hint(pair.shown)


def pair_tip(pair: Pair, tokens_a: int | None, tokens_b: int | None, estimator: str) -> list[Sentence]:
    """The lines of a row's tooltip."""
    segment = pair.shown
    lines = [segment.title, STATE_WORDS[pair.state]]
    named = estimator_name(estimator)
    if tokens_a is not None and tokens_b is not None:
        lines.append(say("A {a}, B {b} tokens ({estimator})", a=figure(tokens_a), b=figure(tokens_b), estimator=named))
    else:
        only = tokens_b if tokens_b is not None else tokens_a
        if only is not None:
            lines.append(say("{n} tokens ({estimator})", n=figure(only), estimator=named))
    told = (pair_hint(pair), pair.moved_from, *pair.notes, segment.reason, *segment.notes[:3])
    lines += [one for one in told if one is not None and one.template and one not in lines]
    return lines


def excerpt(segment: Segment) -> str:
    """The first words of a segment whose title says little; empty for all others."""
    if not segment.is_leaf or segment.kind not in _QUOTED or segment.fixed_tokens is not None:
        return ""
    return draw_invisible(" ".join(segment.text[: 4 * _EXCERPT].split())[:_EXCERPT]).text


def boundary_text(boundary: Boundary, before: int | None) -> Sentence:
    """What stands behind "boundary 1" on its line: a short note, else who set it, and who can read up to it."""
    has_short_note = boundary.note.template and len(str(boundary.note)) <= _SHORT_NOTE
    note = boundary.note if has_short_note else _SETTERS[boundary.setter]
    if boundary.readers:
        note = say("{setter} · {readers}", setter=note, readers=_READERS[frozenset(boundary.readers)])
    if before is None:
        return note
    return say("{n} tok before · {note}", n=figure(before), note=note)


def boundary_name(boundary: Boundary) -> Sentence:
    """Its number."""
    return say("boundary {n}", n=boundary.number)


def absent_remark(absent: Absent) -> Sentence:
    """Why it is not there."""
    if absent.note.template.startswith("left out"):
        return absent.note
    return say("left out: {why}", why=absent.note) if absent.note.template else LEFT_OUT


def left_out_count(n: int) -> Sentence:
    """The title of a branch of things that were left out."""
    return say("Left out · {n}", n=n)


def not_yet_count(n: int) -> Sentence:
    """The title of a branch of rows that were committed after the request was sent."""
    return say("Not there yet · {n}", n=n)
