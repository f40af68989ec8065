"""What the Why panel says about a stretch of text that the reader selected. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.figures import figure
from covel_inspector.app.page import Fact, Link, LinkTo, Page
from covel_inspector.app.picked_text import PickedText
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.three_counts import COUNT_COMMAND, COUNT_TITLE
from covel_inspector.app.why_chain import Further, origin_chain, stands_in
from covel_inspector.app.why_content import segment_page
from covel_inspector.domain import Grade, Kind, SegmentTree, Sentence, say
from covel_inspector.report.names import GRADE

_MOST = 12
"""Segments of a selection that are told of."""

_SILENT = frozenset({Kind.SEPARATOR, Kind.MARK})


def text_page(picked: PickedText, pair: Pair, prepared: Prepared, further: Further | None) -> Page:
    """Where each stretch of a selected text comes from. ``pair`` is the row of the first stretch.

    All is told of the side on which the text was selected; ``further`` was looked up in the call of that side.
    """
    side = prepared.a if picked.is_a else prepared.b
    tree = side.tree if side is not None else None
    title = say("Selected text · {n} characters", n=figure(len(picked.text)))
    told = [span for span in picked.spans if span.leaf.kind not in _SILENT] or list(picked.spans)
    of_side = tuple(_side(side, is_a=picked.is_a)) if side is not None and prepared.comparison is not None else ()
    if len(told) == 1 and any(told[0].leaf is one for one in (pair.a, pair.b)):
        span = told[0]
        page = segment_page(pair, prepared, further, is_a=span.leaf is pair.a)
        here = tuple(stands_in(tree, span.leaf, (span.start, span.end)))
        facts = tuple(fact for fact in page.facts if fact.label not in (_STANDS_IN, _TOKENS))
        segment = Fact(say("Segment"), span.leaf.title)
        counted = Fact(_TOKENS, COUNTING)
        return replace(
            page,
            title=title,
            facts=(*of_side, segment, *here, *facts, counted),
            quote=picked.text,
            count_text=picked.text,
            left_out=(),
        )
    more = len(told) - _MOST
    return Page(
        title=title,
        facts=(*of_side, *_pieces(picked, tree, further), Fact(_TOKENS, COUNTING)),
        paragraphs=(say("The selection covers {n} segments.", n=len(told)),)
        + ((say("… and {n} more", n=more),) if more > 0 else ()),
        quote=picked.text,
        count_text=picked.text,
        model=side.call.model if side is not None and side.call is not None else "",
    )


def _side(side: Side, *, is_a: bool) -> Iterator[Fact]:
    """Two calls are in view: which of them is spoken of."""
    told = say("left: {title}", title=side.title) if is_a else say("right: {title}", title=side.title)
    yield Fact(say("Side"), told)


_STANDS_IN, _TOKENS = say("Stands in"), say("Tokens")
COUNTING: Sentence = say("being counted")
"""Stands for the tokens of a selected text until a tokenizer has counted them."""


def with_offer(page: Page) -> Page:
    """The page with an offer to count its tokens, where nobody asked for it yet."""
    if not page.count_text:
        return page
    return replace(page, facts=tuple(_offering(fact) if fact.label == _TOKENS else fact for fact in page.facts))


def _offering(fact: Fact) -> Fact:
    offer = Link(LinkTo.COMMAND, COUNT_COMMAND, COUNT_TITLE)
    return replace(fact, value=None if fact.value == COUNTING else fact.value, links=(*fact.links, offer))


def _pieces(picked: PickedText, tree: SegmentTree | None, further: Further | None) -> Iterator[Fact]:
    told = [span for span in picked.spans if span.leaf.kind not in _SILENT] or list(picked.spans)
    for span in told[:_MOST]:
        leaf = span.leaf
        value = say("{n} characters, {grade}", n=figure(span.end - span.start), grade=GRADE[leaf.grade])
        if leaf.grade is Grade.UNKNOWN:
            value = say("{n} characters, of unknown source", n=figure(span.end - span.start))
        yield Fact(leaf.title, value, origin_chain(tree, leaf, further), is_chain=True, is_above=True)
