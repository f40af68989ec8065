"""Calls that failed before they were sent: no trace holds them, only the error of their runtime.

Follows the reference on the database, section 5.6: an overflow leaves no call behind, its numbers stand in the error.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from covel_inspector.domain import Address, Call, SegmentTree, Sentence, TooLong, say
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.budget_telling import count
from covel_inspector.engines.covel.rebuild.limits import Overflow, Target, parse_overflow
from covel_inspector.engines.covel.rebuild.rebuilding import CallToRebuild
from covel_inspector.engines.covel.rebuild.unsent import Unsent
from covel_inspector.engines.covel.records.calls import ProviderRequest, RecordedCall
from covel_inspector.engines.covel.records.rows import CallRow, EventMarkRow, TurnResultRow
from covel_inspector.engines.covel.source.turns import CallPlace, execution_start

FAILED_EVENT = "runtime.failed"

_TARGET = re.compile(r"^\[provider:[^\]]*\]\s*")
_LONGEST = 160
"""Code points of an error that go into a sentence."""


@dataclass(frozen=True, slots=True)
class UnsentCall:
    """A call that was never sent. ``overflow`` has the figures of its error, None when it failed for another reason."""

    call: Call
    place: CallPlace
    error: str
    overflow: Overflow | None


def unsent_calls(
    session: str,
    results: Iterable[TurnResultRow],
    placed: Sequence[CallPlace],
    numbers: Mapping[str, str],
    events: Sequence[EventMarkRow],
) -> Iterator[UnsentCall]:
    """The calls that failed executions would have made next. ``results`` are whole rows of turns with a failure.

    A runtime that called a model before in the same execution counts only when its error is an overflow: any other
    error may have come after the call. The same holds for a turn of which no trace is kept: its calls may be gone.
    """
    traced = {place.row.turn_id for place in placed} | {event.turn_id for event in events}
    made = Counter((place.row.turn_id, place.row.runtime_id) for place in placed)
    for result in results:
        for run in result.runtime_results:
            error, runtime = run.get("error"), run.get("runtimeId")
            if not (isinstance(error, str) and error and isinstance(runtime, str)) or run.get("status") != "failed":
                continue
            overflow = parse_overflow(error)
            trace = _trace_of(events, result, runtime)
            own = [place for place in placed if _is_of(place.row, result, runtime, trace)]
            if overflow is None and (own or result.turn_id not in traced):
                continue
            index = made[result.turn_id, runtime]
            made[result.turn_id, runtime] += 1
            turn = numbers.get(result.turn_id, "?")
            row = _call_row(session, result, run, runtime, overflow, trace, bool(own))
            place = CallPlace(row, turn, index, 1 + max((one.step for one in own), default=-1))
            yield UnsentCall(
                _call(Address(session, turn, runtime, index), place, error, overflow), place, error, overflow
            )


def lent_calls(
    call: CallToRebuild,
    unsent: UnsentCall,
    recorded_calls: Sequence[Call],
    recorded: Callable[[Address], SegmentTree | None],
    payload: Callable[[Address], RecordedCall | None],
) -> Sequence[CallToRebuild]:
    """An unsent call with what the nearest recorded calls of its runtime lend: the one before it, and the one after.

    Without any it stands alone.
    """
    lenders = _lenders(unsent, recorded_calls)
    concealed = call.concealed or any(one.concealed for one in lenders)
    target = Target(unsent.place.row.slot, unsent.place.row.model, None)
    made = [
        replace(
            call,
            recorded=recorded(one.address),
            payload=payload(one.address),
            concealed=concealed,
            unsent=Unsent(unsent.error, unsent.overflow, one.address.turn, target),
        )
        for one in lenders
    ]
    return made or [replace(call, unsent=Unsent(unsent.error, unsent.overflow, "", target))]


def payload_or_lent(
    address: Address,
    unsent: UnsentCall | None,
    recorded_calls: Sequence[Call],
    payload: Callable[[Address], RecordedCall | None],
) -> tuple[RecordedCall | None, str]:
    """A call's payload; for one that was never sent what its body needs besides its messages, and who lends it.

    The lender is named by its turn, empty for a call's own payload. Only the protocol and the kernel's settings are
    lent: a body of other messages tells nothing of this one.
    """
    own = payload(address)
    if own is not None or unsent is None:
        return own, ""
    for one in _lenders(unsent, recorded_calls):
        lent = payload(one.address)
        if lent is not None and lent.protocol:
            bare = ProviderRequest(provider=lent.provider, protocol=lent.protocol)
            model = unsent.call.model or lent.model
            return lent.model_copy(update={"provider_requests": (bare,), "model": model}), one.address.turn
    return None, ""


def nothing_recorded(request: AssembledRequest | None) -> Sentence:
    """Why there is nothing to compare a rebuilt request with."""
    if request is None or not request.unsent:
        return say("nothing was recorded to compare the rebuilt request with")
    overflow = parse_overflow(request.unsent)
    if overflow is None:
        return say("the request was never sent: {error}", error=_brief(request.unsent))
    return say(
        "the request was never sent, because it did not fit: its {needed} tokens are {over} more than its limit of "
        "{limit}",
        needed=count(overflow.estimated),
        over=count(overflow.estimated - overflow.limit),
        limit=count(overflow.limit),
    )


def told_failure(runtime: str, error: str) -> Sentence:
    """A runtime's error in a sentence for people."""
    overflow = parse_overflow(error)
    if overflow is None:
        return say("{runtime} failed: {error}", runtime=runtime, error=_brief(error))
    return say(
        "The request of {runtime} did not fit, so the engine sent nothing: it needed {needed} tokens, {over} more than "
        "its limit of {limit}.",
        runtime=runtime,
        needed=count(overflow.estimated),
        over=count(overflow.estimated - overflow.limit),
        limit=count(overflow.limit),
    )


