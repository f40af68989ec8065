"""From a text in a request to where it is from: place, file and line, variable, row, each with a link. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from covel_inspector.app.figures import figure
from covel_inspector.app.page import Fact, Link, LinkTo
from covel_inspector.app.request_places import path_to
from covel_inspector.domain import (
    Group,
    Kind,
    LoreState,
    Origin,
    Segment,
    SegmentTree,
    Sentence,
    TemplateVariable,
    plain,
    say,
)

LOREBOOK, PLUGINS, TEMPLATE = "lorebook", "plugins", "template"
"""Ids of the panels that tell more."""

_MOST_ROWS = 3


@dataclass(frozen=True, slots=True)
class Further:
    """What a source knows of a call beyond its tree: where values of variables are from, what woke lorebook entries.

    ``variables`` by path, ``lore`` by key of the segment.
    """

    address: str
    variables: Mapping[str, TemplateVariable] = field(default_factory=dict)
    lore: Mapping[str, LoreState] = field(default_factory=dict)

    def variable_of(self, segment: Segment) -> TemplateVariable | None:
        """The variable whose value a segment is, if any."""
        return self.variables.get(segment.origin.variable)

    def lore_of(self, segment: Segment) -> LoreState | None:
        """The entry that a segment is, if any."""
        return self.lore.get(segment.key) if segment.kind is Kind.LORE else None


def needs_further(segment: Segment) -> bool:
    """Whether there may be more to know of a segment than its tree tells."""
    return any(leaf.origin.variable or leaf.kind is Kind.LORE for leaf in segment.leaves())


def stands_in(tree: SegmentTree | None, segment: Segment, span: tuple[int, int] | None = None) -> Iterator[Fact]:
    """The branches above a segment, and which characters of its message it takes. ``span``: a stretch of its text."""
    path = path_to(tree.groups, segment) if tree is not None else ()
    if not path:
        return
    where: Sentence = path[0].title
    for step in path[1:] if span is not None else path[1:-1]:
        where = say("{outer} › {inner}", outer=where, inner=step.title)
    place = segment.place
    if place is not None:
        first, last = (place.start, place.end) if span is None else (place.start + span[0], place.start + span[1])
        if path[0].key == Group.MESSAGES.value and tree is not None:
            where = say("{where}, message {n}", where=where, n=_message_number(tree, place.part))
        where = say("{where}, characters {first}–{last}", where=where, first=figure(first + 1), last=figure(last))
    yield Fact(say("Stands in"), where)


def _message_number(tree: SegmentTree, part: int) -> int:
    """Which message behind the system prompt a part belongs to, from 1."""
    return len({one.index for one in tree.request.parts[: part + 1] if one.group is Group.MESSAGES})


def origin_chain(tree: SegmentTree | None, segment: Segment, further: Further | None) -> tuple[Link, ...]:
    """File and line, then the variable, then the row: each link leads on from the one before it."""
    above = path_to(tree.groups, segment) if tree is not None else ()
    origin = segment.origin
    file = next((step.origin for step in (segment, *reversed(above)) if step.origin.file), None)
    links = []
    if file is not None:
        links.append(file_link(file))
    if origin.variable:
        shown = say("variable {path}", path=origin.variable)
        links.append(Link(LinkTo.PANEL, TEMPLATE, shown, origin.variable))
    if segment.kind is Kind.LORE:
        links.append(Link(LinkTo.PANEL, LOREBOOK, say("lorebook entry"), segment.key))
    variable = further.variable_of(segment) if further is not None else None
    rows = variable.origin if variable is not None and not origin.table else origin
    if rows.table:
        links.append(row_link(rows))
    return tuple(links)


def file_link(origin: Origin) -> Link:
    """To a file, with its line where it is known."""
    shown = plain(f"{origin.file}:{origin.line}" if origin.line else origin.file)
    return Link(LinkTo.FILE, origin.file, shown)


def row_link(origin: Origin) -> Link:
    """Copies table and row ids."""
    rows = ", ".join(origin.rows[:_MOST_ROWS]) + (" …" if len(origin.rows) > _MOST_ROWS else "")
    shown = say("{table} · {rows}", table=origin.table, rows=rows) if rows else plain(origin.table)
    return Link(LinkTo.COPY, "\n".join((origin.table, *origin.rows)), shown)


def told_once(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The sentences without those that were said already: tree and look-up often know the same."""
    return tuple({str(sentence): sentence for sentence in sentences}.values())


def further_told(segment: Segment, further: Further | None) -> Iterator[Sentence]:
    """What the look-up adds about a segment, in sentences."""
    if further is None:
        return
    variable, lore = further.variable_of(segment), further.lore_of(segment)
    if variable is not None:
        yield say("Origin of its value: {where}", where=variable.where)
        if variable.changed:
            yield say("The value is another than in the turn before.")
        elif variable.changed is False:
            yield say("The value is the same as in the turn before.")
        if variable.cut is not None:
            yield variable.cut
        yield from variable.notes
    if lore is not None:
        yield lore.why
        yield from lore.notes
