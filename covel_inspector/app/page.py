"""A page of answers as plain values: a title, facts, sentences and links. Pure; a page view draws it."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain import Kind, Place, Sentence, say


class LinkTo(StrEnum):
    """What a link does."""

    FILE = "file"
    ADDRESS = "address"
    COPY = "copy"
    COMMAND = "command"
    PLACE = "place"
    """To a call, and in its request to a place or a segment."""
    PANEL = "panel"
    """To a panel at the bottom of the window, and in it to an item."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link: ``target`` is a path, an address, a text to copy, a command's id, or a panel's id.

    ``place`` is, for PLACE, a place in the request at the address or the key of a segment in it; for PANEL the key of
    the item, empty for none.
    """

    to: LinkTo
    target: str
    text: Sentence
    place: Place | str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the table: a label, what is known, and links behind it.

    ``is_chain``: each link leads on from the one before it, as from a file to a variable in it to a row. ``is_above``:
    the label is long, and stands above what is known.
    """

    label: Sentence
    value: Sentence | None = None
    links: tuple[Link, ...] = ()
    is_chain: bool = False
    is_above: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not in the request, and why."""

    title: Sentence
    kind: Sentence
    why: Sentence
    text: str
    colour_of: Kind


@dataclass(frozen=True, slots=True)
class Page:
    """Everything a page view shows, from above."""

    title: Sentence
    kind: Kind | None = None
    lead: tuple[Sentence, ...] = ()
    """The answer in short, before the table."""
    facts: tuple[Fact, ...] = ()
    paragraphs: tuple[Sentence, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    quote: str = ""
    """A text of the story or of a file, shown as it is."""
    left_out: tuple[LeftOut, ...] = ()
    links: tuple[Link, ...] = ()
    count_text: str = ""
    """Text whose tokens a tokenizer is to count; empty when there is none."""
    model: str = ""
    """The model whose tokenizer would be right."""


NOTHING = Page(say("Nothing selected"), paragraphs=(say("Choose a turn to see what the model saw, and why."),))


def listed(pieces: list[Sentence]) -> Sentence:
    """Several short sentences as one, with commas between them. There must be at least one."""
    joined = pieces[0]
    for piece in pieces[1:]:
        joined = say("{first}, {next}", first=joined, next=piece)
    return joined
