"""Segment trees from short sketches: ``{"system": {"body": "text", "lore:x": "text"}, "messages": {...}}``.

A text makes a leaf, a mapping a branch. The system prompt is one part, each child of the messages another. The kind
comes from the key's first word; ``user|text`` gives a message its role.
"""

from collections.abc import Mapping
from typing import Any

from covel_inspector.domain import Boundary, Field, Group, Kind, Part, Place, Request, Segment, SegmentTree, plain

Sketch = Mapping[str, Any]

_KINDS = {
    "segment": Kind.EXTENSION,
    "separator": Kind.SEPARATOR,
    "mark": Kind.MARK,
    "note": Kind.NOTE,
    **{kind.value: kind for kind in Kind},
}


class _Sketcher:
    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.texts: list[str] = []

    def group(self, group: Group, sketch: Sketch) -> Segment:
        children = []
        if group is Group.MESSAGES:
            for index, (key, value) in enumerate(sketch.items()):
                children.append(self._message(group, index, key, value))
        else:
            number = len(self.parts)
            self.texts = []
            role = "system" if group is Group.SYSTEM else ""
            children = [self._segment(key, value, number, role) for key, value in sketch.items()]
            self.parts.append(Part(group, 0, 0, Field.CONTENT, "".join(self.texts), role))
        return Segment(group.value, Kind.GROUP, plain(group.value), children=tuple(children))

    def _message(self, group: Group, index: int, key: str, value: Any) -> Segment:
        if isinstance(value, dict):
            children = tuple(self._message(group, index, child, text) for child, text in value.items())
            return Segment(key, _kind(key), plain(key), children=children)
        role, bar, text = value.partition("|")
        if not bar:
            role, text = "user", value
        self.texts = []
        leaf = self._segment(key, text, len(self.parts), role)
        self.parts.append(Part(group, index, 0, Field.CONTENT, text, role))
        return leaf

    def _segment(self, key: str, value: Any, part: int, role: str) -> Segment:
        if isinstance(value, dict):
            children = tuple(self._segment(child, text, part, role) for child, text in value.items())
            return Segment(key, _kind(key), plain(key), children=children)
        start = sum(map(len, self.texts))
        self.texts.append(value)
        return Segment(key, _kind(key), plain(key), value, Place(part, start, start + len(value)), role=role)


def _kind(key: str) -> Kind:
    return _KINDS.get(key.partition(":")[0], Kind.BODY)


def sketched(sketch: Sketch, *boundaries: Boundary) -> SegmentTree:
    """The tree of a sketch; its keys are groups."""
    sketcher = _Sketcher()
    groups = tuple(sketcher.group(group, sketch[group.value]) for group in Group if group.value in sketch)
    return SegmentTree(Request(tuple(sketcher.parts)), groups, boundaries)


def system(**segments: Any) -> SegmentTree:
    """A tree of a system prompt alone; ``__`` in a name stands for a colon."""
    return sketched({"system": {key.replace("__", ":"): value for key, value in segments.items()}})
