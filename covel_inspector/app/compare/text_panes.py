"""The texts of the selected pair: A at the left, B at the right, changed words marked, scrolled together."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from covel_inspector.app.compare.pane_text import leaf_offsets, segment_text
from covel_inspector.app.compare.row_texts import absent_remark
from covel_inspector.app.compare.rows import PairRow
from covel_inspector.app.compare.text_pane import TextPane
from covel_inspector.app.compare.word_diff import WordDiffs, changed_spans, counterpart
from covel_inspector.app.figures import figure
from covel_inspector.app.picked_text import pick
from covel_inspector.app.theme_colours import Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Absent, Segment, Sentence, say
from covel_inspector.text.diff import Outcome, TextDiff
from covel_inspector.text.invisible import draw_invisible

NO_SEGMENT_A = say("Side A has no such segment.")
NO_SEGMENT_B = say("Side B has no such segment.")
CHOOSE = say("Choose a segment above to read its text.")


class TextPanes(QWidget):
    """Two panes side by side; only the one of B when there is nothing to compare with."""

    text_picked = Signal(object)
    """The :class:`PickedText` that the reader selected; an empty one where she only clicked."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._row: PairRow | None = None
        self._difference: TextDiff | None = None
        self._usual_remark: Sentence | None = None
        self._is_following = False
        self._one_sided = False
        self._is_pointed_out = False
        self._diffs = WordDiffs(self)
        self._diffs.ready.connect(self._take_difference)
        self.a = TextPane("word_removed", wording)
        self.b = TextPane("word_added", wording)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for pane in (self.a, self.b):
            self.splitter.addWidget(pane)
        self.splitter.setSizes([1000, 1000])
        self.splitter.setChildrenCollapsible(False)
        self.a.edit.verticalScrollBar().valueChanged.connect(self._follow_a)
        self.b.edit.verticalScrollBar().valueChanged.connect(self._follow_b)
        self.a.edit.span_picked.connect(self._pick_a)
        self.b.edit.span_picked.connect(self._pick_b)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)

    @property
    def row(self) -> PairRow | None:
        """The row whose texts are shown."""
        return self._row

    def show_row(self, row: PairRow | None, *, one_sided: bool) -> None:
        """Show the texts of a row; ``one_sided``: there is no A."""
        self._row, self._one_sided = row, one_sided
        self._is_pointed_out = False
        self._difference = None
        self._diffs.forget()
        self.a.setVisible(not one_sided)
        for pane in (self.a, self.b):
            pane.say_remark(None)
        if row is None:
            self._show_nothing(CHOOSE)
        elif row.pair is not None:
            self._show_pair(row)
        else:
            self._show_absent(row)

    def point_out(self, leaf: Segment, start: int, end: int) -> None:
        """Select a stretch of a leaf of B, in code points, where the leaf is shown."""
        segment = self._segment(is_a=False)
        place = next((number for number, one in enumerate(_leaves(segment)) if one is leaf), None)
        if segment is not None and place is not None:
            offset = leaf_offsets(segment)[place]
            self._is_pointed_out = True
            self._is_following = True
            self.b.edit.select(offset + start, offset + end)
            self._is_following = False

    def set_blanks(self, *, shown: bool) -> None:
        """Draw marks for blanks and tabs."""
        for pane in (self.a, self.b):
            pane.set_blanks(shown=shown)

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        for pane in (self.a, self.b):
            pane.apply_theme(colours)

    def apply_wording(self) -> None:
        """Say all texts again."""
        for pane in (self.a, self.b):
            pane.apply_wording()
        self.show_row(self._row, one_sided=self._one_sided)

    def close_workers(self) -> None:
        """Stop what is being compared and wait for it."""
        self._diffs.close()

    def _show_nothing(self, sentence: Sentence) -> None:
        for pane in (self.a, self.b):
            pane.show_notice("", self._wording.text(sentence))

    def _show_pair(self, row: PairRow) -> None:
        pair = row.pair
        if pair is None:
            return
        texts: list[str | None] = []
        for pane, segment, missing, remark in (
            (self.a, pair.a, NO_SEGMENT_A, row.a.remark),
            (self.b, pair.b, NO_SEGMENT_B, row.b.remark),
        ):
            if segment is None:
                sentence = self._wording.text(missing)
                pane.show_notice("", f"{sentence}\n{remark}" if remark else sentence)
                texts.append(None)
                continue
            text, is_set_apart = segment_text(segment)
            above = _above(row, is_a=pane is self.a)
            is_on_both = pair.a is not None and pair.b is not None
            shared_end = row.shared_ends[0 if pane is self.a else 1] if is_on_both else None
            pane.show_source(self._caption(segment, above), text, shared_end)
            self._usual_remark = _remark(shared_end, is_set_apart=is_set_apart)
            pane.say_remark(self._usual_remark)
            texts.append(text)
        if self._one_sided or texts[0] is None or texts[1] is None:
            return
        found = self._diffs.ask(texts[0], texts[1])
        if found is None:
            self.b.say_remark(say("comparing …"))
        else:
            self._take_difference(found)

    def _show_absent(self, row: PairRow) -> None:
        absent = row.absent
        for pane, cell in ((self.a, row.a), (self.b, row.b)):
            if absent is None or not cell.there or not cell.title:
                pane.show_notice("", cell.title or cell.remark)
            elif absent.text:
                pane.show_source(self._absent_caption(absent), absent.text)
            else:
                pane.show_notice(self._wording.text(absent.title), self._wording.text(absent_remark(absent)))

    def _absent_caption(self, absent: Absent) -> str:
        return draw_invisible(f"{self._wording.text(absent.title)} · {self._wording.text(absent_remark(absent))}").text

    def _caption(self, segment: Segment, above: str) -> str:
        """The branch and the segment: "Turn context · Player sheet"."""
        title = draw_invisible(self._wording.text(segment.title)).text
        return f"{above} · {title}" if above else title

    @Slot(object)
    def _take_difference(self, found: TextDiff) -> None:
        self._difference = found
        spans = changed_spans(found)
        self.a.mark(spans.a)
        self.b.mark(spans.b)
        self._reveal_first(found)
        if found.outcome is Outcome.BOUNDED:
            self.b.say_remark(say("compared roughly: too much differs"))
        else:
            self.b.say_remark(self._usual_remark)

    def _reveal_first(self, found: TextDiff) -> None:
        """The first change comes into sight on both sides, unless something else was pointed out."""
        if not found.changes or self._is_pointed_out:
            return
        self._is_following = True
        self.a.edit.reveal(found.changes[0].a_start)
        self.b.edit.reveal(found.changes[0].b_start)
        self._is_following = False

    @Slot(int, int)
    def _pick_a(self, start: int, end: int) -> None:
        self._pick(start, end, is_a=True)

    @Slot(int, int)
    def _pick_b(self, start: int, end: int) -> None:
        self._pick(start, end, is_a=False)

    def _pick(self, start: int, end: int, *, is_a: bool) -> None:
        segment = self._segment(is_a=is_a)
        if segment is None:
            return
        source = (self.a if is_a else self.b).source
        picked = pick(segment, source, leaf_offsets(segment), start, end, is_a=is_a)
        if picked is not None:
            self.text_picked.emit(picked)

    def _segment(self, *, is_a: bool) -> Segment | None:
        pair = self._row.pair if self._row is not None else None
        if pair is None:
            return None
        return pair.a if is_a else pair.b

    @Slot(int)
    def _follow_a(self, _value: int) -> None:
        self._follow(self.a, self.b, from_a=True)

    @Slot(int)
    def _follow_b(self, _value: int) -> None:
        self._follow(self.b, self.a, from_a=False)

    def _follow(self, leader: TextPane, follower: TextPane, *, from_a: bool) -> None:
        """Bring what lies opposite the first visible line to the top of the other pane."""
        if self._is_following or self._difference is None or not follower.has_text or not leader.has_text:
            return
        self._is_following = True
        index = counterpart(self._difference, leader.edit.top_code_point(), from_a=from_a)
        follower.edit.scroll_to_code_point(index)
        self._is_following = False


def _leaves(segment: Segment | None) -> list[Segment]:
    return list(segment.leaves()) if segment is not None else []


def _above(row: PairRow, *, is_a: bool) -> str:
    """Title of the branch that holds the text of a side; A may have it in another branch than the row's."""
    if is_a and row.branch_a:
        return row.branch_a
    if row.parent is None:
        return ""
    cell = row.parent.a if is_a else row.parent.b
    return cell.title if cell.there else ""


def _remark(shared_end: int | None, *, is_set_apart: bool) -> Sentence | None:
    if is_set_apart:
        return say("messages set apart by blank lines")
    if shared_end is not None:
        return say("shared up to character {n}", n=figure(shared_end))
    return None
