"""What a reader is at stays in sight when the list around it gets lower."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView


def keep_in_sight(view: QAbstractItemView, event: QResizeEvent) -> None:
    """Scroll to the current row if the resizing took it out of sight; to be called at the end of a ``resizeEvent``.

    A row that the reader had scrolled away from stays where it is.
    """
    place = view.visualRect(view.currentIndex())
    before, now = event.oldSize().height(), view.viewport().height()
    was_seen = before <= 0 or (place.bottom() >= 0 and place.top() < before)
    if place.isValid() and was_seen and place.bottom() >= now:
        view.scrollTo(view.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)
