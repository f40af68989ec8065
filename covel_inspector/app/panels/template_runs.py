"""A runtime's body as runs of text to be drawn: what the file says, and each variable with its value. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from covel_inspector.app.figures import figure
from covel_inspector.app.request_places import variable_leaves
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Segment, SegmentTree, TemplatePiece, TemplateReport, TemplateVariable, say

LONGEST = 600
"""Code points of a value that are shown in the body; the request has all of it."""


class Style(Enum):
    """How a run is set. Each has a sign of its own: colour is never the only one."""

    LITERAL = "literal"
    NAME = "name"
    """The variable's path, small, before its value."""
    VALUE = "value"
    CHANGED = "changed"
    """A value that is another than in the turn before."""
    MISSING = "missing"
    NOTE = "note"
    """A small remark of ours behind a value."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one style. ``piece`` counts the pieces of the body; ours only: ``is_ours``."""

    text: str
    style: Style
    piece: int
    variable: str = ""

    @property
    def is_ours(self) -> bool:
        """True for what stands neither in the file nor in the request."""
        return self.style in (Style.NAME, Style.NOTE, Style.MISSING)


def body_runs(report: TemplateReport, wording: Wording) -> list[Run]:
    """The body of a call, piece by piece."""
    variables = {variable.path: variable for variable in report.variables}
    return [run for number, piece in enumerate(report.pieces) for run in _runs(piece, number, variables, wording)]


def leaf_of_piece(report: TemplateReport, number: int, tree: SegmentTree) -> Segment | None:
    """The leaf of the request in which a piece of the body stands."""
    piece = report.pieces[number]
    if piece.variable:
        leaves = variable_leaves(tree, piece.variable)
        before = sum(one.variable == piece.variable for one in report.pieces[:number])
        return leaves[min(before, len(leaves) - 1)] if leaves else None
    bare = piece.text.strip()
    body = [leaf for leaf in tree.leaves() if leaf.origin.file == report.file and not leaf.origin.variable]
    return next((leaf for leaf in body if bare and bare in leaf.text), None)


def _runs(piece: TemplatePiece, number: int, variables: dict[str, TemplateVariable], wording: Wording) -> Iterator[Run]:
    if not piece.variable:
        yield Run(piece.text, Style.LITERAL, number)
        return
    text = wording.text
    path = piece.variable
    known = variables.get(path)
    sign = "≠ " if known is not None and known.changed else ""
    yield Run(f"{sign}{path} ", Style.NAME, number, path)
    if known is None or known.is_missing:
        yield Run(text(say("no value")), Style.MISSING, number, path)
        return
    style = Style.CHANGED if known.changed else Style.VALUE
    if not piece.text:
        yield Run(text(say("empty")), Style.NOTE, number, path)
        return
    yield Run(piece.text[:LONGEST], style, number, path)
    rest = len(piece.text) - LONGEST
    if rest > 0:
        yield Run(text(say(" … {n} more characters", n=figure(rest))), Style.NOTE, number, path)
    if known.cut is not None:
        yield Run(f" ✂ {text(known.cut)}", Style.NOTE, number, path)
