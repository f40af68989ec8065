"""Finds the cause of the first difference between two requests of one runtime."""

from collections.abc import Sequence
from dataclasses import replace

from covel_inspector.analysis.causes.cause import Cause, CauseKind, Measured, ProviderFacts, Side
from covel_inspector.analysis.causes.difference import HISTORY_KINDS, LOOP_KINDS, Parting, Row
from covel_inspector.analysis.causes.history import history_cause, is_cut_off
from covel_inspector.analysis.causes.remedies import remedy_for
from covel_inspector.analysis.causes.segments import segment_cause
from covel_inspector.analysis.pairs import PairState
from covel_inspector.analysis.prefix import size_of
from covel_inspector.domain import Group, Kind, Sentence, say
from covel_inspector.text.figures import grouped

_MOST_NAMED = 3
_NEAR = 1.1
"""An estimate may be wrong by a tenth."""


def find_cause(
    before: Side | None, now: Side, measured: Measured | None = None, provider: ProviderFacts | None = None
) -> Cause:
    """The cause of the first difference in the order in which providers hash: model, tools, system prompt, messages.

    ``before`` is None for the first request. The two may be first requests of two turns or any two requests of one
    runtime. When the texts held, what the provider reported is looked at: expired, too short, or nothing read.
    """
    provider = provider or ProviderFacts()
    if before is None:
        return _whole(Cause(CauseKind.FIRST_CALL, say("The first recorded request of this runtime.")), measured)
    cause = _other_model(before, now)
    if cause is not None:
        return _finished(_whole(cause, measured), now)
    if before.tree is None or now.tree is None:
        cause = Cause(
            CauseKind.CONCEALED,
            say("The engine conceals this request or it cannot be read, so nothing can be compared."),
        )
        return _whole(cause, measured)
    parting = Parting(before.tree, now.tree)
    cause = _in_texts(parting, before, now)
    cause = replace(cause, place=parting.place, tokens_uncached=_uncached(measured), tokens_lost=_lost(parting, cause))
    cause = _reason_of_group(cause, parting.first)
    cause = _parameters(cause, parting, before, now, measured, provider)
    cause = _at_the_provider(cause, now, measured, provider)
    return _finished(cause, now)


def _other_model(before: Side, now: Side) -> Cause | None:
    was, became = before.call, now.call
    if was.provider != became.provider and was.provider and became.provider:
        sentence = say("Another provider was asked: {new} instead of {old}.", new=became.provider, old=was.provider)
        return Cause(CauseKind.PROVIDER, sentence, old=was.provider, new=became.provider)
    if was.model != became.model and was.model and became.model:
        sentence = say("Another model was asked: {new} instead of {old}.", new=became.model, old=was.model)
        return Cause(CauseKind.MODEL, sentence, old=was.model, new=became.model, provider_reason="model_changed")
    return None


def _in_texts(parting: Parting, before: Side, now: Side) -> Cause:
    row = parting.first
    if row is None:
        return Cause(CauseKind.HELD, say("The two requests are the same."))
    if row.pair.is_quiet:
        return Cause(CauseKind.UNKNOWN, say("Only blanks or cache marks between segments differ."), key=row.segment.key)
    if _only_appended(parting):
        return Cause(
            CauseKind.HELD,
            say("Only new messages at the end."),
            key=row.segment.key,
            title=row.segment.title,
        )
    if parting.in_tail(row):
        return _tail(parting, row)
    if row.group is Group.MESSAGES and (row.kind in (*HISTORY_KINDS, Kind.PRUNE_MARKER) or is_cut_off(parting, row)):
        cause = history_cause(parting, row, before, now)
    else:
        cause = segment_cause(parting, row, before, now)
    return replace(cause, notes=(*cause.notes, *_further(parting, row))) if cause.is_break else cause


def _only_appended(parting: Parting) -> bool:
    """Whether nothing of the earlier request is gone or changed: all that differs came in behind its end."""
    end = parting.comparison.shared_end_a
    return end is None and all(row.pair.state is PairState.ADDED for row in parting.different)


