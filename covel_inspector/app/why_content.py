"""What the Why panel says, as values: from a pair of segments, or from a whole call, to sentences and links. Pure."""

import re
from collections.abc import Iterator, Sequence

from covel_inspector.analysis.pairs import Pair, PairState
from covel_inspector.app.figures import figure, percent
from covel_inspector.app.page import NOTHING, Fact, LeftOut, Link, LinkTo, Page, listed
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.three_counts import three_counts
from covel_inspector.app.unsent import failure_facts, never_sent, taken_leaves
from covel_inspector.app.verdict_words import independence
from covel_inspector.app.why_chain import (
    PLUGINS,
    Further,
    file_link,
    further_told,
    origin_chain,
    row_link,
    stands_in,
    told_once,
)
from covel_inspector.domain import (
    Absent,
    Call,
    Grade,
    Kind,
    Origin,
    Segment,
    SegmentTree,
    Sentence,
    Status,
    Verdict,
    Volatility,
    plain,
    say,
)
from covel_inspector.domain.listing import labelled
from covel_inspector.report.names import GRADE, KIND, STATUS, VOLATILITY, estimator_name

_UTC = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z")


MANY = 4
"""So many left-out things of one kind, left out for the same reason, are told of together."""


_STATES: dict[PairState, Sentence] = {
    PairState.EQUAL: say("The same on both sides."),
    PairState.CHANGED: say("Its text differs between the two sides."),
    PairState.ADDED: say("Only the right side has it."),
    PairState.REMOVED: say("Only the left side has it."),
    PairState.MOVED: say("The text is the same, but it stands in another place."),
    PairState.MOVED_CHANGED: say("It stands in another place, and its text differs."),
}

_WHEN: dict[Volatility, Sentence] = {
    Volatility.STABLE: say("It does not change, so it can stay in the cache with everything before it."),
    Volatility.SESSION: say("It stays the same for a session, unless a player or a plugin changes it."),
    Volatility.TURN: say("It changes with the turn: what stands behind it is sent again each time it does."),
}

_OTHER_TEXT = (PairState.CHANGED, PairState.MOVED_CHANGED)


def segment_page(pair: Pair, prepared: Prepared, further: Further | None = None, *, is_a: bool = False) -> Page:
    """Why a segment is there: the right side's answer, the left one's where the right has none or ``is_a`` asks for it.

    ``further`` is what was looked up about it beyond the two trees, in the call of that side.
    """
    segment = segment_asked(pair, is_a=is_a)
    side = prepared.b if segment is pair.b else prepared.a
    tree = side.tree if side is not None else None
    facts = (
        Fact(say("Kind"), KIND[segment.kind]),
        *_plugin(segment.origin, "body" if segment.kind is Kind.BODY else segment.key),
        *_declared(segment),
        *stands_in(tree, segment),
        *_chain(tree, segment, further),
        Fact(say("Evidence"), _evidence(segment)),
        *_tokens(pair, prepared),
    )
    return Page(
        title=segment.title,
        kind=segment.kind,
        facts=facts,
        paragraphs=told_once(
            (
                *_paragraphs(pair, segment, compared=prepared.comparison is not None),
                *further_told(segment, further),
            )
        ),
        warnings=tuple(_warnings(segment, side)),
        left_out=_left_out_near(segment, side),
        links=tuple(_segment_links(prepared)),
        count_text=segment.whole_text if segment.fixed_tokens is None else "",
        model=side.call.model if side is not None and side.call is not None else "",
    )


def segment_asked(pair: Pair, *, is_a: bool) -> Segment:
    """The segment that is told of: the left one where it is asked for and there, else the one that names the row."""
    return pair.a if is_a and pair.a is not None else pair.shown


def absent_page(entry: Absent, prepared: Prepared) -> Page:
    """Why something is not there."""
    facts = (Fact(say("Kind"), KIND[entry.kind]), *_plugin(entry.origin), *_from(entry.origin))
    side = prepared.b or prepared.a
    return Page(
        title=entry.title,
        kind=entry.kind,
        facts=facts,
        paragraphs=(say("It is not in the request."), entry.note),
        links=tuple(_segment_links(prepared)),
        count_text=entry.text,
        model=side.call.model if side is not None and side.call is not None else "",
    )


def call_page(prepared: Prepared) -> Page:
    """About the whole call, when no segment is selected."""
    side = prepared.b or prepared.a
    if side is None:
        return NOTHING
    call = side.call
    facts: list[Fact] = []
    if call is not None:
        facts.extend(_call_facts(call))
    if side.figures is not None:
        facts.append(Fact(say("Tokens"), _estimated(side.figures.total, side.figures.estimator)))
    paragraphs: list[Sentence] = [side.message] if side.message is not None else []
    paragraphs.extend(three_counts(side).differences())
    if side.verdict is not None and side.is_sent:
        facts.append(Fact(say("Rebuilt"), STATUS[side.verdict.status]))
        paragraphs.extend(_verdict(side.verdict))
    absent = side.tree.absent if side.tree is not None else ()
    return Page(
        title=side.title,
        facts=tuple(facts),
        paragraphs=tuple(dict.fromkeys(paragraphs)),
        warnings=(call.problem,) if call is not None and call.problem is not None else (),
        left_out=tuple(_grouped(absent)),
        links=tuple(_call_links(prepared)),
        count_text=side.tree.request.text if side.tree is not None else "",
        model=call.model if call is not None else "",
    )


