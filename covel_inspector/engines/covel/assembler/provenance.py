"""Where an input of the assembler came from."""

from dataclasses import dataclass
from typing import Any

from covel_inspector.domain import Grade, Origin, Sentence

Json = Any
"""A decoded JSON value."""

_NO_ORIGIN = Origin()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the caller took an input from, and how sure it is. It ends up in the segment made of that input.

    ``reason`` replaces the assembler's own one-line reason; ``notes`` come before the assembler's notes.
    """

    origin: Origin = _NO_ORIGIN
    grade: Grade = Grade.EXACT
    reason: Sentence | None = None
    notes: tuple[Sentence, ...] = ()


NOWHERE = Provenance()
"""Nothing is known about where an input came from."""
