"""Lists laid over the window to choose from by typing: commands, places, what to compare with."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from covel_inspector.app.palette import Chooser, address_entries, command_entries
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.theme import Theme
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, say

if TYPE_CHECKING:
    from covel_inspector.app.window import MainWindow


class Choosers(QObject):
    """Opens the lists and does what was chosen."""

    def __init__(self, window: "MainWindow", wording: Wording, theme: Theme) -> None:
        super().__init__(window)
        self._window, self._wording, self._theme = window, wording, theme

    def show_palette(self) -> None:
        """All commands, to choose from by typing."""
        chooser = Chooser(self._window, self._wording, self._theme, say("All commands"), say("Type a command"))
        chooser.chosen.connect(self.run)
        chooser.open_with(command_entries(self._window.commands, self._wording))

    def choose_address(self) -> None:
        """A turn or an address to go to."""
        hint = say("Turn, runtime, words of the line, or an address such as :12:narrator:0")
        self._choose_call(say("Go to a turn or address"), hint).chosen.connect(self._window.inspector.go)

    def choose_target(self) -> None:
        """A call to compare with."""
        chooser = self._choose_call(say("Compare with another call"), say("Turn, runtime, words, or an address"))
        chooser.chosen.connect(self._compare_with)

    @Slot(str)
    def run(self, identifier: str) -> None:
        """Do a command."""
        self._window.commands[identifier].trigger()

    @Slot(str)
    def _compare_with(self, address: str) -> None:
        state = self._window.inspector.state
        full = state.spot.session + address if state.spot is not None and address.startswith(":") else address
        state.set_target(Target(TargetKind.ADDRESS, full))

    def _choose_call(self, title: Sentence, hint: Sentence) -> Chooser:
        inspector = self._window.inspector
        chooser = Chooser(self._window, self._wording, self._theme, title, hint, free=True)
        chooser.open_with(address_entries(inspector.state, self._wording), inspector.address_text)
        return chooser
