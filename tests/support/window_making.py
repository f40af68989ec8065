"""The type of the fixture that builds windows, for tests that use it."""

from collections.abc import Callable

from covel_inspector.app.window import MainWindow

MakeWindow = Callable[..., MainWindow]