def _brief(error: str) -> str:
    """The first line of an error, without the model that it begins with."""
    line = next(iter(_TARGET.sub("", error.strip()).splitlines()), "")
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _lenders(unsent: UnsentCall, recorded_calls: Sequence[Call]) -> list[Call]:
    """The runtime's calls just before and just after, of the same step where there are any."""
    own = [one for one in recorded_calls if one.address.runtime == unsent.call.address.runtime]
    same = [one for one in own if one.attempt == 0 and one.step == unsent.place.step] or own
    before = [one for one in same if one.started_at < unsent.call.started_at][-1:]
    after = [one for one in same if one.started_at >= unsent.call.started_at][:1]
    return [*before, *after]


def _trace_of(events: Sequence[EventMarkRow], result: TurnResultRow, runtime: str) -> str:
    """The execution's trace id, by the event of the failure; empty when there is none."""
    found = [
        event
        for event in events
        if event.type == FAILED_EVENT and event.turn_id == result.turn_id and event.runtime_id == runtime
    ]
    return min(found, key=lambda event: event.created_at > result.created_at).trace_id if found else ""


def _is_of(row: CallRow, result: TurnResultRow, runtime: str, trace: str) -> bool:
    if row.turn_id != result.turn_id or row.runtime_id != runtime:
        return False
    return row.trace_id == trace if trace else row.started_at <= result.created_at


def _call_row(
    session: str,
    result: TurnResultRow,
    run: Mapping[str, object],
    runtime: str,
    overflow: Overflow | None,
    trace: str,
    ran_before: bool,
) -> CallRow:
    ended = run.get("timestamp")
    at_end = ended if isinstance(ended, str) and ended else result.created_at
    return CallRow(
        id=result.id,
        session_id=session,
        turn_id=result.turn_id,
        trace_id=trace,
        created_at=result.created_at,
        runtime_id=runtime,
        plugin_id=str(run.get("pluginId") or runtime.partition("/")[0]),
        slot=overflow.slot if overflow is not None else "",
        model=overflow.model if overflow is not None else "",
        provider=overflow.provider if overflow is not None else "",
        started_at=at_end if ran_before else execution_start(result),
    )


def _call(address: Address, place: CallPlace, error: str, overflow: Overflow | None) -> Call:
    row = place.row
    return Call(
        address=address,
        row=row.id,
        turn_id=row.turn_id,
        step=place.step,
        model=row.model,
        provider=row.provider,
        slot=row.slot,
        plugin=row.plugin_id,
        started_at=row.started_at,
        error=error,
        failure=told_failure(address.runtime, error),
        too_long=TooLong(overflow.estimated, overflow.limit, overflow.parts["fixed"]) if overflow is not None else None,
    )