def _plugin(origin: Origin, key: str = "") -> Iterator[Fact]:
    """The plugin with its runtime and segment; a segment's name alone says nothing about a plugin."""
    names = [origin.plugin]
    if origin.runtime and origin.runtime != origin.plugin:
        names.append(origin.runtime)
    owners = [name for name in names if name]
    if owners:
        known = dict.fromkeys([*owners, *([origin.segment] if origin.segment else [])])
        shown = plain(" · ".join(known))
        if origin.plugin:
            yield Fact(say("Plugin"), None, (Link(LinkTo.PANEL, PLUGINS, shown, f"{origin.plugin}\n{key}".strip()),))
        else:
            yield Fact(say("Plugin"), shown)
    elif origin.segment:
        yield Fact(say("Name"), plain(origin.segment))


def _declared(segment: Segment) -> Iterator[Fact]:
    pieces: list[Sentence] = []
    if segment.position:
        pieces.append(say("position {position}", position=segment.position))
    if segment.volatility is not None:
        pieces.append(say("changes {when}", when=VOLATILITY[segment.volatility]))
    if segment.audience:
        pieces.append(say("audience {audience}", audience=segment.audience))
    if segment.order is not None:
        pieces.append(say("order {order}", order=f"{segment.order:g}"))
    if pieces:
        # What code of a plugin adds is declared nowhere: its place and its name tell what it should be.
        is_assumed = segment.kind in (Kind.EXTENSION, Kind.UNKNOWN) and not segment.origin.file
        yield Fact(say("Assumed") if is_assumed else say("Declared"), listed(pieces))
    if segment.role:
        yield Fact(say("Role"), plain(segment.role))


def _from(origin: Origin) -> Iterator[Fact]:
    links = [file_link(origin)] if origin.file else []
    if origin.table:
        links.append(row_link(origin))
    if links:
        yield Fact(say("From"), None, tuple(links), is_chain=True)


def _chain(tree: SegmentTree | None, segment: Segment, further: Further | None) -> Iterator[Fact]:
    links = origin_chain(tree, segment, further)
    if links:
        yield Fact(say("From"), None, links, is_chain=True)


def _evidence(segment: Segment) -> Sentence:
    grade = GRADE[segment.grade]
    if not segment.reason.template:
        return grade
    if segment.taken:
        # The grade is that of the recorded side; here the reason alone tells where the text is from.
        return segment.reason
    return labelled(grade, segment.reason)


def _tokens(pair: Pair, prepared: Prepared) -> Iterator[Fact]:
    here = _tokens_of(pair.b, prepared.b)
    there = _tokens_of(pair.a, prepared.a)
    side = prepared.b if here is not None else prepared.a
    count = here if here is not None else there
    if count is None or side is None or side.figures is None:
        return
    estimate = _counted(pair.b if here is not None else pair.a, count, side.figures.estimator)
    if here is not None and there is not None and here != there:
        change = figure(here - there)
        sign = "+" if here > there else ""
        yield Fact(say("Tokens"), say("{tokens}; {change} to the left side", tokens=estimate, change=sign + change))
    else:
        yield Fact(say("Tokens"), estimate)


def _tokens_of(segment: Segment | None, side: Side | None) -> int | None:
    if segment is None or side is None or side.figures is None:
        return None
    return side.figures.of(segment)


def _counted(segment: Segment | None, count: int, estimator: str) -> Sentence:
    """Tokens of a segment, and how they are known."""
    if segment is None or segment.fixed_tokens is None:
        return _estimated(count, estimator)
    if segment.kind is Kind.PLAYER_LINE:
        return say("{n}, by the numbers of the engine's error", n=figure(count))
    return say("{n}, the engine's fixed count for what is no text", n=figure(count))


def _estimated(count: int, estimator: str) -> Sentence:
    return say("{n}, estimated ({estimator})", n=figure(count), estimator=estimator_name(estimator))


def _paragraphs(pair: Pair, segment: Segment, *, compared: bool) -> Iterator[Sentence]:
    yield from segment.notes
    if segment.volatility is Volatility.STABLE and compared and pair.state in _OTHER_TEXT:
        yield say("It counts as unchanging, yet it is another text here: what stands behind it is sent again.")
    elif segment.volatility is not None:
        yield _WHEN[segment.volatility]
    if compared:
        yield _STATES[pair.state]
    if pair.moved_from is not None:
        yield pair.moved_from
    yield from pair.notes


def _warnings(segment: Segment, side: Side | None) -> Iterator[Sentence]:
    if segment.grade is Grade.GUESS:
        yield say("Where this comes from is a guess.")
    elif segment.grade is Grade.UNKNOWN and segment.is_leaf:
        yield say("Nobody knows where this comes from: no row and no file holds it.")
    if side is not None and side.rebuilt:
        yield _rebuilt_from(segment) if side.is_sent else never_sent(segment)


