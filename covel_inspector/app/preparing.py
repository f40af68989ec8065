"""From a place and a target to two sides that are ready to draw: the work behind the compare view.

Runs in the source's thread and touches no widget.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from covel_inspector.analysis.absences import with_absences_of
from covel_inspector.analysis.compare import compare
from covel_inspector.analysis.counters import CachedCount, TokenCounter, engine_counter
from covel_inspector.analysis.map import boundary_tokens
from covel_inspector.analysis.token_table import TokenTable
from covel_inspector.app.picking import Lists, call_a_turn_before, call_before
from covel_inspector.app.sides import Figures, Prepared, Side
from covel_inspector.app.state import AS_IT_WAS, Spot
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.unsent import told_unsent
from covel_inspector.app.work import Cancelled
from covel_inspector.domain import (
    Address,
    AddressError,
    BudgetRun,
    Call,
    Changes,
    SegmentTree,
    Sentence,
    Source,
    SourceError,
    Status,
    TurnKind,
    Verdict,
    plain,
    say,
)

Stopped = Callable[[], bool]
"""True as soon as nobody waits for the answer any more."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be shown: the place, its session's lists, and what it is compared with."""

    spot: Spot
    lists: Lists
    target: Target
    changes: Changes = AS_IT_WAS
    """What "what if" does otherwise."""


class Counts:
    """The engine's estimate, remembered by text: turns share most of their texts. One for each opened source."""

    def __init__(self) -> None:
        self._counter: TokenCounter | None = None

    def counter(self, source: Source) -> TokenCounter:
        """The counter of the source; always asked for the same one."""
        if self._counter is None:
            self._counter = engine_counter(source.estimator_name, CachedCount(source.estimate))
        return self._counter


def prepare(source: Source, question: Question, counts: Counts, stopped: Stopped) -> Prepared:
    """Both sides with trees, figures and verdicts, and their comparison.

    A request that is not there becomes a side with a message; only trouble with the whole file is raised.
    """
    spot, target = question.spot, question.target
    if spot.address is None:
        return Prepared(None, empty_turn(question))
    call = question.lists.call(spot.address)
    if target.kind is TargetKind.REBUILT and (call is None or call.is_sent):
        return _recorded_against_rebuilt(source, question, spot.address, counts, stopped)
    b = side_of(source, spot.address, call, counts)
    go_on(stopped)
    a = _other_side(source, question, spot.address, counts)
    go_on(stopped)
    return compared(a, b, stopped)


def go_on(stopped: Stopped) -> None:
    """Raise Cancelled when nobody waits any more."""
    if stopped():
        raise Cancelled


def compared(a: Side | None, b: Side, stopped: Stopped) -> Prepared:
    """Two sides with their comparison, if both have a tree."""
    if a is None or a.tree is None or b.tree is None:
        return Prepared(a, b)
    comparison = compare(a.tree, b.tree, stopped)
    go_on(stopped)
    return Prepared(a, b, comparison)


def empty_turn(question: Question) -> Side:
    """The side of a turn without calls: why there is none."""
    turn = question.lists.turn(question.spot.turn)
    return Side(
        address_text="",
        title=say("turn {turn}", turn=question.spot.turn),
        message=(turn.note if turn is not None else None) or say("No model was called in this turn."),
    )


def _other_side(source: Source, question: Question, address: Address, counts: Counts) -> Side | None:
    kind, lists = question.target.kind, question.lists
    if kind is TargetKind.NONE:
        return None
    if kind is TargetKind.REBUILT:
        why = say("There is no recorded request to compare with.")
        return Side("", say("{title} · recorded", title=title_of(address)), message=why)
    if kind is TargetKind.ADDRESS:
        try:
            there = source.resolve(question.target.address)
        except AddressError as error:
            return Side(question.target.address, plain(question.target.address), message=error.sentence)
        made = (*source.calls(there.session, there.turn), *source.unsent(there.session, there.turn))
        other = next((call for call in made if call.address == there), None)
        side = side_of(source, there, other, counts)
        if there.session != address.session:
            session = next((one.title for one in source.sessions() if one.id == there.session), there.session)
            side = replace(side, title=say("{session} · {title}", session=session, title=side.title))
        return side
    found = (call_before if kind is TargetKind.PREVIOUS_CALL else call_a_turn_before)(lists, address)
    if found is None:
        return Side("", say("before turn {turn}", turn=address.turn), message=_none_before(lists, address))
    return side_of(source, found.address, found, counts)


def _none_before(lists: Lists, address: Address) -> Sentence:
    """Why there is no earlier call. Earlier turns whose calls are not in the file prove no first call."""
    earlier = lists.turns[: max(lists.position(address.turn), 0)]
    silent = next((turn for turn in reversed(earlier) if turn.kind is TurnKind.PLAYER and not turn.call_count), None)
    if silent is None:
        return say(
            "This is the first call of {runtime} in this session: there is no earlier one to compare with.",
            runtime=address.runtime,
        )
    return say(
        "No earlier call of {runtime} is at hand to compare with. Turn {turn}: {why}",
        runtime=address.runtime,
        turn=silent.number,
        why=silent.note or say("No model was called in this turn."),
    )


