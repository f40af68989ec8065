"""What the compare view remembers between two starts, as plain values."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QSplitter

from covel_inspector.app.compare.pairs_tree import PairsTree
from covel_inspector.app.compare.row_building import RowOptions

_MOST_CHOICES = 400


@dataclass(frozen=True, slots=True)
class ViewState:
    """Splitters as Qt saves them, options, and rows that the reader opened or closed, by path."""

    structure: bytes = b""
    panes: bytes = b""
    options: RowOptions = field(default_factory=RowOptions)
    choices: Mapping[tuple[str, ...], bool] = field(default_factory=dict)

    @classmethod
    def of(cls, structure: QSplitter, panes: QSplitter, tree: PairsTree, options: RowOptions) -> Self:
        """The state of living widgets."""
        return cls(bytes(structure.saveState().data()), bytes(panes.saveState().data()), options, tree.choices())

    @classmethod
    def from_values(cls, values: object) -> Self:
        """Read plain values; whatever is damaged or missing becomes the usual."""
        if not isinstance(values, Mapping):
            return cls()
        usual = RowOptions()
        choices = values.get("open")
        return cls(
            _bytes(values.get("structure")),
            _bytes(values.get("panes")),
            RowOptions(_flag(values.get("quiet"), usual.quiet), _flag(values.get("absent"), usual.absent)),
            _choices(choices) if isinstance(choices, list) else {},
        )

    def as_values(self) -> dict[str, object]:
        """Texts, booleans and lists only."""
        kept = list(self.choices.items())[-_MOST_CHOICES:]
        return {
            "structure": base64.b64encode(self.structure).decode("ascii"),
            "panes": base64.b64encode(self.panes).decode("ascii"),
            "quiet": self.options.quiet,
            "absent": self.options.absent,
            "open": [[is_open, *path] for path, is_open in kept],
        }

    def put_back(self, structure: QSplitter, panes: QSplitter, tree: PairsTree) -> None:
        """Give living widgets this state."""
        for splitter, state in ((structure, self.structure), (panes, self.panes)):
            if state:
                splitter.restoreState(QByteArray(state))
        tree.take_choices(dict(self.choices))


def _bytes(value: object) -> bytes:
    if not isinstance(value, str):
        return b""
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _flag(value: object, usual: bool) -> bool:
    return value if isinstance(value, bool) else usual


def _choices(values: list[object]) -> dict[tuple[str, ...], bool]:
    found: dict[tuple[str, ...], bool] = {}
    for value in values:
        if not isinstance(value, list) or len(value) < 2 or not isinstance(value[0], bool):
            continue
        path = tuple(key for key in value[1:] if isinstance(key, str))
        if len(path) == len(value) - 1:
            found[path] = value[0]
    return found
