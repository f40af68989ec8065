"""Which texts of a window cannot be read whole: cut by their own widget, or by what they stand in."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QHeaderView,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QTreeView,
    QWidget,
)

from covel_inspector.app.pills import ElidedLine


def cut_texts(root: QWidget) -> list[str]:
    """One line for each text below a widget that a reader cannot see whole, nor bring into sight by scrolling."""
    return [f"{type(widget).__name__}: {text!r} {why}" for widget, text, why in _found(root)]


def _found(root: QWidget) -> Iterator[tuple[QWidget, str, str]]:
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        text = _text(widget)
        if text:
            lacking = _lacking(widget)
            if lacking:
                yield widget, text[:70], lacking
            elif hidden := _covered(widget, root):
                yield widget, text[:70], hidden
        if isinstance(widget, QHeaderView) and isinstance(widget.parent(), QTreeView):
            yield from _cut_headings(widget)


def _text(widget: QWidget) -> str:
    if isinstance(widget, QLabel | QAbstractButton | QSpinBox):
        return str(widget.text())
    if isinstance(widget, QLineEdit):
        is_of_spin_box = isinstance(widget.parent(), QSpinBox)
        return "" if is_of_spin_box else widget.text() or widget.placeholderText()
    return widget.text if isinstance(widget, ElidedLine) else ""


def _lacking(widget: QWidget) -> str:
    """How much room the widget itself lacks for its text."""
    if isinstance(widget, ElidedLine):
        return "is elided" if widget.is_elided else ""
    if isinstance(widget, QLineEdit):
        needed = QFontMetrics(widget.font()).horizontalAdvance(_text(widget)) + 20
        return f"{widget.width()} of {needed} wide" if widget.width() < needed else ""
    if isinstance(widget, QLabel) and widget.wordWrap():
        needed = widget.heightForWidth(widget.width())
        return f"{widget.height()} of {needed} high" if widget.height() < needed else ""
    hint = widget.sizeHint()
    if widget.width() < hint.width():
        return f"{widget.width()} of {hint.width()} wide"
    return f"{widget.height()} of {hint.height()} high" if widget.height() < hint.height() - 1 else ""


def _covered(widget: QWidget, root: QWidget) -> str:
    """Whether something around the widget cuts it off where no scroll bar leads to it."""
    rect = QRect(QPoint(0, 0), widget.size())
    inner, outer = widget, widget.parentWidget()
    while outer is not None and inner is not root:
        rect.translate(inner.pos())
        area = outer.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is outer:
            if isinstance(area, QScrollArea):
                if rect.right() >= outer.width() and not _scrolls_sideways(area):
                    return f"stands {rect.right() - outer.width() + 1} too far to the right"
                return ""
        elif rect.right() >= outer.width() or rect.bottom() >= outer.height() or rect.left() < 0 or rect.top() < 0:
            return f"is cut by {type(outer).__name__} {outer.objectName()}"
        inner, outer = outer, outer.parentWidget()
    return ""


def _scrolls_sideways(area: QScrollArea) -> bool:
    return area.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff


def _cut_headings(header: QHeaderView) -> Iterator[tuple[QWidget, str, str]]:
    model = header.model()
    for section in range(header.count()):
        text = str(model.headerData(section, header.orientation()) or "") if model is not None else ""
        width = header.sectionSize(section)
        needed = header.fontMetrics().horizontalAdvance(text)
        if text and width and width < needed + 8:
            yield header, text, f"{width} of {needed + 8} wide"
