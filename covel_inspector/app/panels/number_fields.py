"""A number with its slider, and numbers that may be words."""

import math
from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QSlider, QSpinBox, QWidget

from covel_inspector.app.figures import figure

_STEPS = 1000
_SNAP = 6


class NumberField(QSpinBox):
    """A number to type, to turn or to step; some numbers are said as words ("as it was"). ``chosen``: by the reader."""

    chosen = Signal(int)

    def __init__(self, lowest: int, highest: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: dict[int, str] = {}
        self.setRange(lowest, highest)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setKeyboardTracking(False)
        self.setAccelerated(True)
        self.valueChanged.connect(self.chosen)

    def set_words(self, words: Mapping[int, str]) -> None:
        """What single numbers are called."""
        self._words = dict(words)
        self.setSpecialValueText(self._words.get(self.minimum(), ""))
        self.lineEdit().setText(self.textFromValue(self.value()))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for seven digits, or for the longest word."""
        texts = ("9 999 999", *self._words.values())
        width = max(self.fontMetrics().horizontalAdvance(text) for text in texts)
        return QSize(width + 20, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """The same: a number that is cut is another number."""
        return self.sizeHint()

    def show_number(self, number: int) -> None:
        """Show a number without telling anybody."""
        if number != self.value() and not (self.hasFocus() and self.lineEdit().isModified()):
            with QSignalBlocker(self):
                self.setValue(number)

    def textFromValue(self, value: int) -> str:
        """A word, or the number with its thousands set apart."""
        return self._words.get(value) or figure(value)

    def valueFromText(self, text: str) -> int:
        """The number behind a text; what cannot be read stays as it is."""
        for number, word in self._words.items():
            if word == text:
                return number
        digits = "".join(character for character in text if character.isdigit())
        return int(digits) if digits else self.value()

    def validate(self, text: str, position: int) -> QValidator.State | tuple[QValidator.State, str, int]:  # type: ignore[override]  # Qt's own annotation names the tuple `object`.
        """Digits in any grouping, and the words; a number above the highest cannot be typed."""
        state = QValidator.State.Acceptable
        if text not in self._words.values():
            digits = "".join(character for character in text if not character.isspace() and character not in ".,'")
            if not digits:
                state = QValidator.State.Intermediate
            elif not digits.isascii() or not digits.isdigit() or int(digits[:12]) > self.maximum():
                state = QValidator.State.Invalid
            elif int(digits) < self.minimum():
                state = QValidator.State.Intermediate
        return state, text, position


class TokenSlider(QSlider):
    """A slider over a wide range of tokens: equal ways are equal ratios when ``is_steep``. ``dragged``: by the reader.

    Near the value as it was it snaps to it.
    """

    dragged = Signal(int)

    def __init__(self, *, is_steep: bool, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._is_steep = is_steep
        self._low, self._high = 1, 2
        self._usual: int | None = None
        self.setRange(0, _STEPS)
        self.setPageStep(_STEPS // 20)
        self.setSingleStep(_STEPS // 200)
        self.valueChanged.connect(self._tell)

    def set_span(self, low: int, high: int, usual: int | None) -> None:
        """Tokens at both ends, and those that were; a drag that is going on is not disturbed."""
        if not self.isSliderDown():
            self._low, self._high, self._usual = low, max(high, low + 1), usual

    def show_tokens(self, tokens: int) -> None:
        """Show a number without telling anybody."""
        if not self.isSliderDown():
            with QSignalBlocker(self):
                self.setValue(self._position(tokens))

    @property
    def tokens(self) -> int:
        """The number at the handle."""
        if self._usual is not None and abs(self.value() - self._position(self._usual)) <= _SNAP:
            return self._usual
        share = self.value() / _STEPS
        if self._is_steep:
            return int(self._low * math.pow(self._high / self._low, share) + 0.5)
        return round(self._low + (self._high - self._low) * share)

    def _position(self, tokens: int) -> int:
        tokens = min(max(tokens, self._low), self._high)
        if self._is_steep:
            return round(math.log(tokens / self._low) / math.log(self._high / self._low) * _STEPS)
        return round((tokens - self._low) / (self._high - self._low) * _STEPS)

    @Slot()
    def _tell(self) -> None:
        self.dragged.emit(self.tokens)
