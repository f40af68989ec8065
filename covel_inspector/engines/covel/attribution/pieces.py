"""The system prompt cut at the engine's cache marks. Follows the reference on attribution, section 3, step 1."""

from collections.abc import Sequence
from dataclasses import dataclass

from covel_inspector.domain import Boundary, Grade, Kind, Place, Sentence, Setter, say
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.records.naming import SENTINEL, TITLES

PREAMBLE, BODY, STABLE, LORE, TAIL, OPEN = "preamble", "body", "stable", "lore", "tail", ""
"""What a piece was recognised as; OPEN = not recognised, or a prompt without marks."""

_JOINT = "\n\n"
_MOST_MARKS = 4
_REASON = say("the engine's own cache mark")
_NOTES: dict[str, Sentence] = {
    PREAMBLE: say("The engine lets the provider keep everything up to the end of the preamble."),
    BODY: say("The engine lets the provider keep everything up to the end of the runtime body."),
    STABLE: say("The engine lets the provider keep everything up to the end of the stable and session segments."),
    LORE: say("The engine lets the provider keep everything up to the end of the lorebook behind the body."),
    OPEN: say("The engine lets the provider keep everything up to here."),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch between cache marks. ``mark`` is the offset of the mark behind it, -1 for the tail."""

    start: int
    end: int
    mark: int

    @property
    def is_empty(self) -> bool:
        """True when the piece holds nothing."""
        return self.start >= self.end


def cut(text: str) -> list[Piece]:
    """The pieces of a system prompt: the joint behind a mark belongs to no piece. Only the full sentinel cuts."""
    pieces: list[Piece] = []
    position = 0
    while True:
        mark = text.find(SENTINEL, position)
        start = position
        if position and text.startswith(_JOINT, position):
            start = position + len(_JOINT)
        if mark < 0:
            if start < len(text) or not pieces:
                pieces.append(Piece(start, len(text), -1))
            return pieces
        pieces.append(Piece(min(start, mark), mark, mark))
        position = mark + len(SENTINEL)


def has_foreign_marks(text: str, pieces: Sequence[Piece]) -> bool:
    """Whether a text in the prompt holds a cache mark of its own, so that pieces may not be what they seem.

    The engine writes at most four, each behind a text and before a blank line or the end.
    """
    marks = [piece.mark + len(SENTINEL) for piece in pieces if piece.mark >= 0]
    return len(marks) > _MOST_MARKS or any(end < len(text) and not text.startswith(_JOINT, end) for end in marks)


def mark_claim(piece: Piece, name: str, number: int) -> Claim:
    """The claim of the mark behind a piece; ``number`` counts marks from 1."""
    label = Label(f"mark:{name or number}", Kind.MARK, TITLES[Kind.MARK], Grade.STRUCTURAL, _REASON)
    return Claim(piece.mark, piece.mark + len(SENTINEL), label)


def boundary(piece: Piece, name: str, number: int, part: int) -> Boundary:
    """The cache boundary behind the mark of a piece."""
    at = piece.mark + len(SENTINEL)
    return Boundary(number, Place(part, at, at), Setter.ENGINE, _NOTES.get(name, _NOTES[OPEN]))
