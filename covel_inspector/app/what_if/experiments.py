"""What the reader tries out: from a segment in the tree to a change of the request, and back.

The story database is never written: changes live in the state, drafts in files of their own.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QInputDialog, QWidget

from covel_inspector.analysis.pairs import Pair
from covel_inspector.app.inspector import Inspector
from covel_inspector.app.state import AS_IT_WAS, Selection
from covel_inspector.app.targets import TargetKind
from covel_inspector.app.what_if import changing
from covel_inspector.app.what_if.draft_files import DraftFiles
from covel_inspector.app.what_if.editor import TextEditor
from covel_inspector.app.what_if.external import ExternalDraft, OpenFile
from covel_inspector.app.wording import Wording
from covel_inspector.app.work import Failure
from covel_inspector.domain import Absent, Address, Kind, Segment, Sentence, Source, say

_DEEPEST = 200


class Experiments(QObject):
    """Changes the state by the reader's wish. Lives as long as the window."""

    noticed = Signal(object)
    """Sentence for the status bar."""
    editor_opened = Signal(object)
    """The TextEditor that was just opened."""

    def __init__(
        self, window: QWidget, inspector: Inspector, wording: Wording, open_file: OpenFile | None = None
    ) -> None:
        super().__init__(window)
        self._window, self._inspector, self._wording = window, inspector, wording
        self._open_file = open_file
        self._outside: dict[tuple[str, str], ExternalDraft] = {}
        self._location = ""
        self.drafts = DraftFiles(window, inspector, wording)
        self.drafts.noticed.connect(self.noticed)
        inspector.state.source_changed.connect(self._follow_source)

    @property
    def outside(self) -> tuple[ExternalDraft, ...]:
        """Texts that are open in an editor of the reader's own."""
        return tuple(self._outside.values())

    # What can be asked of a selection

    def segment_of(self, selected: Selection) -> Segment | None:
        """The segment of the call at hand that is meant, as it was; None when there is none that can be changed."""
        if not isinstance(selected, Pair):
            return None
        is_what_if = self._inspector.state.target.kind is TargetKind.WHAT_IF
        segment = selected.a or selected.b if is_what_if else selected.b
        return segment if segment is not None and segment.kind not in changing.FIXED else None

    @Slot()
    def leave_out(self) -> None:
        """The request without the selected segment; once more puts it back."""
        segment = self._chosen()
        if segment is None:
            return
        changes = self._inspector.state.changes
        is_out = segment.key in changes.without
        change = changing.put_back if is_out else changing.leave_out
        self._inspector.state.set_changes(change(changes, segment.key))

    @Slot()
    def edit_text(self) -> None:
        """Open the editor on the selected segment; for a part of the body, on the body's template where it is known."""
        segment = self._chosen()
        desk, spot = self._inspector.desk, self._inspector.state.spot
        if segment is None or desk is None:
            return
        if not changing.has_one_text(segment):
            self.noticed.emit(say("This stands for several messages; edit one of them."))
            return
        if segment.kind is Kind.BODY and spot is not None and spot.address is not None:
            job = partial(_template, address=spot.address)
            desk.ask(job, partial(self._edit_body, segment), partial(self._edit_body_without, segment), "template")
            return
        changes = self._inspector.state.changes
        text = changing.changed_text(changes, segment)
        title = say("What if: another text for {name}", name=segment.title)
        runtime = self._inspector.state.runtime
        self._open(
            title, segment.whole_text if text is None else text, partial(self._take_text, runtime, segment), segment.key
        )

    def force_lore(self, selected: Selection, *, is_on: bool | None) -> None:
        """A lorebook entry in or out, whatever its keys say; None: as they say."""
        key = lore_key(selected)
        if key:
            state = self._inspector.state
            state.set_changes(changing.force_lore(state.changes, key, is_on=is_on))

    @Slot()
    def ask_depth(self) -> None:
        """Ask how many messages from the end the selected lorebook entry is to stand."""
        key = lore_key(self._inspector.state.selected)
        if not key:
            return
        title, question = say("What if: the entry at a depth"), say("Messages from the end (0: behind the last one)")
        text = self._wording.text
        known = dict(self._inspector.state.changes.lore_depth).get(key, changing.TRIED_DEPTH)
        depth, is_given = QInputDialog.getInt(self._window, text(title), text(question), known, 0, _DEEPEST)
        if is_given:
            state = self._inspector.state
            state.set_changes(changing.lore_at_depth(state.changes, key, depth))

    @Slot(str)
    def run(self, wish: str) -> None:
        """What a menu asks for: the name of one of the wishes below, for what is selected."""
        selected = self._inspector.state.selected
        wishes: dict[str, Callable[[], None]] = {
            "leave-out": self.leave_out,
            "edit-text": self.edit_text,
            "lore-on": partial(self.force_lore, selected, is_on=True),
            "lore-off": partial(self.force_lore, selected, is_on=False),
            "lore-usual": partial(self.force_lore, selected, is_on=None),
            "lore-depth": self.ask_depth,
        }
        wishes[wish]()

    @Slot()
    def reset(self) -> None:
        """Everything as it was."""
        self._inspector.state.set_changes(AS_IT_WAS)
        self._inspector.state.leave_what_if()

    @Slot()
    def open_draft(self) -> None:
        """Take changes over from a file."""
        self.drafts.ask_to_open()

    @Slot()
    def save_draft(self) -> None:
        """Write the changes into a file of their own."""
        self.drafts.ask_to_save()

    @Slot()
    def close(self) -> None:
        """Take the temporary files away."""
        for draft in self._outside.values():
            draft.close()
            draft.deleteLater()
        self._outside.clear()

    # Inside

    @Slot()
    def _follow_source(self) -> None:
        """Texts outside belong to the file that was open; reading it again keeps them."""
        location = self._inspector.location
        if location and location != self._location:
            self._location = location
            self.close()

    def _chosen(self) -> Segment | None:
        segment = self.segment_of(self._inspector.state.selected)
        if segment is None:
            self.noticed.emit(say("Select a segment of this request that can be changed."))
        return segment

    def _edit_body(self, segment: Segment, template: str | None) -> None:
        runtime = self._inspector.state.runtime
        if template is None:
            # Without its file only the text that was sent is known, variables filled in.
            whole = replace(segment, key="body") if segment.key != "body" else segment
            changed = changing.changed_text(self._inspector.state.changes, whole)
            title = say("What if: another body (as it was sent)")
            self._open(title, changed or segment.whole_text, partial(self._take_text, runtime, segment), segment.key)
            return
        text = self._inspector.state.changes.body
        title = say("What if: another body for {runtime}", runtime=runtime)
        self._open(title, template if text is None else text, partial(self._take_body, runtime, template), "body")

    def _edit_body_without(self, segment: Segment, _trouble: Failure) -> None:
        self._edit_body(segment, None)

    def _open(self, title: Sentence, text: str, take: Callable[[str], None], key: str) -> None:
        remark = say("Nothing is written to the story: the changed request is only shown.")
        editor = TextEditor(self._window, self._wording, title, text, remark)
        editor.applied.connect(take)
        editor.external_wanted.connect(partial(self._open_outside, key, take))
        editor.open()
        self.editor_opened.emit(editor)

    def _open_outside(self, key: str, take: Callable[[str], None], text: str) -> None:
        place = (self._inspector.state.runtime, key)
        old = self._outside.pop(place, None)
        if old is not None:
            old.close()
            old.deleteLater()
        try:
            draft = ExternalDraft(key, text, self)
        except OSError as error:
            self.noticed.emit(say("No temporary file can be written: {why}", why=str(error)))
            return
        draft.saved.connect(take)
        draft.failed.connect(self.noticed)
        self._outside[place] = draft
        if draft.show(self._open_file):
            self.noticed.emit(say("Each time {file} is saved, the request follows.", file=draft.file.name))
        else:
            self.noticed.emit(say("No editor opened. Edit {file}: the request follows it.", file=str(draft.file)))
        take(text)

    def _take_text(self, runtime: str, segment: Segment, text: str) -> None:
        state = self._inspector.state
        state.set_changes(changing.with_text(state.changes_of(runtime), segment, text), runtime)

    def _take_body(self, runtime: str, template: str, text: str) -> None:
        state = self._inspector.state
        body = None if text == template else text
        state.set_changes(replace(state.changes_of(runtime), body=body), runtime)


def lore_key(selected: Selection) -> str:
    """The key of a lorebook entry that is selected, in the request or left out; empty for anything else."""
    if isinstance(selected, Absent):
        return selected.key if selected.kind is Kind.LORE else ""
    if isinstance(selected, Pair) and selected.kind is Kind.LORE:
        return selected.key
    return ""


def _template(source: Source, *, address: Address) -> str | None:
    report = source.template(address)
    return report.template if report is not None else None
