"""The cache marks of a body that is shown: under which line each stands, and what is said of it."""

from collections import defaultdict
from collections.abc import Mapping

from covel_inspector.analysis.wire_lines import WireLines
from covel_inspector.analysis.wire_text import MarkedBlock
from covel_inspector.app.compare.row_texts import boundary_name
from covel_inspector.app.figures import figure
from covel_inspector.app.wire_sides import KnownBoundary
from covel_inspector.app.wording import Wording
from covel_inspector.domain import say


class WireMarks:
    """Marks by line. A mark that is folded away stands under the line it is folded into."""

    def __init__(self, wording: Wording) -> None:
        self._wording = wording
        self._boundaries: Mapping[int, KnownBoundary] = {}
        self._by_line: Mapping[int, list[MarkedBlock]] = {}

    def know(self, boundaries: Mapping[int, KnownBoundary]) -> None:
        """What the marks stand for in the request, by their numbers."""
        self._boundaries = boundaries

    def place(self, lines: WireLines | None) -> None:
        """Other lines are shown."""
        by_line: dict[int, list[MarkedBlock]] = defaultdict(list)
        for marked in lines.wire.marks if lines is not None else ():
            if lines is not None:
                by_line[lines.line_of(marked.end - 1)].append(marked)
        self._by_line = dict(by_line)

    def title(self, line: int) -> str:
        """What stands under a line; empty for nothing."""
        return "; ".join(self._title(marked) for marked in self._by_line.get(line, ()))

    def tips(self, line: int) -> list[str]:
        """The same with who can read up to there."""
        told = []
        for marked in self._by_line.get(line, ()):
            known = self._boundaries.get(marked.mark.number)
            note = known.boundary.note if known is not None else marked.mark.note
            told.append(f"{self._title(marked)}\n{self._wording.text(note)}")
        return told

    def _title(self, marked: MarkedBlock) -> str:
        text = self._wording.text
        known = self._boundaries.get(marked.mark.number)
        if known is None:
            return text(say("cache mark {n}", n=marked.mark.number))
        name = boundary_name(known.boundary)
        if known.before is None:
            return text(name)
        return text(say("{boundary} · {n} tok before", boundary=name, n=figure(known.before)))
