"""How the parts of a panel share its room, as plain values that are kept in the settings."""

from PySide6.QtWidgets import QSplitter

_MOST = 20_000


class KeptSizes:
    """The sizes of a splitter's parts in pixels, shared alike in another width.

    While a part is hidden, or before the first showing, what was last known is kept.
    """

    def __init__(self, splitter: QSplitter) -> None:
        self._splitter = splitter
        self._known: list[int] = []

    @property
    def sizes(self) -> list[int]:
        """What the parts have; empty as long as nothing is known."""
        sizes = [int(size) for size in self._splitter.sizes()]
        if all(size > 0 for size in sizes):
            self._known = sizes
        return self._known

    def put_back(self, sizes: object) -> None:
        """Give the parts what :attr:`sizes` told; anything damaged is left aside."""
        if (
            isinstance(sizes, list)
            and len(sizes) == self._splitter.count()
            and all(type(size) is int and 0 < size <= _MOST for size in sizes)
        ):
            self._known = list(sizes)
            self._splitter.setSizes(sizes)
