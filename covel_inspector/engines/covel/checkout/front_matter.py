"""A Markdown file with YAML between two ``---`` lines at its head."""

import re
from dataclasses import dataclass

from covel_inspector.domain import Severity, say
from covel_inspector.engines.covel.checkout.files import Desk, TextFile
from covel_inspector.engines.covel.checkout.yaml_text import YamlDocument, YamlError, parse_yaml
from covel_inspector.engines.covel.javascript import trim_end, trim_start

_OPEN = re.compile(r"---[ \t]*(?:\n|\Z)")
_CLOSE = re.compile(r"^---[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A file taken apart. ``head`` is None when it has no front matter, or none that can be read.

    ``body`` is trimmed as JavaScript trims; ``body_line`` is the line of the file on which it begins.
    """

    file: TextFile
    head: YamlDocument | None
    body: str
    body_line: int
    broken: bool = False
    """True when there is front matter and it could not be read; the reason is reported."""


def read_page(desk: Desk, file: TextFile) -> Page:
    """Take a file apart, and report front matter that has no end, is no YAML or is no mapping."""
    text = file.text
    opened = _OPEN.match(text)
    if opened is None:
        body, line = trimmed_body(text, 0)
        return Page(file, None, body, line)
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        desk.report(Severity.ERROR, file.place(), say("The front matter has no end: a line of three dashes is missing"))
        head = _parsed(desk, file, text[opened.end() :])
        return Page(file, head, "", text.count("\n") + 1, broken=head is None)
    head = _parsed(desk, file, text[opened.end() : closed.start()])
    body, line = trimmed_body(text, closed.end())
    return Page(file, head, body, line, broken=head is None)


def trimmed_body(text: str, start: int) -> tuple[str, int]:
    """The text from ``start`` on, trimmed, and the line on which it begins (of its end when nothing is left)."""
    rest = text[start:]
    stripped = trim_start(rest)
    line = text.count("\n", 0, len(text) - len(stripped)) + 1
    return trim_end(stripped), line


def read_yaml(desk: Desk, file: TextFile, text: str | None = None, first_line: int = 1) -> YamlDocument | None:
    """YAML of a file (or of a stretch of it); None, reported, when it cannot be read."""
    try:
        document = parse_yaml(file.text if text is None else text, first_line)
    except YamlError as error:
        desk.report(Severity.ERROR, file.place(error.line), error.sentence)
        return None
    for remark in document.remarks:
        desk.report(Severity.WARNING, file.place(remark.line), remark.sentence)
    return document


def _parsed(desk: Desk, file: TextFile, text: str) -> YamlDocument | None:
    document = read_yaml(desk, file, text, first_line=2)
    if document is not None and not isinstance(document.value, dict):
        desk.report(Severity.ERROR, file.place(), say("The front matter must be a mapping of fields"))
        return None
    return document
