"""The heading of one half: what it is, how many tokens, how much was cached, the verdict, and the request map."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from covel_inspector.app.compare.request_map import RequestMap, cached_share, map_content
from covel_inspector.app.figures import figure, percent
from covel_inspector.app.pills import ElidedParts, Pill
from covel_inspector.app.sides import Side
from covel_inspector.app.theme import UNIT
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.app.three_counts import COUNT_TITLE, Counted, three_counts
from covel_inspector.app.unsent import rebuilt_only
from covel_inspector.app.verdict_words import VerdictLook, independence, short_look, verdict_look
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Verdict, plain, say
from covel_inspector.text.invisible import draw_invisible

_INSET = 14

VERDICT_SHORT, NO_CACHED, NO_TOKENS = 1, 2, 3
"""How narrow a heading is: the verdict in few letters; also without the cached part; also without tokens. 0: all."""


class HeaderCard(QWidget):
    """Heading of side A or B. ``letter`` names the side."""

    segment_clicked = Signal(object)
    """A leaf of this side's tree, clicked on the map."""

    def __init__(self, letter: str, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._letter = letter
        self._wording = wording
        self._side: Side | None = None
        self._counted: Counted | None = None
        self._offers_count = False
        self._narrowness = 0
        self._colours = LIGHT
        self.title = ElidedParts(bold=True)
        self.tokens = Pill()
        self.cached = Pill()
        self.verdict = Pill()
        self.map = RequestMap(wording)
        self.map.segment_clicked.connect(self.segment_clicked)
        self._lay_out()

    def show_side(self, side: Side | None, scale: int = 0) -> None:
        """Show a side; ``scale`` as in :meth:`RequestMap.show_content`."""
        self._side, self._counted = side, None
        self._say_texts()
        content = map_content(side, side.limit) if side is not None else map_content(_NOTHING)
        self.map.show_content(content, scale)
        self._paint_ground()

    def show_count(self, counted: Counted | None) -> None:
        """What a tokenizer counted for the side that is shown."""
        self._counted = counted
        if self._side is not None:
            self.set_narrowness(self._narrowness)

    def offer_count(self, *, is_offered: bool) -> None:
        """Say, or no longer, how to have the tokens counted."""
        self._offers_count = is_offered
        self.show_count(self._counted)

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        for pill in (self.title, self.tokens, self.cached, self.verdict):
            pill.apply_theme(colours)
        self.map.apply_theme(colours)
        self._colours = colours
        self._paint_ground()

    def apply_wording(self) -> None:
        """Say all texts again."""
        self._say_texts()

    def _paint_ground(self) -> None:
        """A request that never was stands on a ground of its own."""
        colours = self._colours
        is_changed = self._side is not None and self._side.changed
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, QColor(colours.what_if if is_changed else colours.bar))
        palette.setColor(QPalette.ColorRole.WindowText, QColor(colours.text))
        self.setPalette(palette)
        self.setAutoFillBackground(True)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(UNIT)
        line.addWidget(self.title)
        for pill in (self.tokens, self.cached, self.verdict):
            line.addWidget(pill)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(_INSET, UNIT, _INSET, UNIT)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self.map, 0, Qt.AlignmentFlag.AlignTop)

    def _say_texts(self) -> None:
        text, side = self._wording.text, self._side
        if side is None:
            self.title.say_parts((self._letter,))
            for pill in (self.tokens, self.cached, self.verdict):
                pill.say("")
            return
        parts = draw_invisible(text(side.title)).text.split(" · ")
        runtime = side.call.address.runtime if side.call is not None else ""
        self.title.say_parts((self._letter, *parts), {draw_invisible(runtime).text})
        self._say_tokens(side)
        self._say_cached(side)
        self._say_verdict(side)

    def _say_tokens(self, side: Side) -> None:
        figures = side.figures
        if figures is None:
            self.tokens.say("")
            return
        lines = three_counts(side, self._counted).lines()
        if self._offers_count:
            lines = (*lines, say("The command “{command}” in the Tools menu adds its count.", command=COUNT_TITLE))
        tip = "\n".join(self._wording.text(line) for line in lines)
        self.tokens.say(self._tokens_text(side, figures.total, self._narrowness), tip=tip)

    def _tokens_text(self, side: Side, total: int, narrowness: int) -> str:
        too_long = side.call.too_long if side.call is not None and not side.changed else None
        if too_long is None:
            return self._wording.text(say("{n} tok", n=figure(total)))
        needed, limit = figure(too_long.needed), figure(too_long.limit)
        if narrowness >= VERDICT_SHORT:
            return f"{needed} > {limit}"
        return self._wording.text(say("{n} > {limit} tok", n=needed, limit=limit))

    def _say_cached(self, side: Side) -> None:
        if side.changed or side.kept is not None:
            self._say_kept(side)
            return
        share = cached_share(side)
        usage = side.call.usage if side.call is not None else None
        if share is None or usage is None:
            self.cached.say("")
            return
        tip = say(
            "this call, as the provider reported: {cached} of {input} input tokens read from its cache",
            cached=figure(usage.cached or 0),
            input=figure(usage.input or 0),
        )
        label = say("cached {share}", share=percent(share))
        self.cached.say(self._wording.text(label), tip=self._wording.text(tip))

    def _say_kept(self, side: Side) -> None:
        """What a cache could keep, told for both sides of a "what if" in the same way."""
        if side.kept is None or side.figures is None or not side.figures.total:
            self.cached.say("")
            return
        kept, total = figure(side.kept), figure(side.figures.total)
        tip = (
            say(
                "predicted: {kept} of {total} tokens begin like the request of the turn before with the same changes",
                kept=kept,
                total=total,
            )
            if side.changed
            else say(
                "predicted: {kept} of {total} tokens begin like the request of the turn before", kept=kept, total=total
            )
        )
        label = say("prefix kept {share}", share=percent(side.kept / side.figures.total))
        self.cached.say(self._wording.text(label), tip=self._wording.text(tip))

    def _say_verdict(self, side: Side) -> None:
        if side.verdict is None:
            self.verdict.say("")
            return
        label, tone = _look(side, side.verdict)
        shown = self._verdict_text(side, side.verdict, self._narrowness)
        tips = [
            label,
            side.verdict.reason,
            *filter(None, [independence(side.verdict)]),
            *side.verdict.normalisations,
            *(one.note for one in side.verdict.differences[:8]),
        ]
        tip = "\n".join(self._wording.text(one) for one in tips if one.template)
        self.verdict.say(shown, tone, tip)
        self.verdict.setAccessibleName(self._wording.text(label))

    def minimumSizeHint(self) -> QSize:
        """Facts must not keep the window wide: they give way first."""
        return QSize(UNIT * 12, super().minimumSizeHint().height())

    def wanted_width(self, narrowness: int = 0, *, names_whole: bool = True) -> int:
        """Pixels for what is said at a narrowness and for the title, with its names whole or as short as may be."""
        if self._side is None:
            return 0
        wanted = 2 * _INSET + (self.title.sizeHint().width() if names_whole else self.title.least_width())
        if self._side.verdict is not None:
            wanted += UNIT + self.verdict.width_of(self._verdict_text(self._side, self._side.verdict, narrowness))
        return wanted + sum(
            UNIT + pill.width_of(self._pill_text(pill, narrowness)) for pill in self._pills(narrowness) if pill.text
        )

    def _pill_text(self, pill: Pill, narrowness: int) -> str:
        figures = self._side.figures if self._side is not None else None
        if pill is not self.tokens or self._side is None or figures is None:
            return pill.text
        return self._tokens_text(self._side, figures.total, narrowness)

    def set_narrowness(self, narrowness: int) -> None:
        """Names in the title give way before facts do; facts, before the turn is elided."""
        self._narrowness = narrowness
        if self._side is not None:
            self._say_tokens(self._side)
        shown = self._pills(narrowness)
        for pill in (self.tokens, self.cached):
            pill.setVisible(bool(pill.text) and pill in shown)
        if self._side is not None:
            self._say_verdict(self._side)

    def _pills(self, narrowness: int) -> tuple[Pill, ...]:
        return (self.tokens, self.cached)[: max(0, NO_TOKENS - max(narrowness, VERDICT_SHORT))]

    def _verdict_text(self, side: Side, verdict: Verdict, narrowness: int) -> str:
        if narrowness >= VERDICT_SHORT:
            return short_look(verdict)
        return self._wording.text(_look(side, verdict)[0])


def _look(side: Side, verdict: Verdict) -> VerdictLook:
    return verdict_look(verdict) if side.is_sent else (rebuilt_only(side.tree), "warning")


_NOTHING = Side(address_text="", title=plain(""))
