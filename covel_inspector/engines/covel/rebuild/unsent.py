"""A request that was never sent, rebuilt as far as rows, files and the numbers of its error tell.

What only a recording could give is lent by another call of the same runtime, and the player's line, which no row
keeps when a turn fails, stays unknown: a single mark stands for it, with the size that the error's numbers leave.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from covel_inspector.domain import AbsenceReason, Absent, Grade, Kind, Segment, Sentence, say
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.budget_telling import count
from covel_inspector.engines.covel.rebuild.limits import Limit, Overflow, Target
from covel_inspector.engines.covel.rebuild.taken import LEARNED
from covel_inspector.engines.covel.rebuild.trimming import fit
from covel_inspector.engines.covel.rebuild.units import PlacedLeaf, Unit

UNKNOWN_LINE = "\ufffc"
"""Stands in the request for a line that is not stored: the character for an object that cannot be shown."""

_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Unsent:
    """What is known of a request that was never sent.

    ``lender`` is the turn whose call lends what no row gives, empty without one; ``target`` is the model as the error
    names it.
    """

    error: str
    overflow: Overflow | None
    lender: str
    target: Target


def settled(request: AssembledRequest, unsent: Unsent) -> AssembledRequest:
    """The request with its unknown line named and sized, and with what is lent marked so."""
    request = replace(request, units=tuple(_lent(unit, unsent.lender) for unit in request.units))
    target = unsent.target if unsent.overflow is not None else request.target
    reserve = request.target.reserve
    request = replace(request, reason=_reason(unsent), unsent=unsent.error, target=replace(target, reserve=reserve))
    line = next((number for number, unit in enumerate(request.units) if unit.message.content == UNKNOWN_LINE), None)
    if line is None:
        return request
    size = line_size(request, unsent.overflow)
    sizes = ((UNKNOWN_LINE, size),) if size is not None else ()
    units = list(request.units)
    units[line] = _named(units[line], size)
    leaf = units[line].leaves[0].leaf
    absent = Absent(
        leaf.key, leaf.kind, leaf.title, AbsenceReason.NOT_STORED, leaf.reason, "", leaf.origin, leaf.key, Grade.EXACT
    )
    others = tuple(_doubted(one) for one in request.absent)
    return replace(request, units=tuple(units), sizes=sizes, absent=(*others, absent))


def _doubted(absent: Absent) -> Absent:
    """A lorebook entry without a key in sight: the text that is stored nowhere may have held one."""
    if absent.kind is not Kind.LORE or absent.reason is not AbsenceReason.NO_KEY:
        return absent
    note = say("{why}; whether one stood in the player's text is not known", why=absent.note)
    return replace(absent, note=note, grade=Grade.GUESS)


def closest(requests: Sequence[AssembledRequest], overflow: Overflow | None) -> AssembledRequest:
    """Of several versions the one whose system prompt and tools weigh what the error says; else the first."""
    if overflow is None:
        return requests[0]
    wanted = (overflow.parts.get("system"), overflow.parts.get("tools"))
    return min(requests, key=lambda request: _weights(request) != wanted)


def line_size(request: AssembledRequest, overflow: Overflow | None) -> int | None:
    """Tokens of the unknown line, by the message tokens that the error names; None when it names none.

    What was pruned depends on the size, so it is asked again until the numbers agree.
    """
    if overflow is None:
        return None
    wanted = overflow.parts["messages"]
    size = wanted
    for _ in range(_ROUNDS):
        tried = replace(request, sizes=((UNKNOWN_LINE, size),))
        missing = wanted - fit(tried, Limit(overflow.limit, None, request.reason)).counts.body_tokens
        if missing == 0 or size + missing <= 0:
            break
        size += missing
    return size


def _weights(request: AssembledRequest) -> tuple[int, int]:
    fixed = fit(request, Limit(1, None, request.reason)).fixed
    return fixed.system, fixed.tools


def _reason(unsent: Unsent) -> Sentence:
    if not unsent.lender:
        return say("this request was never sent: it is built from rows and files alone")
    return say(
        "this request was never sent: what rows and files do not give is lent by the runtime's call of turn {turn}",
        turn=unsent.lender,
    )


def _lent(unit: Unit, lender: str) -> Unit:
    if not any(placed.leaf.taken for placed in unit.leaves):
        return unit
    return replace(unit, leaves=tuple(_lent_leaves(unit.leaves, lender)))


def _lent_leaves(leaves: Sequence[PlacedLeaf], lender: str) -> Iterator[PlacedLeaf]:
    for placed in leaves:
        leaf = placed.leaf
        if not leaf.taken or leaf.reason == LEARNED:
            yield placed
            continue
        why = say("as it was sent in turn {turn}; this request was never sent, it may read otherwise", turn=lender)
        yield replace(placed, leaf=replace(leaf, grade=Grade.GUESS, reason=why))


def _named(unit: Unit, size: int | None) -> Unit:
    if size is None:
        why = say("the player's text of this turn is stored nowhere, because the turn failed; its size is not known")
    else:
        why = say(
            "the player's text of this turn is stored nowhere, because the turn failed; by the numbers of the error it "
            "was {n} tokens long",
            n=count(size),
        )
    placed = unit.leaves[0]
    leaf: Segment = replace(
        placed.leaf,
        kind=Kind.PLAYER_LINE,
        title=say("Player line (not stored)"),
        grade=Grade.UNKNOWN,
        reason=why,
        notes=(),
        taken=False,
        fixed_tokens=size,
    )
    return replace(unit, leaves=(replace(placed, leaf=leaf), *unit.leaves[1:]))