def _rebuilt_from(segment: Segment) -> Sentence:
    """What a piece of a rebuilt side was made from: its taken leaves were not made at all."""
    taken = taken_leaves(segment)
    if taken and all(taken):
        return say(
            "This piece was not rebuilt but taken over from a recording. The rest of this side was rebuilt from rows "
            "and files."
        )
    if any(taken):
        return say("This piece was rebuilt from rows and files, except for parts taken over from a recording.")
    return say("This side was rebuilt from rows and files. It is not a recording.")


def _left_out_near(segment: Segment, side: Side | None) -> tuple[LeftOut, ...]:
    """What would have stood behind a leaf, or inside a branch."""
    if side is None or side.tree is None:
        return ()
    keys = {below.key for below in segment.walk()}
    return tuple(_grouped([entry for entry in side.tree.absent if entry.after in keys]))


def _grouped(absent: Sequence[Absent]) -> Iterator[LeftOut]:
    """One entry each; many of one kind that are absent for the same reason become one."""
    groups: dict[tuple[Kind, Sentence], list[Absent]] = {}
    for entry in absent:
        groups.setdefault((entry.kind, entry.note), []).append(entry)
    for (kind, note), entries in groups.items():
        if len(entries) < MANY:
            yield from map(_left_out, entries)
        else:
            text = "\n\n".join(entry.text for entry in entries if entry.text)
            yield LeftOut(say("{kind} × {n}", kind=KIND[kind], n=len(entries)), KIND[kind], note, text, kind)


def _left_out(entry: Absent) -> LeftOut:
    return LeftOut(entry.title, KIND[entry.kind], entry.note, entry.text, entry.kind)


def _call_facts(call: Call) -> Iterator[Fact]:
    if call.model:
        model = say("{model} by {provider}", model=call.model, provider=call.provider)
        yield Fact(say("Model"), model if call.provider else plain(call.model))
    if call.slot:
        yield Fact(say("Slot"), plain(call.slot))
    if call.plugin:
        yield Fact(say("Plugin"), plain(call.plugin))
    if call.started_at:
        moment = _moment(call.started_at)
        never = say("never; it would have been sent {moment}", moment=moment)
        yield Fact(say("Sent"), plain(moment) if call.is_sent else never)
    step = [say("step {n} of the tool loop", n=call.step + 1)] if call.step else []
    if call.attempt:
        step.append(say("attempt {n}", n=call.attempt + 1))
    if step:
        yield Fact(say("Made as"), listed(step))
    if call.finish:
        yield Fact(say("Finished"), plain(call.finish))
    yield from _usage(call) if call.is_sent else failure_facts(call)
    yield Fact(say("Row"), None, (Link(LinkTo.COPY, call.row, plain(call.row)),))


def _moment(text: str) -> str:
    """A moment as people write it; anything that is not in the usual form stays as it is."""
    found = _UTC.fullmatch(text)
    return f"{found[1]} {found[2]} UTC" if found else text


def _usage(call: Call) -> Iterator[Fact]:
    usage = call.usage
    if usage is None:
        yield Fact(say("Reported"), say("the provider reported no usage"))
        return
    pieces: list[Sentence] = []
    if usage.input is not None:
        pieces.append(say("{n} tokens in", n=figure(usage.input)))
    if usage.cached is not None:
        share = percent(usage.cached / usage.input) if usage.input else "–"
        pieces.append(say("{n} of them from the cache ({share})", n=figure(usage.cached), share=share))
    if usage.cache_write:
        pieces.append(say("{n} written to the cache", n=figure(usage.cache_write)))
    if usage.output is not None:
        pieces.append(say("{n} tokens out", n=figure(usage.output)))
    if pieces:
        yield Fact(say("Reported"), listed(pieces))


def _verdict(verdict: Verdict) -> Iterator[Sentence]:
    if verdict.reason.template:
        yield verdict.reason
    for named in verdict.normalisations:
        yield say("Left aside: {what}", what=named)
    share = independence(verdict)
    if share is not None:
        yield share


def _segment_links(prepared: Prepared) -> Iterator[Link]:
    side = prepared.b or prepared.a
    if side is not None and side.address_text:
        yield Link(LinkTo.COMMAND, "clear-selection", say("About the whole call"))


def _call_links(prepared: Prepared) -> Iterator[Link]:
    b, a = prepared.b, prepared.a
    if b is not None and b.gone:
        yield Link(LinkTo.COMMAND, "reload", say("Read the file again"))
    same = a is not None and b is not None and a.address_text == b.address_text
    if b is not None and b.verdict is not None and b.verdict.status is Status.DIFFERS and not same:
        yield Link(LinkTo.COMMAND, "with-rebuilt", say("Compare with the rebuilt request"))
    if same:
        yield Link(LinkTo.COMMAND, "with-previous-turn", say("Compare with the previous turn"))
    if a is not None and a.address_text and not same:
        yield Link(LinkTo.ADDRESS, a.address_text, say("Go to {title}", title=a.title))
