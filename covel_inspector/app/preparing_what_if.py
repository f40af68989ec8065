"""A call as it was beside the same call with the reader's changes: the work behind "what if".

Nothing is written anywhere. Runs in the source's thread and touches no widget.
"""

from dataclasses import replace

from covel_inspector.analysis.shared import shared_prefix
from covel_inspector.app.picking import call_a_turn_before
from covel_inspector.app.preparing import (
    Counts,
    Question,
    Stopped,
    budget_of,
    compared,
    empty_turn,
    figures,
    go_on,
    title_of,
    tree_of,
    unsent_side,
    verdict_of,
)
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.state import AS_IT_WAS
from covel_inspector.domain import Address, AddressError, Call, Changes, Sentence, Source, SourceError, Status, say
from covel_inspector.domain.listing import joined

_MOST_UNMATCHED = 4
"""Names that fit nothing which are told one by one."""


def prepare_what_if(source: Source, question: Question, counts: Counts, stopped: Stopped) -> Prepared:
    """A is the request as it was, B the same one rebuilt with the changes.

    A is the recorded request where the rebuild equals it; otherwise it is the unchanged rebuild, so that the two sides
    differ by the changes and by nothing else.
    """
    address = question.spot.address
    if address is None:
        return Prepared(None, empty_turn(question))
    call = question.lists.call(address)
    a = _as_it_was(source, address, call, counts)
    go_on(stopped)
    b = _changed(source, address, call, question, counts)
    go_on(stopped)
    a = replace(a, kept=_kept(source, question, address, a, AS_IT_WAS))
    b = replace(b, kept=_kept(source, question, address, b, question.changes))
    go_on(stopped)
    return compared(a, b, stopped)


def _as_it_was(source: Source, address: Address, call: Call | None, counts: Counts) -> Side:
    if call is not None and not call.is_sent:
        return unsent_side(source, call, counts)
    verdict = verdict_of(source, address)
    tree, trouble = tree_of(source, address, rebuilt=True)
    recorded = None
    if verdict.status is Status.IDENTICAL and tree is not None:
        recorded, _ = tree_of(source, address, rebuilt=False)
    if recorded is not None and tree is not None:
        # The rebuild knows more of what was left out, and only so both sides tell the same of it.
        tree = replace(recorded, absent=tree.absent)
    return Side(
        address_text=str(address),
        title=title_of(address),
        tree=tree,
        call=call,
        verdict=verdict,
        message=None if tree is not None else trouble or verdict.reason,
        figures=figures(source, tree, counts) if tree is not None else None,
        rebuilt=recorded is None,
        budget=budget_of(source, address) if tree is not None else None,
    )


def _changed(source: Source, address: Address, call: Call | None, question: Question, counts: Counts) -> Side:
    changes = question.changes
    shown = Side(
        address_text=str(address),
        title=say("{title} · what if", title=title_of(address)),
        call=call,
        rebuilt=True,
        changes=changes,
    )
    try:
        budget = source.budget(address, changes)
    except (SourceError, AddressError) as error:
        return replace(shown, message=say("These changes make no request: {why}", why=error.sentence))
    tree, trouble = tree_of(source, address, rebuilt=True, changes=changes)
    if tree is None:
        return replace(shown, message=trouble or verdict_of(source, address).reason)
    unmatched = _unmatched(source, address, changes)
    return replace(shown, tree=tree, figures=figures(source, tree, counts), budget=budget, message=unmatched)


def _unmatched(source: Source, address: Address, changes: Changes) -> Sentence | None:
    """What of the changes names nothing here, in one remark; None when all of it fits."""
    try:
        found = source.unmatched(address, changes)
    except (SourceError, AddressError):
        return None
    if not found:
        return None
    told = joined(*found[:_MOST_UNMATCHED])
    left = len(found) - _MOST_UNMATCHED
    return say("{first} And {n} more names fit nothing.", first=told, n=left) if left > 0 else told


def _kept(source: Source, question: Question, address: Address, side: Side, changes: Changes) -> int | None:
    """Tokens that the call shares from the front with the one a turn before. A changed line is of its turn alone."""
    before = call_a_turn_before(question.lists, address)
    if before is None or side.tree is None or side.figures is None:
        return None
    tree, _ = tree_of(source, before.address, rebuilt=True, changes=replace(changes, player_line=None))
    if tree is None:
        return None
    end = shared_prefix(tree.request, side.tree.request).b
    if end is None:
        return side.figures.total
    tokens = 0
    for leaf in side.tree.leaves():
        if leaf.place is None or leaf.place >= end:
            break
        inside = leaf.place.part == end.part and end.start < leaf.place.end
        tokens += source.estimate(leaf.text[: end.start - leaf.place.start]) if inside else side.figures.of(leaf) or 0
    return tokens
