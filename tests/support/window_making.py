"""Windows in tests: the type of the fixture that builds them, and what can be read in them."""

from collections.abc import Callable

from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from covel_inspector.app.window import MainWindow

MakeWindow = Callable[..., MainWindow]


def texts_of(widget: QWidget) -> str:
    """Everything a reader sees of a widget's labels and buttons."""
    labels = [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]
    buttons = [button.text() for button in widget.findChildren(QPushButton) if button.isVisible()]
    return "\n".join(labels + buttons)
