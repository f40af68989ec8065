"""The Plugins panel: what each plugin declares, and what of it was sent in the turn the reader is at."""

from functools import partial

from PySide6.QtCore import Slot

from covel_inspector.app.inspector import Inspector
from covel_inspector.app.observing import SessionObservations, with_observation
from covel_inspector.app.page import Page
from covel_inspector.app.panels.list_panel import ListPanel
from covel_inspector.app.panels.listed_rows import Row
from covel_inspector.app.panels.panel import Watch, Work
from covel_inspector.app.panels.plugins_page import subject_page
from covel_inspector.app.panels.plugins_rows import COLUMNS, Piece, Use, plugin_rows
from covel_inspector.app.panels.silence import no_pieces
from covel_inspector.app.plain_text import label
from covel_inspector.app.theme import Theme
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Absent, Kind, PieceUse, Place, PluginReport, Segment, Sentence, Source, say


class PluginsPanel(ListPanel):
    """Follows the turn, not the call: a plugin's pieces may stand in several requests of one turn."""

    def __init__(self, inspector: Inspector, wording: Wording, theme: Theme) -> None:
        super().__init__(inspector, wording, theme, COLUMNS)
        self._reports: tuple[PluginReport, ...] | None = None
        self.remark = label(tone="quiet")
        self.head.addWidget(self.remark, 1)
        self.remark.hide()
        self._observations = SessionObservations.of(inspector)
        self._observations.found.connect(self._tell_again)

    def show_place(self) -> None:
        """A turn without a request says so above the list."""
        told = self._remark()
        self.remark.setText(self.wording.text(told) if told is not None else "")
        self.remark.setVisible(told is not None)

    def wanted(self) -> Work | Sentence | None:
        """The plugins of the session in this turn."""
        spot = self.inspector.state.spot
        if spot is None:
            return say("Choose a turn to see what its plugins sent.")
        return Work((spot.session, spot.turn), partial(_read, session=spot.session, turn=spot.turn))

    def show_answer(self, answer: tuple[PluginReport, ...]) -> None:
        """Plugins of another turn."""
        self._reports = answer
        self._list()

    def forget(self) -> None:
        """Another source, or the file has changed."""
        self._reports = None
        super().forget()

    def apply_wording(self) -> None:
        """Say all texts again."""
        super().apply_wording()
        self.list.setAccessibleName(self.wording.text(say("Plugins and their pieces")))
        self.show_place()
        self._list()

    def page_of(self, row: Row) -> Page:
        """About a plugin, a runtime, or a piece."""
        page, spot = subject_page(row.subject, self.inspector.state.estimator), self.inspector.state.spot
        if spot is None or not isinstance(row.subject, Piece) or not row.subject.is_extension:
            return page
        observed = self._observations.want(spot.session)
        seen = observed.get(row.key) if observed is not None else None
        return page if seen is None and observed is not None else with_observation(page, seen)

    def place_of(self, row: Row) -> tuple[str, Place | str] | None:
        """The request in which a piece stands: the one the reader is at where it is there, else the first."""
        uses = _uses(row)
        here = self.inspector.address_text
        found = next((use for use in uses if str(use.address) == here), None) or next(iter(uses), None)
        return (str(found.address), found.key) if found is not None and found.address is not None else None

    def stands_for(self, row: Row, segment: Segment | Absent) -> bool:
        """A piece has the key of its segment; all parts of a body stand for it."""
        key = "body" if segment.kind is Kind.BODY else segment.key
        if not isinstance(row.subject, Piece) or row.key != key:
            return False
        plugin = segment.origin.plugin
        here = self.inspector.address_text
        return plugin == row.subject.plugin.id or (not plugin and any(str(use.address) == here for use in _uses(row)))

    def row_of_item(self, item: str) -> Row | None:
        """A link names a plugin by its id, or a piece of it: the plugin's id, a line break, the piece's key."""
        plugin, _, key = item.partition("\n")
        found = self.list.first_row(lambda row: row.path == (plugin, key)) if key else None
        return found or self.list.first_row(lambda row: row.path == (plugin,))

    def _remark(self) -> Sentence | None:
        """Why nothing in the list was sent; None when a request of the turn was."""
        state = self.inspector.state
        lists, spot = state.here, state.spot
        if lists is None or spot is None or lists.by_turn.get(spot.turn):
            return None
        unsent = lists.requests(spot.turn)
        if not unsent:
            return no_pieces(state.turn)
        return say("{why} What is told here is of the rebuilt request.", why=unsent[0].why_unsent)

    @Slot()
    def _tell_again(self) -> None:
        if self.is_active:
            self.show_page()

    def _list(self) -> None:
        lists, spot = self.inspector.state.here, self.inspector.state.spot
        made = lists.requests(spot.turn) if lists is not None and spot is not None else ()
        failed = frozenset(call.address.runtime for call in made if not call.is_sent)
        if self._reports is not None:
            rows = plugin_rows(self._reports, self.wording, failed, is_silent=not made)
            self.show_rows(rows, say("No plugin is known for this session."))


def _uses(row: Row) -> tuple[PieceUse, ...]:
    if isinstance(row.subject, Piece):
        return row.subject.uses
    return (row.subject.use,) if isinstance(row.subject, Use) else ()


def _read(source: Source, watch: Watch, *, session: str, turn: str) -> tuple[PluginReport, ...]:
    watch.check()
    return tuple(source.plugins(session, turn))