def _recorded_against_rebuilt(
    source: Source, question: Question, address: Address, counts: Counts, stopped: Stopped
) -> Prepared:
    call = question.lists.call(address)
    verdict = verdict_of(source, address)
    go_on(stopped)
    budget = budget_of(source, address)
    sides = []
    for rebuilt in (False, True):
        tree, trouble = tree_of(source, address, rebuilt=rebuilt)
        if not rebuilt:
            tree = told_whole(source, address, tree, verdict)
        go_on(stopped)
        title = title_of(address)
        sides.append(
            Side(
                address_text=str(address),
                title=say("{title} · rebuilt", title=title) if rebuilt else say("{title} · recorded", title=title),
                tree=tree,
                call=call,
                verdict=verdict,
                message=None if tree is not None else trouble or verdict.reason,
                figures=figures(source, tree, counts) if tree is not None else None,
                rebuilt=rebuilt,
                budget=budget,
            )
        )
    return compared(sides[0], sides[1], stopped)


def side_of(source: Source, address: Address, call: Call | None, counts: Counts) -> Side:
    """The recorded request of a call; the rebuilt one, marked as such, where nothing was recorded."""
    if call is not None and not call.is_sent:
        return unsent_side(source, call, counts)
    verdict = verdict_of(source, address)
    tree, trouble = tree_of(source, address, rebuilt=False)
    tree = told_whole(source, address, tree, verdict)
    rebuilt = False
    message: Sentence | None = None
    if tree is None:
        reason = trouble or (call.problem if call is not None and call.problem else verdict.reason)
        tree, _ = tree_of(source, address, rebuilt=True)
        rebuilt = tree is not None
        message = say("Not recorded, but rebuilt: {reason}", reason=reason) if rebuilt else reason
    return Side(
        address_text=str(address),
        title=title_of(address),
        tree=tree,
        call=call,
        verdict=verdict,
        message=message,
        figures=figures(source, tree, counts) if tree is not None else None,
        rebuilt=rebuilt,
        budget=budget_of(source, address) if tree is not None else None,
    )


def unsent_side(source: Source, call: Call, counts: Counts) -> Side:
    """A request that was never sent, as far as it can be rebuilt, and what became of it."""
    address = call.address
    verdict = verdict_of(source, address)
    tree, trouble = tree_of(source, address, rebuilt=True)
    return Side(
        address_text=str(address),
        title=say("{title} · never sent", title=title_of(address)),
        tree=tree,
        call=call,
        verdict=verdict,
        message=told_unsent(call, tree, trouble),
        figures=figures(source, tree, counts) if tree is not None else None,
        rebuilt=tree is not None,
        budget=budget_of(source, address) if tree is not None else None,
        details=call.error,
    )


def told_whole(source: Source, address: Address, recorded: SegmentTree | None, verdict: Verdict) -> SegmentTree | None:
    """A recorded request with all that was left out of it, where the rebuilt one proves to be the same."""
    if recorded is None or verdict.status not in (Status.IDENTICAL, Status.NORMALISED):
        return recorded
    rebuilt, _ = tree_of(source, address, rebuilt=True)
    return with_absences_of(recorded, rebuilt) if rebuilt is not None else recorded


def title_of(address: Address) -> Sentence:
    """Turn, runtime, and the call when it is not the first: "turn 12 · narrator · call 2"."""
    if address.call:
        return say("turn {turn} · {runtime} · call {n}", turn=address.turn, runtime=address.runtime, n=address.call + 1)
    return say("turn {turn} · {runtime}", turn=address.turn, runtime=address.runtime)


def tree_of(
    source: Source, address: Address, *, rebuilt: bool, changes: Changes | None = None
) -> tuple[SegmentTree | None, Sentence | None]:
    """One of the two trees of a call, or why there is none (which may stay unsaid). Changes go into a rebuilt one."""
    try:
        return (source.rebuilt(address, changes) if rebuilt else source.recorded(address)), None
    except (SourceError, AddressError) as error:
        return None, error.sentence


def budget_of(source: Source, address: Address, changes: Changes | None = None) -> BudgetRun | None:
    """What the token budget of a call did; None where that is not known."""
    try:
        return source.budget(address, changes)
    except (SourceError, AddressError):
        return None


def verdict_of(source: Source, address: Address) -> Verdict:
    """Recorded against rebuilt; trouble is a verdict too."""
    try:
        return source.verdict(address)
    except (SourceError, AddressError) as error:
        return Verdict(Status.IMPOSSIBLE, error.sentence)


def figures(source: Source, tree: SegmentTree, counts: Counts) -> Figures:
    """Tokens of every segment, of the whole, and before each boundary, by the engine's estimate."""
    table = TokenTable(tree, counts.counter(source), has_fixed=True)
    by_identity = {id(segment): table.of(segment) for segment in tree.walk()}
    return Figures(source.estimator_name, table.total, boundary_tokens(tree, table), by_identity)