def _tail(parting: Parting, row: Row) -> Cause:
    """Differences in what is new in every turn. Inside one turn, a tool loop only ever grows."""
    segment = row.segment
    if row.kind in LOOP_KINDS and row.pair.state is not PairState.ADDED and _is_same_turn(parting):
        return _loop_changed(row)
    if row.kind is Kind.PICTURES and _is_same_turn(parting):
        return Cause(
            CauseKind.PICTURE, say("The pictures that are sent changed."), key=segment.key, title=segment.title
        )
    return Cause(
        CauseKind.TURN_CONTEXT,
        say(
            "Only the turn's own part is new, from “{segment}” on.",
            segment=segment.title,
        ),
        key=segment.key,
        title=segment.title,
        plugin=segment.origin.plugin,
    )


def _loop_changed(row: Row) -> Cause:
    """A message of the tool loop that was sent before and is sent differently now."""
    a, b = row.pair.a, row.pair.b
    return Cause(
        CauseKind.TOOL_LOOP,
        say("A message of the tool loop was cut, folded or left out: “{segment}”.", segment=row.segment.title),
        key=row.segment.key,
        title=row.segment.title,
        old=a.whole_text[:96] if a is not None else "",
        new=b.whole_text[:96] if b is not None else "",
    )


def _is_same_turn(parting: Parting) -> bool:
    lines = [row for row in parting.rows if row.kind is Kind.PLAYER_LINE]
    return all(row.pair.state is PairState.EQUAL for row in lines)


def _further(parting: Parting, first: Row) -> Sequence[Sentence]:
    """What else differs behind the first difference and before the turn's own part."""
    rest = [row for row in parting.different if row.number > first.number and not parting.in_tail(row)]
    notes: list[Sentence] = []
    if first.kind is not Kind.SUMMARY and any(row.kind is Kind.SUMMARY and row.pair.b is not None for row in rest):
        notes.append(say("Behind it, history was compacted too."))
    if first.kind is not Kind.PRUNE_MARKER and any(row.kind is Kind.PRUNE_MARKER for row in rest):
        notes.append(say("Behind it, the cut in the history changed too."))
    others = [row.segment.title for row in rest if row.kind not in (*HISTORY_KINDS, Kind.PRUNE_MARKER)]
    notes += [say("Behind it, “{segment}” differs too.", segment=title) for title in others[:_MOST_NAMED]]
    if len(others) > _MOST_NAMED:
        notes.append(say("{n} more segments behind it differ too.", n=len(others) - _MOST_NAMED))
    return notes


def _reason_of_group(cause: Cause, row: Row | None) -> Cause:
    if row is None or not cause.is_break:
        return cause
    names = {Group.TOOLS: "tools_changed", Group.SYSTEM: "system_changed", Group.MESSAGES: "messages_changed"}
    return replace(cause, provider_reason=names.get(row.group, ""))


def _parameters(
    cause: Cause, parting: Parting, before: Side, now: Side, measured: Measured | None, provider: ProviderFacts
) -> Cause:
    """A setting of the body that costs more than the texts do takes the blame."""
    changed = [
        name
        for name in dict.fromkeys((*before.parameters, *now.parameters))
        if before.parameters.get(name) != now.parameters.get(name)
        and name in provider.message_parameters | provider.all_parameters
    ]
    row = parting.first
    earlier = cause.is_break and row is not None and row.group in (Group.TOOLS, Group.SYSTEM)
    if not changed or (earlier and not provider.all_parameters & set(changed)):
        return cause
    name = next((one for one in changed if one in provider.all_parameters), changed[0])
    was, became = before.parameters.get(name, ""), now.parameters.get(name, "")
    sentence = say("The setting {name} changed from {old} to {new}.", name=name, old=_value(was), new=_value(became))
    return _whole(
        Cause(CauseKind.PARAMETERS, sentence, variable=name, old=was[:96], new=became[:96], place=cause.place), measured
    )


def _value(text: str) -> str:
    return (text if len(text) <= 60 else text[:59] + "…") or "—"


