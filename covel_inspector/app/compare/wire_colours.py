"""The colours of a line of JSON: pygments finds the tokens, the theme has the colours. Pure, without Qt."""

import re
from collections.abc import Iterator

from pygments.lexers.data import JsonLexer
from pygments.token import Keyword, Name, Number, Punctuation, _TokenType

from covel_inspector.app.theme_colours import Colours

_LEXER = JsonLexer()
_ESCAPES = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")
_OPENING = re.compile(r'^\s*(?:"(?:[^"\\]|\\.)*": )?"')
"""A key, if any, and the quote that opens a string value."""

_ROLES: tuple[tuple[_TokenType, str], ...] = (
    (Name.Tag, "link"),
    (Number, "changed_mark"),
    (Keyword, "moved_mark"),
    (Punctuation, "quiet"),
)

Coloured = tuple[int, int, str]
"""Start and end in the line, and the name of a colour of the theme."""


def colours_of_line(line: str, *, starts_inside: bool, ends_inside: bool) -> Iterator[Coloured]:
    """The stretches of a line that are not painted in the colour of ordinary text.

    ``starts_inside`` and ``ends_inside``: the line's beginning and end lie inside a string.
    """
    if starts_inside:
        yield from _escapes(line, 0)
        return
    opening = _OPENING.match(line) if ends_inside else None
    if opening is not None:
        # The lexer would call a string without an end a mistake: it gets the key alone.
        yield from _tokens(line[: opening.end() - 1])
        yield from _escapes(line, opening.end())
        return
    yield from _tokens(line)


def colour_value(colours: Colours, role: str) -> str:
    """The colour of a role in a theme, ``#rrggbb``."""
    return str(getattr(colours, role))


def _tokens(line: str) -> Iterator[Coloured]:
    found: Iterator[tuple[int, _TokenType, str]] = _LEXER.get_tokens_unprocessed(line)  # type: ignore[no-untyped-call]
    for start, token, value in found:  # The ignore: pygments' stubs leave this method of this lexer untyped.
        role = next((role for kind, role in _ROLES if token[: len(kind)] == kind), "")
        if role:
            yield start, start + len(value), role
        elif value.startswith('"') and "\\" in value:
            yield from ((first + start, last + start, found) for first, last, found in _escapes(value, 0))


def _escapes(line: str, position: int) -> Iterator[Coloured]:
    """Escapes are quieter than the words around them."""
    for match in _ESCAPES.finditer(line, position):
        yield match.start(), match.end(), "quiet"
