"""The budget of a call, applied to the units of an assembled request. Follows the reference on the runtime, 6.

What the budget did in the earlier requests of a run it repeats in the later ones, so those are fitted first. The
window of a call is recorded nowhere: when neither the slot file nor an overflow names it, a limit is looked for under
which the recorded request comes out; such a limit is marked as taken from the recording.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from covel_inspector.domain import Absent, Field, Grade, Group, Kind, Place, Segment, SegmentTree, say
from covel_inspector.domain.building import whole
from covel_inspector.engines.covel.budget.estimator import Estimator, covel_tokens, message_tokens
from covel_inspector.engines.covel.budget.ledger import FOLD, Ledger
from covel_inspector.engines.covel.budget.limits import BudgetOptions
from covel_inspector.engines.covel.budget.pruning import MARKER
from covel_inspector.engines.covel.budget.request import FittedRequest, RequestInput, fit_request
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.leavings import trimmed_away
from covel_inspector.engines.covel.rebuild.limits import Limit
from covel_inspector.engines.covel.rebuild.units import PlacedLeaf, Unit
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import message_parts
from covel_inspector.engines.covel.records.naming import TITLES, fold_key, fold_title

_TRIES = 300
_NEAR = 40


@dataclass(frozen=True, slots=True)
class Trimmed:
    """The units that go out, and what the budget left out. ``fitted`` is None when no limit is known."""

    units: tuple[Unit, ...]
    absent: tuple[Absent, ...] = ()
    limit: Limit | None = None
    fitted: FittedRequest | None = None


def trim(request: AssembledRequest, limit: Limit | None, protected_turns: int | None = None) -> Trimmed:
    """Fit a request under a limit. Raises BudgetError for a limit that makes no sense."""
    if limit is None:
        return Trimmed(request.units)
    fitted = fit(request, limit, protected_turns)
    units = (request.units[0], *_units(request, fitted, limit))
    return Trimmed(units, tuple(trimmed_away(request.units[1:], fitted)), limit, fitted)


def fit(request: AssembledRequest, limit: Limit, protected_turns: int | None = None) -> FittedRequest:
    """The budget of a request after those of the earlier requests of its run.

    The earlier ones are fitted with the tools of this one: a list that grew in between weighs a little more there than
    it did.
    """
    estimate = estimator_of(request)
    protect = request.protect + (0 if protected_turns is None else protected_turns - 1)
    window = limit.input_limit if limit.window is None else limit.window
    options = BudgetOptions(window, limit.reserve or 0, max(0, protect))
    fitted = _fit(request, len(request.units), options, estimate, ())
    if not request.earlier or fitted.before <= fitted.limits.cap:
        # Requests only grow: when the last one fits, none before was trimmed.
        return fitted
    ledger: Ledger = ()
    for count in request.earlier:
        ledger = _fit(request, count, options, estimate, ledger).ledger
    return _fit(request, len(request.units), options, estimate, ledger) if ledger else fitted


def estimator_of(request: AssembledRequest) -> Estimator:
    """The engine's estimate, with the known sizes of texts that are not known themselves."""
    if not request.sizes:
        return covel_tokens
    sizes = dict(request.sizes)
    return lambda text: sizes[text] if text in sizes else covel_tokens(text)


def read_off(request: AssembledRequest, recorded: SegmentTree | None) -> Limit | None:
    """A limit under which the recorded messages come out, when the recording shows a prune marker."""
    if recorded is None or all(leaf.kind is not Kind.PRUNE_MARKER for leaf in recorded.leaves()):
        return None
    wanted = [
        part.text for part in recorded.request.parts if part.group is Group.MESSAGES and part.field is Field.CONTENT
    ]
    fixed = _fit(request, len(request.units), BudgetOptions(1, 0, 0), covel_tokens, ()).fixed.total
    total = fixed + sum(message_tokens(unit.message, covel_tokens) for unit in request.units[1:])
    # A cut fills the request up to its limit, so the recorded size comes first; else steps of the whole range.
    sent = fixed + sum(covel_tokens(part.text) for part in recorded.request.parts if part.group is Group.MESSAGES)
    stride = max(1, (total - fixed) // _TRIES)
    source = say("no file names the window: this limit is one under which the recorded request comes out")
    for cap in (*range(sent, sent + _NEAR), *range(total - 1, fixed, -stride)):
        if cap <= 0:
            continue
        limit = Limit(cap, request.target.reserve, source, taken=True)
        made = fit(request, limit).messages
        if [message.content for message in made[1:] if not message.tool_calls] == wanted:
            return limit
    return None


def _fit(
    request: AssembledRequest, count: int, options: BudgetOptions, estimate: Estimator, ledger: Ledger
) -> FittedRequest:
    messages = tuple(unit.message for unit in request.units[:count])
    given = RequestInput(messages, request.tools, request.response_format, request.retry_text)
    return fit_request(given, options, request.texts, estimate, ledger)


def _units(request: AssembledRequest, fitted: FittedRequest, limit: Limit) -> list[Unit]:
    body = request.units[1:]
    made: list[Unit] = []
    folds = 0
    for message, origin in zip(fitted.messages[1:], fitted.origins, strict=True):
        if origin == MARKER:
            made.append(_marker_unit(message, limit))
        elif origin == FOLD:
            folds += 1
            made.append(_fold_unit(message, folds))
        elif message is body[origin].message or message == body[origin].message:
            made.append(body[origin])
        else:
            made.append(_shortened(body[origin], message))
    return made


def _shortened(unit: Unit, message: KernelMessage) -> Unit:
    """A unit whose text the budget changed: one leaf, named like the whole message was."""
    text = str(message.content)
    first = unit.leaves[0]
    # An envelope is a branch of several leaves: cut, only the whole of it can be told.
    named, path = (first.path[-1], first.path[:-1]) if len(unit.leaves) > 1 and first.path else (first.leaf, first.path)
    note = say("the budget shortened this text to fit the limit")
    leaf = replace(first.leaf, key=named.key, title=named.title, text=text, notes=(*first.leaf.notes, note))
    return Unit(message, (PlacedLeaf(0, replace(leaf, place=Place(0, 0, len(text))), path),))


def _marker_unit(message: KernelMessage, limit: Limit) -> Unit:
    segment = Segment(
        "prune-marker",
        Kind.PRUNE_MARKER,
        TITLES[Kind.PRUNE_MARKER],
        grade=Grade.EXACT,
        reason=say("stands for the messages that did not fit; {source}", source=limit.source),
        taken=limit.taken,
    )
    return _new_unit(message, segment)


def _fold_unit(message: KernelMessage, number: int) -> Unit:
    reason = say("stands for older groups of tool calls that did not fit")
    return _new_unit(message, Segment(fold_key(number), Kind.LOOP_NOTE, fold_title(), grade=Grade.EXACT, reason=reason))


def _new_unit(message: KernelMessage, segment: Segment, path: Sequence[Segment] = ()) -> Unit:
    parts = message_parts(Group.MESSAGES, 1, message)
    return Unit(message, (PlacedLeaf(0, whole(segment, parts, 0), tuple(path)),))
