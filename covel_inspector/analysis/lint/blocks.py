"""Tags in prompts: a tag at the start of a line opens a block, up to its close tag."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_OPEN = re.compile(r"^<([A-Za-z][A-Za-z0-9_-]*)>", re.MULTILINE)
_VOID = frozenset({"br", "hr", "img", "input", "p", "li"})
"""Tags of HTML that are commonly left open."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag that opens a line. ``start`` counts code points. ``stands_alone``: nothing follows on its line."""

    name: str
    start: int
    is_closed: bool
    stands_alone: bool


def outer_tags(text: str) -> Iterator[Tag]:
    """The tags that open a line, outermost ones only; one that is never closed holds nothing."""
    position = 0
    while found := _OPEN.search(text, position):
        name = found[1]
        close = text.find(f"</{name}>", found.end())
        line_end = text.find("\n", found.end())
        rest = text[found.end() : line_end if line_end >= 0 else len(text)]
        yield Tag(name, found.start(), close >= 0 or name.lower() in _VOID, not rest.strip())
        position = close if close >= 0 else found.end()
