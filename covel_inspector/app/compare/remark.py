"""What must be known of a request that is shown, above it: a sentence, and on request what the engine itself said."""

import re
from html import escape

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from covel_inspector.app.link_label import LinkLabel, anchor
from covel_inspector.app.theme_colours import LIGHT, Colours
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say

_THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
"""The gap in a number: a line must not break there."""


class Remark(LinkLabel):
    """Hidden while there is nothing to say. The details are a link away, and can be selected and copied."""

    def __init__(self, wording: Wording, parent: QWidget | None = None) -> None:
        super().__init__("", (), parent)
        self._wording = wording
        self._colours = LIGHT
        self._told, self._details = "", ""
        self._is_open = False
        self.setProperty("tone", "note")
        self.setIndent(0)
        self.linkActivated.connect(self._turn)
        self.hide()

    @property
    def told(self) -> str:
        """What is said, details and all."""
        return "\n".join(filter(None, (self._told, self._details if self._is_open else "")))

    def say(self, sentence: Sentence | None, details: str = "") -> None:
        """Say a sentence; None: nothing. ``details`` is shown word for word when it is asked for."""
        told = _THOUSANDS.sub("\u00a0", self._wording.text(sentence)) if sentence is not None else ""
        if details != self._details or not told:
            self._is_open = False
        self._told, self._details = told, details if told else ""
        self._draw()
        self.setVisible(bool(told))

    def apply_theme(self, colours: Colours) -> None:
        """Paint in other colours."""
        self._colours = colours
        self._draw()

    @Slot(str)
    def _turn(self, _link: str) -> None:
        self._is_open = not self._is_open
        self._draw()

    def _draw(self) -> None:
        flags = Qt.TextInteractionFlag.NoTextInteraction
        policy = Qt.FocusPolicy.NoFocus
        if self._details:
            flags = Qt.TextInteractionFlag.TextBrowserInteraction
            policy = Qt.FocusPolicy.StrongFocus
        self.setTextFormat(Qt.TextFormat.RichText if self._details else Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(flags)
        self.setFocusPolicy(policy)
        self.setText(self._marked_up() if self._details else self._told)
        self.setAccessibleName(self.told)

    def _marked_up(self) -> str:
        colours, title = self._colours, say("Hide details") if self._is_open else say("Details")
        link = anchor("details", escape(self._wording.text(title)), colours.link)
        shown = f"{escape(self._told, quote=False)} {link}"
        if not self._is_open:
            return shown
        raw = escape(self._details, quote=False).replace("\n", "<br>")
        heading = escape(self._wording.text(say("The engine's own words:")))
        return f'{shown}<br><span style="color:{colours.quiet}">{heading} {raw}</span>'