def _at_the_provider(cause: Cause, now: Side, measured: Measured | None, provider: ProviderFacts) -> Cause:
    """What the provider said, when the texts alone would have let it read something."""
    usage = now.call.usage
    if usage is None or usage.cached != 0 or not usage.input or not provider.has_cache or measured is None:
        return cause
    if provider.minimum is not None and usage.input < provider.minimum:
        return _too_short(cause, usage.input, provider.minimum, measured)
    shared = round(measured.shared * usage.input / measured.tokens) if measured.tokens else 0
    found = _why_nothing_read(shared, provider)
    if found is None:
        return cause
    kind, sentence = found
    if cause.is_break:
        # What had expired would have been lost without the break too.
        lost = 0 if kind is CauseKind.EXPIRED else cause.tokens_lost
        return replace(cause, tokens_lost=lost, notes=(*cause.notes, sentence))
    is_guess = kind is CauseKind.RELAY or (kind is CauseKind.BELOW_MINIMUM and shared >= (provider.minimum or 0))
    made = Cause(kind, sentence, place=cause.place, is_guess=is_guess, notes=(cause.sentence,))
    lost = 0 if kind is CauseKind.BELOW_MINIMUM else measured.shared
    return replace(_whole(made, measured), tokens_lost=lost)


def _too_short(cause: Cause, whole: int, minimum: int, measured: Measured) -> Cause:
    """The whole request is too short to be kept: no break costs anything."""
    sentence = say(
        "By the provider's count the whole request has {tokens} tokens, and this model caches no prefix below "
        "{minimum}.",
        tokens=grouped(whole, " "),
        minimum=grouped(minimum, " "),
    )
    if cause.is_break:
        return replace(cause, tokens_lost=0, notes=(*cause.notes, sentence))
    made = Cause(CauseKind.BELOW_MINIMUM, sentence, place=cause.place, notes=(cause.sentence,))
    return replace(_whole(made, measured), tokens_lost=0)


def _why_nothing_read(shared: int, provider: ProviderFacts) -> tuple[CauseKind, Sentence] | None:
    if provider.minimum is not None and provider.minimum <= shared < provider.minimum * _NEAR:
        return CauseKind.BELOW_MINIMUM, say(
            "By the provider's count about {shared} tokens are the same, which is so near the minimum of {minimum} "
            "that it was probably not reached.",
            shared=grouped(shared, " "),
            minimum=grouped(provider.minimum, " "),
        )
    if provider.minimum is not None and shared < provider.minimum:
        return CauseKind.BELOW_MINIMUM, say(
            "By the provider's count about {shared} tokens are the same, and this model caches no prefix below "
            "{minimum}.",
            shared=grouped(shared, " "),
            minimum=grouped(provider.minimum, " "),
        )
    if provider.lifetime is not None and provider.pause is not None and provider.pause > provider.lifetime:
        return CauseKind.EXPIRED, say(
            "The cache had expired: {minutes} minutes passed, and a prefix is kept for {lifetime}.",
            minutes=_minutes(provider.pause),
            lifetime=_minutes(provider.lifetime),
        )
    if provider.minimum is None or provider.lifetime is None or provider.pause is None or not provider.predicted:
        return None
    return CauseKind.RELAY, say(
        "By the provider's count about {shared} tokens are the same and recent enough, but it read nothing from its "
        "cache.",
        shared=grouped(shared, " "),
    )


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f}" if seconds >= 60 else f"{seconds / 60:.1f}"


def _uncached(measured: Measured | None) -> int | None:
    return None if measured is None else measured.tokens - measured.shared


def _lost(parting: Parting, cause: Cause) -> int:
    """Tokens behind the first difference that stood in the earlier request as well."""
    first = parting.first
    if first is None or not cause.is_break:
        return 0
    same = (
        row.pair.b.whole_text
        for row in parting.rows
        if row.number > first.number and row.pair.state is PairState.EQUAL and row.pair.b is not None
        if row.group is not Group.RESPONSE_FORMAT
    )
    return size_of("".join(same)).tokens


def _whole(cause: Cause, measured: Measured | None) -> Cause:
    """A cause that costs everything, what is the same included."""
    if measured is None:
        return cause
    return replace(cause, tokens_uncached=measured.tokens, tokens_lost=measured.shared)


def _finished(cause: Cause, now: Side) -> Cause:
    reason = cause.provider_reason if now.is_anthropic else ""
    return replace(cause, remedy=remedy_for(cause.kind), provider_reason=reason)
