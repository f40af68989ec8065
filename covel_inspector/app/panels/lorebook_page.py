"""What the Lorebook panel says about one entry: why it is in or out, where its keys stand, what came near. Pure."""

from collections.abc import Iterator, Sequence

from covel_inspector.app.figures import figure
from covel_inspector.app.page import Fact, Link, LinkTo, Page
from covel_inspector.app.panels.lorebook_rows import OUTCOME, Entry, place_words
from covel_inspector.app.panels.turn_strip import THERE, TurnStrip, runs
from covel_inspector.app.request_places import hit_place
from covel_inspector.domain import Address, Kind, LoreHit, LoreState, SegmentTree, Sentence, plain, say
from covel_inspector.domain.listing import enumerated, labelled
from covel_inspector.report.names import estimator_name
from covel_inspector.report.terminal import clip, one_line

_MOST_HITS = 8


def entry_page(
    entry: Entry, here: Address, addresses: Sequence[Address], tree: SegmentTree | None, estimator: str
) -> Page:
    """About an entry in the call at ``here``; ``addresses`` are the calls of its strip, ``tree`` is the request."""
    state = entry.state
    return Page(
        title=plain(one_line(state.label)),
        kind=Kind.LORE,
        lead=tuple(_lead(entry)),
        facts=tuple(_facts(entry, here, addresses, tree, estimator)),
        paragraphs=state.notes,
        quote=state.content,
        links=tuple(_links(entry, here, tree)),
    )


def _facts(
    entry: Entry, here: Address, addresses: Sequence[Address], tree: SegmentTree | None, estimator: str
) -> Iterator[Fact]:
    state = entry.state
    yield Fact(say("State"), OUTCOME[state.outcome])
    hits = state.hits if entry.before is None else ()
    if hits:
        yield Fact(say("Keys found"), None, tuple(_hit_link(hit, here, tree) for hit in hits[:_MOST_HITS]))
    elif state.hits:
        yield Fact(say("Keys found"), enumerated(dict.fromkeys(hit.key for hit in state.hits)))
    if state.near is not None and entry.before is None:
        yield Fact(say("Nearest"), None, (_hit_link(state.near, here, tree),))
    yield Fact(say("Its keys"), enumerated(map(one_line, state.keys)) if state.keys else say("none"))
    yield Fact(say("Position"), place_words(state))
    yield Fact(say("Scans"), _scans(state))
    yield Fact(
        say("Tokens"), say("{n}, estimated ({estimator})", n=figure(state.tokens), estimator=estimator_name(estimator))
    )
    if entry.strip is not None:
        yield _turns(entry.strip, addresses)
    row = Link(LinkTo.COPY, f"lorebook_entries\n{state.entry}", plain(state.entry))
    yield Fact(say("Row"), plain(state.owner), (row,))


def _scans(state: LoreState) -> Sentence:
    if state.scan_depth <= 0:
        return say("the player line only")
    if state.scan_depth == 1:
        return say("the player line and the newest message")
    return say("the player line and the {n} newest messages", n=state.scan_depth)


def _hit_link(hit: LoreHit, here: Address, tree: SegmentTree | None) -> Link:
    excerpt = clip(one_line(hit.excerpt), 60)
    told = say("'{key}' {where}: {excerpt}", key=one_line(hit.key), where=hit.where, excerpt=excerpt)
    place = hit_place(tree, hit) if tree is not None else None
    if place is None:
        return Link(LinkTo.COPY, hit.excerpt or hit.key, say("{hit} (not in the request)", hit=told))
    return Link(LinkTo.PLACE, str(here), told, place)


def _turns(strip: TurnStrip, addresses: Sequence[Address]) -> Fact:
    """In which turns it was in, with ways to the nearest ones."""
    inside = runs(tuple(address.turn for address in addresses), strip.ticks)
    count = sum(tick in THERE for tick in strip.ticks)
    if not count:
        return Fact(say("In turns"), say("none of {all}", all=len(strip.ticks)))
    told = say("{turns} ({n} of {all})", turns=inside, n=count, all=len(strip.ticks))
    links = []
    for step, words in ((-1, say("Previous turn with it")), (1, say("Next turn with it"))):
        number = strip.next_in(step)
        if number is not None:
            shown = labelled(words, addresses[number].turn)
            links.append(Link(LinkTo.ADDRESS, str(addresses[number]), shown))
    return Fact(say("In turns"), told, tuple(links))


def _lead(entry: Entry) -> Iterator[Sentence]:
    state = entry.state
    if entry.before is not None:
        yield say("This is what the tried line would do; nothing of it was sent.")
    yield from _contradiction(entry)
    yield state.why
    if not state.is_in and state.nearest_miss is not None:
        yield state.nearest_miss


def _contradiction(entry: Entry) -> Iterator[Sentence]:
    """Said first: all that follows is what the rows of now tell."""
    state = entry.state
    if state.sent is False and state.is_in:
        yield say("By its rules it should be in, but the recorded request does not hold it.")
    if state.sent and not state.is_in:
        yield say("By its rules it should be out, but the recorded request holds it.")


def _links(entry: Entry, here: Address, tree: SegmentTree | None) -> Iterator[Link]:
    key = entry.state.key
    if tree is not None and any(segment.key == key for segment in tree.walk()):
        yield Link(LinkTo.PLACE, str(here), say("Show it in the request"), key)
