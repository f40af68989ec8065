"""The single template pass over a runtime's body. Follows the reference on the assembler, section 7."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from covel_inspector.engines.covel.assembler.escaping import escape
from covel_inspector.engines.covel.assembler.pieces import TemplatePart
from covel_inspector.engines.covel.javascript import trim

_OPEN_TAG = re.compile(r"^<([A-Za-z][A-Za-z0-9_-]*)>", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Variable:
    """A place holder in a template: ``{{ path }}`` from ``start`` to ``end``, in code points."""

    path: str
    start: int
    end: int


def find_variables(template: str) -> Iterator[Variable]:
    """The variables of a template, leftmost first, without overlap. Paths are trimmed."""
    position = 0
    while True:
        start = template.find("{{", position)
        if start < 0:
            return
        close = template.find("}", start + 2)
        if close < 0:
            return
        # One or more characters that are no closing brace, then two closing braces.
        if close > start + 2 and template.startswith("}}", close):
            yield Variable(trim(template[start + 2 : close]), start, close + 2)
            position = close + 2
        else:
            position = start + 1


def tagged_blocks(template: str) -> list[tuple[int, int]]:
    """The stretches between a tag that starts a line and its next close tag; a tag that is never closed opens none."""
    blocks: list[tuple[int, int]] = []
    position = 0
    while found := _OPEN_TAG.search(template, position):
        close = template.find(f"</{found[1]}>", found.end())
        if close < 0:
            position = found.end()
            continue
        blocks.append((found.end(), close))
        position = close
    return blocks


def fill(template: str, value_of: Callable[[str], tuple[str, bool]]) -> tuple[TemplatePart, ...]:
    """The template in parts. ``value_of`` gives a path's text, and whether that text is inserted as it stands.

    Values inside tagged blocks are escaped unless they are inserted as they stand.
    """
    blocks = tagged_blocks(template) if "{{" in template else []
    parts: list[TemplatePart] = []
    position = 0
    for variable in find_variables(template):
        if variable.start > position:
            parts.append(TemplatePart(template[position : variable.start]))
        text, given = value_of(variable.path)
        inside = any(first <= variable.start < last for first, last in blocks)
        if inside and not given:
            text = escape(text)
        parts.append(TemplatePart(text, variable.path, escaped=inside and not given, given=given))
        position = variable.end
    if position < len(template):
        parts.append(TemplatePart(template[position:]))
    return tuple(parts)
