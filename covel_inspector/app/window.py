"""The main window: puts the panels together and lets commands reach them."""

from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QMainWindow, QSplitter, QStackedWidget

from covel_inspector.app.actions import Actions
from covel_inspector.app.choosing import Choosers
from covel_inspector.app.commands import COMMANDS, Menu
from covel_inspector.app.compare.view import CompareView
from covel_inspector.app.dialogs import TableDialog, about_dialog, filter_dialog, not_opened_dialog, shortcuts_dialog
from covel_inspector.app.icons import application_icon
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.links import Links
from covel_inspector.app.look import Look
from covel_inspector.app.navigator import Navigator
from covel_inspector.app.panels.dock import PanelDock
from covel_inspector.app.performing import performers
from covel_inspector.app.places import found_databases, sample
from covel_inspector.app.recent_menu import RecentMenu
from covel_inspector.app.settings import Recent, Settings, remember, remembered
from covel_inspector.app.sides import Prepared, Side
from covel_inspector.app.state import Mode, Selection
from covel_inspector.app.status import StatusBar
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.app.theme import UNIT, Theme
from covel_inspector.app.three_counts import COUNT_COMMAND
from covel_inspector.app.token_counts import SideCounts
from covel_inspector.app.toolbar import ToolBar
from covel_inspector.app.veil import Veil
from covel_inspector.app.welcome import Welcome
from covel_inspector.app.what_if.experiments import Experiments
from covel_inspector.app.why import WhyPanel
from covel_inspector.app.window_layout import keep_layout, restore_bottom, restore_layout
from covel_inspector.app.wire_reading import WireReading
from covel_inspector.app.wording import Wording
from covel_inspector.app.work import Failure
from covel_inspector.domain import Sentence, plain, say


