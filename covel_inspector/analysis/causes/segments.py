"""Causes in one segment: which kind of segment changed, came or went, and what that means."""

from covel_inspector.analysis.causes.cause import Cause, CauseKind, Side
from covel_inspector.analysis.causes.difference import LOOP_KINDS, Parting, Row, excerpts
from covel_inspector.analysis.pairs import PairState
from covel_inspector.domain import Event, Grade, Group, Kind, Origin, Segment, Sentence, Volatility, say

_TURN_KINDS = frozenset({Kind.ACTIVATION, Kind.INPUTS, Kind.EXPORTS, Kind.OWN_DATA, Kind.TURN_CONTEXT})
"""Kinds that change in every turn; they belong behind the history."""


def segment_cause(parting: Parting, row: Row, before: Side, now: Side) -> Cause:
    """The cause for a first difference outside the history and before the turn's own part."""
    segment = row.segment
    kind, sentence = _told(parting, row)
    was, became = _texts(row)
    if kind is not CauseKind.VARIABLE:
        was, became = excerpts(was, became)
    cause = Cause(
        kind,
        sentence,
        key=segment.key,
        title=segment.title,
        plugin=segment.origin.plugin,
        variable=segment.origin.variable,
        old=_short(was),
        new=_short(became),
        is_guess=kind is CauseKind.STABLE_SEGMENT and segment.volatility is None,
    )
    return _by_hook(cause, row, before, now) or cause


def _told(parting: Parting, row: Row) -> tuple[CauseKind, Sentence]:
    kind, title = row.kind, row.segment.title
    if row.group is Group.TOOLS:
        return _tools(parting, row)
    if row.group is Group.RESPONSE_FORMAT:
        return CauseKind.PARAMETERS, say("The response format changed.")
    if kind is Kind.PREAMBLE:
        return CauseKind.PREAMBLE, say("The engine's preamble changed: “{segment}”.", segment=title)
    if kind is Kind.BODY:
        return _body(row)
    if kind is Kind.LORE:
        return CauseKind.LORE, _lore(row)
    if kind is Kind.EVENTS:
        return CauseKind.EVENTS, say("The directory of events changed.")
    if kind in LOOP_KINDS:
        return CauseKind.TOOL_LOOP, say(
            "A message of the tool loop was cut, folded or left out: “{segment}”.", segment=title
        )
    return _extension(row)


def _tools(parting: Parting, row: Row) -> tuple[CauseKind, Sentence]:
    rows = [one for one in parting.rows if one.group is Group.TOOLS]
    added = [_name(one.pair.b) for one in rows if one.pair.a is None and one.pair.b is not None]
    gone = [_name(one.pair.a) for one in rows if one.pair.b is None and one.pair.a is not None]
    if row.pair.state is PairState.MOVED and not added and not gone:
        return CauseKind.TOOLS_REORDERED, say(
            "The same tools come in another order, from {tool} on.", tool=_name(row.segment)
        )
    if added and not gone:
        return CauseKind.TOOLS_CHANGED, say("The tool list grew: {tools}.", tools=", ".join(added))
    if gone and not added:
        return CauseKind.TOOLS_CHANGED, say("Tools are no longer offered: {tools}.", tools=", ".join(gone))
    if added and gone:
        sentence = say("Other tools are offered: {new} instead of {old}.", new=", ".join(added), old=", ".join(gone))
        return CauseKind.TOOLS_CHANGED, sentence
    return CauseKind.TOOLS_CHANGED, say("The definition of the tool {tool} changed.", tool=_name(row.segment))


def _name(segment: Segment | None) -> str:
    return "" if segment is None else segment.key.removeprefix("tool:")


def _body(row: Row) -> tuple[CauseKind, Sentence]:
    variable = row.segment.origin.variable
    if variable:
        return CauseKind.VARIABLE, say(
            "The value of the variable {variable} in the runtime body changed.", variable=variable
        )
    return CauseKind.BODY, say("The runtime body reads differently: its file, its language or its plugin changed.")


def _lore(row: Row) -> Sentence:
    title, state = row.segment.title, row.pair.state
    if state is PairState.ADDED:
        return say("The lorebook entry “{segment}” came in.", segment=title)
    if state is PairState.REMOVED:
        return say("The lorebook entry “{segment}” is no longer in.", segment=title)
    if state is PairState.CHANGED:
        return say("The lorebook entry “{segment}” reads differently.", segment=title)
    return say("The lorebook entry “{segment}” stands at another place.", segment=title)


def _extension(row: Row) -> tuple[CauseKind, Sentence]:
    """A segment of a plugin, the world's lore, or a text that nobody knows."""
    segment, state = row.segment, row.pair.state
    title = segment.title
    if segment.kind is Kind.UNKNOWN and segment.origin == Origin():
        return CauseKind.UNKNOWN, say("A text that no source is known for changed.")
    if segment.volatility is Volatility.TURN or segment.kind in _TURN_KINDS:
        if row.group is Group.SYSTEM:
            return CauseKind.TURN_SEGMENT, say(
                "“{segment}” changes from turn to turn and stands in the system prompt, before the history.",
                segment=title,
            )
        return CauseKind.TURN_SEGMENT, say(
            "“{segment}” changes from turn to turn and stands before the end of the history.", segment=title
        )
    if state is PairState.ADDED:
        return CauseKind.STABLE_SEGMENT, say("“{segment}” came in, which is meant to stay the same.", segment=title)
    if state is PairState.REMOVED:
        return CauseKind.STABLE_SEGMENT, say("“{segment}” is gone, which is meant to stay the same.", segment=title)
    if state in (PairState.MOVED, PairState.MOVED_CHANGED):
        return CauseKind.STABLE_SEGMENT, say("“{segment}” stands at another place than before.", segment=title)
    return CauseKind.STABLE_SEGMENT, say("“{segment}” changed, which is meant to stay the same.", segment=title)


def _by_hook(cause: Cause, row: Row, before: Side, now: Side) -> Cause | None:
    """A segment that nobody is sure of, beside a turn in which a hook rewrote a prompt: probably that hook."""
    rewrote = before.has(Event.HOOK_REWROTE) != now.has(Event.HOOK_REWROTE)
    is_doubtful = row.pair.a is None or row.pair.b is None or row.segment.grade in (Grade.GUESS, Grade.UNKNOWN)
    if (
        not rewrote
        or not is_doubtful
        or cause.kind not in (CauseKind.STABLE_SEGMENT, CauseKind.UNKNOWN, CauseKind.BODY)
    ):
        return None
    sentence = say(
        "A hook rewrote a prompt in one of the two turns; “{segment}” is where they part.", segment=row.segment.title
    )
    return Cause(
        CauseKind.HOOK,
        sentence,
        key=cause.key,
        title=cause.title,
        plugin=cause.plugin,
        old=cause.old,
        new=cause.new,
        is_guess=True,
    )


def _texts(row: Row) -> tuple[str, str]:
    a, b = row.pair.a, row.pair.b
    return (a.whole_text if a is not None else ""), (b.whole_text if b is not None else "")


def _short(text: str, most: int = 240) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
