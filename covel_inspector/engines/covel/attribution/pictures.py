"""The message that shows the latest pictures: its parts, and the rows of the pictures. Step k of the reference."""

from collections.abc import Iterable

from covel_inspector.domain import Field, Grade, Kind, Origin, Part, Place, Segment, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.claims import Label
from covel_inspector.engines.covel.attribution.index import IndexedRow, SessionIndex
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.naming import TITLES

_REASON = say("the message of parts before the current line, which only the engine writes")
_PICTURE_TYPES = frozenset({"image", "media"})


def is_pictures(message: KernelMessage) -> bool:
    """True for a user message of parts that holds at least one picture."""
    content = message.content
    return (
        message.role == "user"
        and isinstance(content, list)
        and any(isinstance(part, dict) and part.get("type") in _PICTURE_TYPES for part in content)
    )


def pictures_branch(parts: list[tuple[int, Part]], index: SessionIndex, before: str) -> Segment:
    """The branch of a pictures message. ``before`` is the start of the call: only older pictures can be meant."""
    notes = [row for row in index.rows if row.is_note and (not before or row.committed < before)]
    children: list[Segment] = []
    shown: list[str] = []
    pictures = 0
    row = ""
    for number, part in parts:
        if part.field is Field.TEXT_PART:
            found = _note_of(part.text, notes)
            row = found.row.id if found is not None else ""
            if row:
                shown.append(row)
            key = "pictures:heading" if not children else f"pictures:item:{pictures + 1}"
            title = say("Heading of the pictures") if not children else say("Caption {n}", n=pictures + 1)
        else:
            pictures += 1
            key, title = f"pictures:media:{pictures}", say("Picture {n}", n=pictures)
        label = _label(key, title, [row] if row else [])
        children.append(label.leaf(part.text, Place(number, 0, len(part.text)), part.role))
    return _label("pictures", TITLES[Kind.PICTURES], shown).branch(children, "user")


def _label(key: str, title: Sentence, rows: list[str]) -> Label:
    origin = Origin(table="turn_messages", rows=tuple(rows)) if rows else Origin()
    return Label(key, Kind.PICTURES, title, Grade.STRUCTURAL, _REASON, origin, Volatility.TURN)


def _note_of(text: str, notes: Iterable[IndexedRow]) -> IndexedRow | None:
    """The picture whose caption the text ends with; of several the longest caption, of equal captions none."""
    fitting = [
        (len(caption), note) for note in notes if (caption := caption_of(note.row.ui)) and text.endswith(caption)
    ]
    longest = max((length for length, _ in fitting), default=0)
    found = [note for length, note in fitting if length == longest]
    return found[0] if len(found) == 1 else None


def caption_of(ui: object) -> str:
    """Caption of a picture note's block (else its prompt) in one line; empty when it has neither."""
    block = ui[0] if isinstance(ui, list) and ui and isinstance(ui[0], dict) else {}
    data = block.get("data")
    meta = data.get("meta") if isinstance(data, dict) else None
    caption = (meta.get("caption") or meta.get("prompt")) if isinstance(meta, dict) else None
    return " ".join(caption.split()) if isinstance(caption, str) else ""