class MainWindow(QMainWindow):
    """Owns the panels. What the reader does goes through the inspector; what changes comes back by signals."""

    def __init__(self, inspector: Inspector, settings: Settings, wording: Wording, theme: Theme, look: Look) -> None:
        super().__init__()
        self.inspector = inspector
        self.settings = settings
        self.look = look
        self._wording, self._theme = wording, theme
        self.compare = CompareView(wording)
        self.wire = WireReading(inspector)
        self.bottom = PanelDock(inspector, wording, theme)
        self.choosers = Choosers(self, wording, theme)
        self.links = Links(self)
        self.experiments = Experiments(self, inspector, wording)
        self.commands = Actions(self, wording, performers(self))
        self.recent_menu = RecentMenu(self.commands.menu(Menu.FILE), self.commands["choose-root"], wording)
        self.tool_bar = ToolBar(inspector, self.commands, wording, theme)
        self.story = Navigator(inspector, wording, theme)
        self.why = WhyPanel(inspector, wording, theme)
        self.welcome = Welcome(wording, self.commands["open"], self.commands["open-sample"])
        self.status = StatusBar(inspector, wording)
        self.veils = (Veil(self.compare, theme), Veil(self.why, theme))
        self.panels = QSplitter(Qt.Orientation.Horizontal)
        self.whole = QSplitter(Qt.Orientation.Vertical)
        self.pages = QStackedWidget()
        self._arrange()
        self._connect()
        self._restore()

    def said(self, sentence: Sentence) -> str:
        """A sentence in the reader's language."""
        return self._wording.text(sentence)

    # Putting together

    def _arrange(self) -> None:
        self.setObjectName("main-window")
        self.setWindowIcon(application_icon())
        self.setAcceptDrops(True)
        self.setMinimumSize(UNIT * 80, UNIT * 52)
        self.addToolBar(self.tool_bar)
        self.setStatusBar(self.status)
        for panel in (self.story, self.compare, self.why):
            self.panels.addWidget(panel)
        for splitter in (self.panels, self.whole):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self.whole.addWidget(self.panels)
        self.whole.addWidget(self.bottom)
        self.whole.setStretchFactor(0, 1)
        for place, stretch in enumerate((0, 1, 0)):
            self.panels.setStretchFactor(place, stretch)
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(self.whole)
        self.setCentralWidget(self.pages)

    def _connect(self) -> None:
        inspector, state = self.inspector, self.inspector.state
        state.source_changed.connect(self._follow_source)
        state.spot_changed.connect(self._follow_spot)
        state.target_changed.connect(self._follow_choices)
        state.mode_changed.connect(self._follow_choices)
        inspector.arrived.connect(self._show_prepared)
        inspector.preparing_failed.connect(self._show_failure)
        inspector.outdated_changed.connect(self._follow_outdated)
        inspector.open_failed.connect(self._show_open_failure)
        inspector.place_reached.connect(self.compare.choose_place)
        self.bottom.changed.connect(self._follow_choices)
        self.bottom.keyboard_left.connect(self.compare.focus_tree)
        self.bottom.address_wanted.connect(inspector.go)
        self.bottom.place_wanted.connect(inspector.go_to_place)
        self.bottom.command_wanted.connect(self.choosers.run)
        self.bottom.noticed.connect(self.status.notice)
        self.compare.segment_selected.connect(self._select)
        self.compare.wire.choice_wanted.connect(self.wire.choose)
        self.wire.read.connect(self.compare.wire.show_sides)
        self.wire.waiting.connect(self.compare.wire.show_waiting)
        self.compare.address_wanted.connect(inspector.go)
        self.compare.experiment_wanted.connect(self.experiments.run)
        self.compare.banner.reset_wanted.connect(self.experiments.reset)
        self.compare.banner.leave_wanted.connect(state.leave_what_if)
        self.experiments.noticed.connect(self.status.notice)
        SideCounts.of(inspector).counted.connect(self.compare.show_counts)
        SideCounts.of(inspector).switched.connect(self._follow_choices)
        self.why.link_wanted.connect(self.links.follow)
        self.bottom.link_wanted.connect(self.links.follow)
        self.compare.text_picked.connect(state.pick)
        self.welcome.open_wanted.connect(self.open_again)
        self.recent_menu.open_wanted.connect(self.open_again)
        self.status.problems.clicked.connect(self.show_problems)
        self.look.changed.connect(self._follow_choices)
        self._wording.changed.connect(self._say_again)
        self._theme.changed.connect(self._apply_theme)

    def _restore(self) -> None:
        settings, state = self.settings, self.inspector.state
        if settings.mode in tuple(Mode):
            state.set_mode(Mode(settings.mode))
        kept = Target(TargetKind(settings.target)) if settings.target in tuple(TargetKind) else Target()
        if kept.is_lasting:
            state.set_target(kept)
        SideCounts.of(self.inspector).switch(is_on=settings.count_tokens)
        restore_layout(self, self.panels, settings)
        self.bottom.apply_state(settings.panels)
        restore_bottom(self, self.whole, self.bottom)
        self.story.setVisible(settings.story_shown)
        self.why.setVisible(settings.why_shown)
        self.compare.apply_state(settings.compare_view)
        self._apply_theme()
        self._say_again()
        self._follow_source()
        self._follow_choices()

    # Opening and closing

    def open(self, location: str, covel_root: str | None = None, address: str = "") -> None:
        """Open a source at an address; without one at the place where the reader was last."""
        self._remember_place()
        self.welcome.show_trouble("", None)
        if Path(location).exists():
            location = str(Path(location).absolute())
        if covel_root:
            covel_root = str(Path(covel_root).absolute())
        known = remembered(self.settings, location)
        if covel_root is None and known is not None and known.covel_root:
            covel_root = known.covel_root
        self.inspector.open(location, covel_root, address or (known.address if known else ""))

    @Slot(str)
    def open_again(self, location: str) -> None:
        """Open a recent or a found source."""
        self.open(location)

    def ask_for_file(self) -> None:
        """Let the reader choose a file."""
        text = self._wording.text
        folder = str(Path(self.inspector.location).parent) if self.inspector.location else ""
        kinds = f"{text(say('Story databases'))} (*.db *.sqlite *.sqlite3);;{text(say('All files'))} (*)"
        chosen, _ = QFileDialog.getOpenFileName(self, text(say("Open a story database")), folder, kinds)
        if chosen:
            self.open(chosen)

    def ask_for_root(self) -> None:
        """Let the reader choose the folder that bodies, segments and worlds are read from."""
        title = self._wording.text(say("Choose a Covel checkout or home folder"))
        chosen = QFileDialog.getExistingDirectory(self, title, self.inspector.covel_root)
        if chosen and self.inspector.location:
            self.open(self.inspector.location, chosen, self.inspector.address_text)

    def open_sample(self) -> None:
        """Open the story that comes with the program."""
        location, root = sample()
        self.open(location, root)

    def close_file(self) -> None:
        """Close what is open and show the welcome page."""
        self._remember_place()
        self.inspector.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember everything, then end the work of the background."""
        self._remember_place()
        state = self.inspector.state
        self.settings.mode = state.mode.value
        if state.target.is_lasting:
            self.settings.target = state.target.kind.value
        self.settings.compare_view = dict(self.compare.export_state())
        self.settings.panels = self.bottom.export_state()
        keep_layout(self, self.panels, self.settings)
        self.experiments.close()
        self.inspector.close()
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A single local file or folder may be dropped."""
        if len(event.mimeData().urls()) == 1 and event.mimeData().urls()[0].isLocalFile():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        event.acceptProposedAction()
        self.open(event.mimeData().urls()[0].toLocalFile())

    def _remember_place(self) -> None:
        inspector = self.inspector
        if inspector.location and inspector.state.facts is not None:
            remember(self.settings, Recent(inspector.location, inspector.covel_root, inspector.address_text))

    # Following the inspector

    @Slot()
    def _follow_source(self) -> None:
        is_open = self.inspector.state.facts is not None
        if is_open:
            self._remember_place()
        self.pages.setCurrentWidget(self.whole if is_open else self.welcome)
        self.tool_bar.setVisible(is_open)
        self.compare.show_sides(None)
        self.welcome.show_places(self.settings.recent, [] if is_open else found_databases())
        self.recent_menu.show_places(self.settings.recent)
        self._follow_spot()
        if is_open:
            self.story.focus_list()

    @Slot()
    def _follow_spot(self) -> None:
        state = self.inspector.state
        self.commands.enable(source=state.facts is not None, call=state.call is not None)
        self.tool_bar.say_again()
        self._say_title()
        self._follow_outdated()

    @Slot()
    def _follow_outdated(self) -> None:
        """Nobody should take what is still shown for what is chosen."""
        state = self.inspector.state
        for veil in self.veils:
            if not self.inspector.is_outdated or state.spot is None:
                veil.lift()
            else:
                is_first = veil is self.veils[0]
                veil.fall(self.said(say("Reading turn {turn} …", turn=state.spot.turn)) if is_first else "")

    @Slot()
    def _follow_choices(self) -> None:
        """Tick what is chosen."""
        state, settings = self.inspector.state, self.settings
        self.commands[f"with-{state.target.kind.value}"].setChecked(True)
        self.commands[state.mode.value].setChecked(True)
        # A settings file may hold a value that no menu has: then the system's is ticked.
        for choice, value in (("theme", settings.theme), ("language", settings.language)):
            known = f"{choice}-{value}"
            has_it = any(command.id == known for command in COMMANDS)
            self.commands[known if has_it else f"{choice}-system"].setChecked(True)
        self.commands["show-story"].setChecked(not self.story.isHidden())
        self.commands["show-why"].setChecked(not self.why.isHidden())
        self.commands["show-panels"].setChecked(self.bottom.is_open)
        self.commands[COUNT_COMMAND].setChecked(SideCounts.of(self.inspector).is_on)
        self.compare.offer_counts(is_offered=not SideCounts.of(self.inspector).is_on)
        self.compare.set_mode(state.mode)

    @Slot(object)
    def _show_prepared(self, prepared: Prepared) -> None:
        self.compare.show_sides(prepared)

    @Slot(object)
    def _show_failure(self, trouble: Failure) -> None:
        here = self.inspector.address_text
        self.compare.show_sides(Prepared(None, Side(here, plain(here), message=trouble.sentence)))

    @Slot(object)
    def _show_open_failure(self, trouble: Failure) -> None:
        if self.inspector.state.facts is not None:
            tried, still_open = self.inspector.tried, self.inspector.location
            not_opened_dialog(self, self._wording, tried, still_open, trouble.sentence).open()
            return
        self.welcome.show_trouble(self.inspector.tried, trouble.sentence)
        self.pages.setCurrentWidget(self.welcome)

    @Slot(object)
    def _select(self, selected: Selection) -> None:
        self.inspector.state.select(selected)

    @Slot()
    def _apply_theme(self) -> None:
        self.compare.apply_theme(self._theme.colours)

    @Slot()
    def _say_again(self) -> None:
        self.compare.apply_wording()
        self.panels.setAccessibleName(self._wording.text(say("Story, request and reasons")))
        self._say_title()

    def _say_title(self) -> None:
        inspector = self.inspector
        name = Path(inspector.location).name
        pieces = [inspector.address_text, name] if inspector.state.facts is not None else []
        self.setWindowTitle(" – ".join([*filter(None, pieces), "covel-inspector"]))

    # What commands and links do

    def focus_story(self) -> None:
        """The keyboard goes to the story, shown or not before."""
        self._show_panel("story_shown", shown=True)
        self.story.focus_list()

    def focus_filter(self) -> None:
        """The keyboard goes to the filter."""
        self._show_panel("story_shown", shown=True)
        self.story.focus_filter()

    def focus_why(self) -> None:
        """The keyboard goes to the reasons."""
        self._show_panel("why_shown", shown=True)
        self.why.focus_page()

    def turn_story_panel(self) -> None:
        """Show or hide the story."""
        self._show_panel("story_shown", shown=self.story.isHidden())

    def turn_why_panel(self) -> None:
        """Show or hide the reasons."""
        self._show_panel("why_shown", shown=self.why.isHidden())

    def turn_bottom(self) -> None:
        """Show or hide the panels at the bottom."""
        self.bottom.set_open(is_open=not self.bottom.is_open)

    def turn_counting(self) -> None:
        """Count with tokenizers, or no longer."""
        self.settings.count_tokens = not self.settings.count_tokens
        SideCounts.of(self.inspector).switch(is_on=self.settings.count_tokens)

    def _show_panel(self, setting: str, *, shown: bool) -> None:
        setattr(self.settings, setting, shown)
        (self.story if setting == "story_shown" else self.why).setVisible(shown)
        self._follow_choices()

    def step_difference(self, by: int) -> None:
        """To the next or previous difference; a word when there is none."""
        found = self.compare.next_difference() if by > 0 else self.compare.previous_difference()
        if not found:
            no_more = (
                say("There is no difference further down.") if by > 0 else say("There is no difference further up.")
            )
            self.status.notice(no_more)

    def choose_target(self) -> None:
        """A call to compare with; until it is chosen the menu ticks what is in force."""
        self._follow_choices()
        self.choosers.choose_target()

    def copy_address(self) -> None:
        """The address of the call, to the clipboard."""
        self.links.copy(self.inspector.address_text)

    def show_problems(self) -> None:
        """What lint found, and what could not be read as it should."""
        self.bottom.show_panel("problems")

    def show_shortcuts(self) -> None:
        """All keys."""
        self._show(shortcuts_dialog(self, self._wording, self.commands))

    def show_filter_help(self) -> None:
        """The filter's language."""
        self._show(filter_dialog(self, self._wording))

    def show_about(self) -> None:
        """Versions and promises."""
        self._show(about_dialog(self, self._wording))

    def _show(self, dialog: QDialog) -> None:
        if isinstance(dialog, TableDialog):
            dialog.address_wanted.connect(self.inspector.go)
        dialog.open()
