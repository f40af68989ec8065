"""The order in which the tab key walks: that of reading, also where widgets were made later than what follows them."""

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def follow_order(*parts: QWidget) -> None:
    """Each part with all that is inside it, in the order in which it was put there, and then the next part.

    Qt keeps one order for each window: parts of several windows are left as they are.
    """
    if len({part.window() for part in parts}) > 1:
        return
    stops = [widget for part in parts for widget in (part, *part.findChildren(QWidget)) if _is_stop(widget)]
    for before, after in pairwise(dict.fromkeys(stops)):
        QWidget.setTabOrder(before, after)


def _is_stop(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
