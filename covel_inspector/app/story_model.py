"""The story as rows: sessions, and below them their turns. Values are ready to draw; ``data`` only looks them up."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from statistics import median
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from covel_inspector.app.picking import Lists, cached_share
from covel_inspector.app.plain_text import tip
from covel_inspector.app.story_filter import StoryFilter, TurnFacts
from covel_inspector.app.wording import Wording, percent
from covel_inspector.domain import Event, Sentence, Session, Turn, TurnKind, say
from covel_inspector.report.terminal import one_line

AnyIndex = QModelIndex | QPersistentModelIndex

UNUSUAL = 0.15
"""A turn whose cached share is that much below the median of its session is worth a second look."""

CACHED_MEANING: Sentence = say(
    "Share of what all calls of the turn sent together that the provider read from its cache, as it reported"
)
"""What the figures in per cent are."""

EVENT_TITLES: dict[Event, Sentence] = {
    Event.COMPACTED: say("history was compacted"),
    Event.PRUNED: say("history was pruned"),
    Event.FAILED: say("something failed"),
    Event.RETRIED: say("a call was retried"),
    Event.SUSPENDED: say("a runtime was suspended"),
    Event.HOOK_REWROTE: say("a hook rewrote the request"),
}


class Role(IntEnum):
    """What a row carries beside its text."""

    ROW = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class StoryRow:
    """One row, finished: what the delegate draws and what a screen reader says."""

    session: str
    number: str
    """Number of the turn; empty for a session's row."""
    text: str
    detail: str = ""
    cached: str = ""
    low: bool = False
    quiet: bool = False
    marks: tuple[Event, ...] = ()
    spoken: str = ""
    tip: str = ""


@dataclass(slots=True)
class _Node:
    session: Session
    row: StoryRow
    children: list[StoryRow]
    loaded: bool


