"""A request as flat text: what every offset in the product counts in.

A request is a row of parts in wire order (tools, system prompt, messages, response format). Each part is one
string, as it stood in the record or as it was assembled. Joining all parts gives "the text of the request";
an offset is always a part and a number of **code points** in it.
"""

from dataclasses import dataclass
from enum import StrEnum


class Group(StrEnum):
    """The four groups of a request, in the order in which providers hash them."""

    TOOLS = "tools"
    SYSTEM = "system"
    MESSAGES = "messages"
    RESPONSE_FORMAT = "response-format"


class Field(StrEnum):
    """Which field of a message a part holds."""

    CONTENT = "content"
    TEXT_PART = "text-part"
    MEDIA_PART = "media-part"
    REASONING = "reasoning"
    TOOL_CALL = "tool-call"
    CONTINUATION = "continuation"
    DEFINITION = "definition"


@dataclass(frozen=True, slots=True)
class Part:
    """One string of a request.

    ``index`` counts tools, or messages (the system prompt is message 0 of its group), from 0; ``ordinal`` counts
    the parts of one message. A part that was no string in the record holds its compact JSON.
    ``name`` is the tool's name, the message's name, or the id of the call that a tool result answers.
    """

    group: Group
    index: int
    ordinal: int
    field: Field
    text: str
    role: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """All parts of a request in wire order."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """All parts joined without anything between them."""
        return "".join(part.text for part in self.parts)

    @property
    def length(self) -> int:
        """Code points of :attr:`text`."""
        return sum(len(part.text) for part in self.parts)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of one part: ``part`` counts the request's parts, ``start`` and ``end`` its code points."""

    part: int
    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        """Always True: an empty place is a place, so "no place" is None and nothing else."""
        return True
