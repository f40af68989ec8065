"""From a comparison to the rows of the tree: pairs, boundaries across both halves, and what was left out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from covel_inspector.analysis.compare import Comparison, Pair, PairState, compare
from covel_inspector.app.compare.moves import moves_of
from covel_inspector.app.compare.row_texts import (
    IN_THE_REQUEST,
    LEFT_OUT,
    STATE_WORDS,
    absent_remark,
    boundary_name,
    boundary_text,
    excerpt,
    left_out_count,
    not_yet_count,
    pair_hint,
    pair_tip,
)
from covel_inspector.app.compare.rows import LOOK_OF_STATE, Half, Look, PairRow, RowKind
from covel_inspector.app.compare.side_facts import Counted, SideFacts, side_facts
from covel_inspector.app.figures import figure
from covel_inspector.app.sides import Prepared
from covel_inspector.app.wording import Wording
from covel_inspector.domain import AbsenceReason, Absent, Group, Kind, Segment, Sentence, say
from covel_inspector.text.invisible import draw_invisible

_MOST_OPENED = 60
"""Children up to which a branch with differences is open at first."""

_MOST_LOOSE = 2
"""Left-out things at one place that stand as rows of their own; more of them share a closed branch."""

_AT_THE_END = ("left-out", "not-yet")
"""Keys of the branches of what has no place."""

AbsentPair = tuple[Absent | None, Absent | None]
"""What A and what B left out, of one key."""


@dataclass(frozen=True, slots=True)
class RowOptions:
    """What the reader wants to see besides segments that say something."""

    quiet: bool = False
    """Separators and cache marks too."""
    absent: bool = True
    """What the assembler left out, and why."""


def build_rows(prepared: Prepared, wording: Wording, options: RowOptions) -> list[PairRow]:
    """The top rows, with everything below; empty when neither side has a tree."""
    comparison = prepared.comparison or _one_sided(prepared)
    if comparison is None:
        return []
    return _Builder(prepared, comparison, wording, options).rows()


def _one_sided(prepared: Prepared) -> Comparison | None:
    trees = [side.tree if side is not None else None for side in (prepared.a, prepared.b)]
    if trees[0] is None and trees[1] is None:
        return None
    return compare(trees[0], trees[1])


class _Builder:
    def __init__(self, prepared: Prepared, comparison: Comparison, wording: Wording, options: RowOptions) -> None:
        self._text = wording.text
        self._options = options
        self._comparison = comparison
        alone_a, alone_b = set(), set()
        for pair in comparison.walk():
            if pair.b is None:
                alone_a.add(pair.key)
            elif pair.a is None:
                alone_b.add(pair.key)
        self._a = side_facts(prepared.a, comparison.shared_end_a, gaps=alone_b)
        self._b = side_facts(prepared.b, comparison.shared_end_b, gaps=alone_a)
        self._gaps = self._a.gap_reasons.keys() | self._b.gap_reasons.keys()
        self._compares = comparison.a is not None and comparison.b is not None
        self._loud = frozenset(id(pair) for pair in comparison.differences) if self._compares else frozenset()
        self._moves = moves_of(comparison)
        self._placed_absent: set[str] = set()
        figures = self._b.figures or self._a.figures
        self._estimator = figures.estimator if figures is not None else ""

    def rows(self) -> list[PairRow]:
        root = PairRow(RowKind.PAIR, "", level=-1)
        for pair in self._comparison.pairs:
            self._place(pair, root)
        if self._options.absent:
            self._place_left_over(root)
        for row in root.children:
            row.parent = None
        return root.children

    def _place(self, pair: Pair, parent: PairRow) -> None:
        """The row of a pair, and behind it the boundaries and left-out things that stand there."""
        if not self._is_hidden(pair):
            row = self._pair_row(pair)
            parent.adopt(row)
            for child in pair.children:
                self._place(child, row)
            self._finish(row, pair)
        for boundaries in self._boundaries_behind(pair):
            parent.adopt(self._boundary_row(*boundaries))
        if self._options.absent:
            self._place_absent(parent, self._absent_behind(pair), key=f"left-out:{pair.key}")

    def _is_hidden(self, pair: Pair) -> bool:
        return pair.is_quiet and not self._options.quiet and id(pair) not in self._loud

    def _name(self, sentence: Sentence) -> str:
        """A text in which strangers may have put anything: what cannot be seen is drawn as a mark."""
        return draw_invisible(self._text(sentence)).text

    # Pairs

    def _pair_row(self, pair: Pair) -> PairRow:
        row = PairRow(RowKind.PAIR, pair.key, pair=pair, is_group=pair.kind is Kind.GROUP)
        row.a = self._cell(pair.a, self._a)
        row.b = self._cell(pair.b, self._b)
        if self._compares:
            row.look = LOOK_OF_STATE[pair.state]
            row.shared = self._shared_part(pair)
            row.shared_ends = (self._a.shared_end_in(pair.a), self._b.shared_end_in(pair.b))
            self._say_move(row, pair)
        hint = pair_hint(pair)
        said = self._name(hint) if hint is not None else ""
        if pair.b is None:
            row.hint_a = said
        else:
            row.hint = said
        tokens_a, tokens_b = self._a.tokens(pair.a), self._b.tokens(pair.b)
        row.tip = "\n".join(self._text(line) for line in pair_tip(pair, tokens_a, tokens_b, self._estimator))
        self._say_why_not(row, pair)
        return row

    def _say_move(self, row: PairRow, pair: Pair) -> None:
        """A row stands where B has it; where A has it, A's half tells."""
        move = self._moves.get(id(pair.b))
        if move is not None:
            row.arrow, row.is_away = move.arrow, True
            row.hint_a = self._name(move.stands)
            row.branch_a = self._name(move.branch.title) if move.branch is not None else ""

    def _cell(self, segment: Segment | None, half: SideFacts) -> Half:
        if segment is None:
            return Half()
        title = segment.title
        if segment.key == Group.TOOLS.value and segment.kind is Kind.GROUP:
            title = say("{title} · {n}", title=title, n=len(segment.children))
        tokens = half.tokens(segment)
        kind = None if segment.kind is Kind.GROUP and segment.key != Group.TOOLS.value else segment.kind
        if segment.kind is Kind.GROUP and kind is not None:
            kind = Kind.TOOL
        counted = figure(tokens) if tokens is not None else ""
        return Half(self._name(title), counted, excerpt(segment), kind, there=True)

    def _say_why_not(self, row: PairRow, pair: Pair) -> None:
        """Where one side lacks a segment, and its assembler said why, the gap says it too."""
        if pair.state not in (PairState.ADDED, PairState.REMOVED):
            return
        facts, cell = (self._a, row.a) if pair.a is None else (self._b, row.b)
        absent = facts.gap_reasons.get(pair.key)
        if absent is not None:
            cell.remark = self._name(absent_remark(absent))
            row.tip = f"{row.tip}\n{self._text(absent_remark(absent))}"

    def _finish(self, row: PairRow, pair: Pair) -> None:
        row.opens = self._opens(row, pair)
        state = self._text(STATE_WORDS[pair.state]) if self._compares else ""
        row.settle()
        row.spoken = ", ".join(
            part
            for part in (row.b.title or row.a.title, row.b.tokens or row.a.tokens, state, row.hint_a * row.is_away)
            if part
        )

    def _opens(self, row: PairRow, pair: Pair) -> bool:
        if not row.children:
            return False
        if row.is_group:
            return pair.key != Group.TOOLS.value or (self._compares and pair.is_different)
        if not self._compares:
            return pair.kind not in (Kind.HISTORY, Kind.TOOL, Kind.BODY) and len(row.children) <= _MOST_OPENED
        if pair.kind is Kind.HISTORY:
            # History that only grew or slid is told by its sign; a change inside it must be seen.
            return any(child.look in (Look.CHANGED, Look.MOVED, Look.MOVED_CHANGED) for child in row.children)
        has_both = pair.a is not None and pair.b is not None
        return has_both and pair.is_different and len(row.children) <= _MOST_OPENED

    def _shared_part(self, pair: Pair) -> float:
        """How much of a row's text lies before the end of the shared prefix, measured on B where it has the row."""
        segment, end = (pair.b, self._b.shared_end) if pair.b is not None else (pair.a, self._a.shared_end)
        if segment is None or pair.key == Group.RESPONSE_FORMAT.value:
            return 0.0
        if end is None:
            return 1.0
        inside = whole = 0
        for leaf in segment.leaves():
            place = leaf.place
            if place is None:
                continue
            whole += len(place)
            if place.part < end.part:
                inside += len(place)
            elif place.part == end.part:
                inside += max(0, min(place.end, end.start) - place.start)
        return inside / whole if whole else 0.0

    # Boundaries

    def _boundaries_behind(self, pair: Pair) -> Iterator[tuple[Counted | None, Counted | None]]:
        """Boundaries that end this pair, those of A and B with one setter side by side."""
        ours = self._a.boundaries_behind(pair.a)
        for there in self._b.boundaries_behind(pair.b):
            here = next((one for one in ours if one[0].setter is there[0].setter), None)
            if here is not None:
                ours.remove(here)
            yield here, there
        for here in ours:
            yield here, None

    def _boundary_row(self, a: Counted | None, b: Counted | None) -> PairRow:
        here, there = a[0] if a else None, b[0] if b else None
        named = there or here
        row = PairRow(RowKind.BOUNDARY, f"boundary:{named.number if named else 0}", boundaries=(here, there))
        for found, cell in ((a, row.a), (b, row.b)):
            if found is not None:
                cell.title = self._text(boundary_name(found[0]))
                cell.remark = self._text(boundary_text(*found))
                cell.there = True
        lines = [f"{cell.title} · {cell.remark}" for cell in (row.a, row.b) if cell.there]
        row.spoken = "; ".join(dict.fromkeys(lines))
        lines += [self._text(one.note) for one in (here, there) if one is not None]
        row.tip = "\n".join(dict.fromkeys(line for line in lines if line))
        row.settle()
        return row

    # What was left out

    def _absent_behind(self, pair: Pair) -> list[AbsentPair]:
        keys = {side.key for side in (pair.a, pair.b) if side is not None}
        return self._joined(self._a.absent_behind(keys), self._b.absent_behind(keys))

    def _left_over(self) -> list[AbsentPair]:
        return self._joined(self._a.absent_anywhere(), self._b.absent_anywhere())

    def _joined(self, ours: Iterable[Absent], theirs: Iterable[Absent]) -> list[AbsentPair]:
        """Side by side by key, each key once in the whole tree: at the first place that either side has for it."""
        keys = [key for key in dict.fromkeys(one.key for one in (*theirs, *ours)) if key not in self._placed_absent]
        self._placed_absent.update(keys)
        return [(self._a.absent_by_key.get(key), self._b.absent_by_key.get(key)) for key in keys]

    def _place_left_over(self, root: PairRow) -> None:
        """At the end what has no place, and apart from it rows that no request could hold yet."""
        found = self._left_over()
        for is_early, key in ((False, "left-out"), (True, "not-yet")):
            self._place_absent(root, [pair for pair in found if _was_not_yet(pair) is is_early], key)

    def _place_absent(self, parent: PairRow, found: list[AbsentPair], key: str) -> None:
        """A few things stand as rows; more of them share a branch, which counts all that each side left out there.

        What a gap says is counted, but has no row as long as there is no branch.
        """
        loose = [pair for pair in found if not any(one is not None and one.key in self._gaps for one in pair)]
        if not loose:
            return
        if len(loose) <= _MOST_LOOSE and key not in _AT_THE_END:
            for a, b in loose:
                parent.adopt(self._absent_row(a, b))
            return
        holder = PairRow(RowKind.ABSENTS, key)
        told = not_yet_count if key == "not-yet" else left_out_count
        for index, cell in ((0, holder.a), (1, holder.b)):
            count = sum(pair[index] is not None for pair in found)
            if count:
                cell.title, cell.there = self._text(told(count)), True
        holder.spoken = holder.b.title or holder.a.title
        holder.settle()
        parent.adopt(holder)
        for a, b in found:
            holder.adopt(self._absent_row(a, b))

    def _absent_row(self, a: Absent | None, b: Absent | None) -> PairRow:
        shown = b or a
        row = PairRow(RowKind.ABSENT, f"absent:{shown.key if shown else ''}", absent=shown)
        for absent, cell in ((a, row.a), (b, row.b)):
            if absent is not None:
                cell.title, cell.remark = self._name(absent.title), self._name(absent_remark(absent))
                cell.kind, cell.there = absent.kind, True
            elif shown is not None and shown.key in self._gaps:
                cell.remark, cell.there = self._text(IN_THE_REQUEST), True
        if shown is not None:
            row.tip = f"{self._text(shown.title)}\n{self._text(absent_remark(shown))}"
            row.spoken = f"{self._name(shown.title)}, {self._text(LEFT_OUT)}"
        row.settle()
        return row


def _was_not_yet(pair: AbsentPair) -> bool:
    """Whether it could not be in yet, on the side that is looked at."""
    one = pair[1] or pair[0]
    return one is not None and one.reason is AbsenceReason.NOT_COMMITTED