class StoryModel(QAbstractItemModel):
    """Sessions and turns. A session's turns are asked for (``session_wanted``) when it is opened first."""

    session_wanted = Signal(str)

    def __init__(self, wording: Wording, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._nodes: list[_Node] = []
        self._asked: set[str] = set()

    def show(self, sessions: Sequence[Session], lists: dict[str, Lists], chosen: StoryFilter) -> None:
        """Everything anew: another source, another filter, another language."""
        self.beginResetModel()
        self._asked.clear()
        self._nodes = []
        for session in sessions:
            known = lists.get(session.id)
            children = self._rows(known, chosen) if known else []
            if known and chosen.active and not children:
                continue
            self._nodes.append(_Node(session, self._session_row(session), children, known is not None))
        self.endResetModel()

    def add(self, lists: Lists, chosen: StoryFilter) -> None:
        """The turns of a session were read."""
        place = self.place(lists.session.id)
        if place < 0:
            return
        node = self._nodes[place]
        parent = self.index(place, 0)
        if node.children:
            self.beginRemoveRows(parent, 0, len(node.children) - 1)
            node.children = []
            self.endRemoveRows()
        node.loaded = True
        rows = self._rows(lists, chosen)
        if rows:
            self.beginInsertRows(parent, 0, len(rows) - 1)
            node.children = rows
            self.endInsertRows()
        self.dataChanged.emit(parent, parent)

    def place(self, session: str) -> int:
        """Row of a session; -1 when it is not shown."""
        return next((place for place, node in enumerate(self._nodes) if node.session.id == session), -1)

    def index_of(self, session: str, turn: str) -> QModelIndex:
        """Index of a turn; invalid when it is not shown."""
        place = self.place(session)
        if place < 0:
            return QModelIndex()
        for row, child in enumerate(self._nodes[place].children):
            if child.number == turn:
                return self.index(row, 0, self.index(place, 0))
        return QModelIndex()

    def row(self, index: AnyIndex) -> StoryRow | None:
        """What stands at an index."""
        if not index.isValid():
            return None
        parent = index.internalId()
        if parent == 0:
            return self._nodes[index.row()].row if index.row() < len(self._nodes) else None
        children = self._nodes[parent - 1].children
        return children[index.row()] if index.row() < len(children) else None

    @property
    def longest_number(self) -> int:
        """Characters of the longest turn number that is shown, at least two."""
        return max((len(row.number) for node in self._nodes for row in node.children), default=2)

    @property
    def has_shares(self) -> bool:
        """Whether a provider reported a cached part for any turn that is shown."""
        return any(row.cached for node in self._nodes for row in node.children)

    @property
    def shown_turns(self) -> int:
        """Number of turns that passed the filter, over the sessions that are read."""
        return sum(len(node.children) for node in self._nodes)

    # What Qt asks. A turn's index carries the place of its session plus one, a session's carries 0.

    def index(self, row: int, column: int, parent: AnyIndex | None = None) -> QModelIndex:
        if column != 0 or row < 0:
            return QModelIndex()
        if parent is None or not parent.isValid():
            return self.createIndex(row, column, 0) if row < len(self._nodes) else QModelIndex()
        if parent.internalId() != 0 or row >= len(self._nodes[parent.row()].children):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1)

    def parent(self, index: AnyIndex | None = None) -> Any:  # Qt overloads it: QObject's has no argument.
        if index is None:
            return super().parent()
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        if parent is None or not parent.isValid():
            return len(self._nodes)
        if parent.internalId() != 0 or parent.column() != 0:
            return 0
        return len(self._nodes[parent.row()].children)

    def columnCount(self, parent: AnyIndex | None = None) -> int:  # noqa: ARG002 - Qt's signature
        return 1

    def hasChildren(self, parent: AnyIndex | None = None) -> bool:
        if parent is None or not parent.isValid():
            return bool(self._nodes)
        if parent.internalId() != 0:
            return False
        node = self._nodes[parent.row()]
        return bool(node.children) or not node.loaded

    def canFetchMore(self, parent: AnyIndex) -> bool:
        if not parent.isValid() or parent.internalId() != 0:
            return False
        node = self._nodes[parent.row()]
        return not node.loaded and node.session.id not in self._asked

    def fetchMore(self, parent: AnyIndex) -> None:
        if self.canFetchMore(parent):
            session = self._nodes[parent.row()].session.id
            self._asked.add(session)
            self.session_wanted.emit(session)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.number} {row.text}".strip()
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(row.tip)
        return row if role == Role.ROW else None

    # Rows

    def _session_row(self, session: Session) -> StoryRow:
        text = self._wording.text
        count = text(say("{n} turns", n=session.turn_count)) if session.turn_count else ""
        detail = " · ".join(filter(None, (count, session.locale)))
        title = one_line(session.title)
        lines = [title, session.id, session.world, session.created_at]
        if session.turn_count:
            lines.append(text(say("Counted are turns that the player began; background work such as 5+1 is not.")))
        if session.forked_from:
            lines.append(text(say("forked from {session}", session=session.forked_from)))
        return StoryRow(
            session=session.id,
            number="",
            text=title,
            detail=detail,
            spoken=f"{title}, {detail}" if detail else title,
            tip="\n".join(filter(None, lines)),
        )

    def _rows(self, lists: Lists, chosen: StoryFilter) -> list[StoryRow]:
        shares = [cached_share(lists.by_turn.get(turn.number, ())) for turn in lists.turns]
        reported = [share for share in shares if share is not None]
        low = median(reported) - UNUSUAL if reported else 0.0
        return [
            self._turn_row(turn, share, is_low=share is not None and share < low)
            for turn, share in zip(lists.turns, shares, strict=True)
            if chosen.fits(TurnFacts(turn, share))
        ]

    def _turn_row(self, turn: Turn, share: float | None, *, is_low: bool) -> StoryRow:
        text = self._wording.text
        line = one_line(turn.line)
        quiet = not line
        if quiet:
            line = text(say("background") if turn.kind is TurnKind.BACKGROUND else say("(no player line)"))
        cached = percent(share) if share is not None else ""
        events = [text(EVENT_TITLES[event]) for event in turn.events]
        spoken = [text(say("turn {turn}", turn=turn.number)), line]
        if cached:
            spoken.append(text(say("{share} of the input cached", share=cached)))
        spoken.extend(events)
        lines = [line, *events, text(say("{n} calls", n=turn.call_count)), ", ".join(turn.runtimes)]
        if cached:
            lines.append(f"{cached}: {text(CACHED_MEANING)}")
        if turn.note is not None:
            lines.append(text(turn.note))
        elif quiet and turn.kind is TurnKind.PLAYER:
            lines.append(text(say("No row holds what the player wrote in this turn.")))
        return StoryRow(
            session=turn.session,
            number=turn.number,
            text=line,
            cached=cached,
            low=is_low,
            quiet=quiet or turn.call_count == 0,
            marks=turn.events,
            spoken=", ".join(spoken),
            tip="\n".join(filter(None, lines)),
        )
