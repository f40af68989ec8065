"""``compare``: two requests side by side."""

import shutil
import sys
from contextlib import ExitStack
from dataclasses import dataclass

import click

from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import common, covel_root
from covel_inspector.cli.output import only_ascii, print_error, print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.request import SOURCES, missing_line, tree_of
from covel_inspector.domain import Address, SegmentTree, Source, say

_COLUMNS = 120
"""Width where the terminal does not say."""


@dataclass(frozen=True, slots=True)
class Side:
    """One request with the source it came from; ``tree`` is None when there is no such request."""

    source: Source
    address: Address
    which: str
    tree: SegmentTree | None


def side_of(source: Source, text: str, which: str) -> Side:
    """The request that an address text and ``recorded`` or ``rebuilt`` name."""
    address = source.resolve(text)
    return Side(source, address, which, tree_of(source, address, which))


@click.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Compare two requests: A and B of FILE, or A of FILE and B of FILE2. Without B: the recorded against the "
            "rebuilt request of A.\n\nExit status 0: equal. 1: they differ, or one of them is not there."
        )
    ),
)
@click.argument("file")
@click.argument("a")
@click.argument("b", required=False)
@click.argument("file2", required=False)
@option("--source-a", type=click.Choice(SOURCES), default="recorded", help=str(say("Which request of A.")))
@option("--source-b", type=click.Choice(SOURCES), default=None, help=str(say("Which request of B.")))
@option("--width", type=click.IntRange(40, 500), default=None, help=str(say("Columns of the output.")))
@option("--json", "as_json", is_flag=True, help=str(say("Print JSON instead of text.")))
@covel_root
@common
@click.pass_obj
def compare(
    reader: Reader,
    file: str,
    a: str,
    b: str | None,
    file2: str | None,
    covel_root: str | None,
    source_a: str,
    source_b: str | None,
    width: int | None,
    as_json: bool,
) -> int:
    if source_b is None:
        source_b = "rebuilt" if b is None and source_a == "recorded" else "recorded"
    with ExitStack() as stack:
        first = stack.enter_context(reader.opened(file, covel_root))
        second = first if file2 is None else stack.enter_context(reader.opened(file2, covel_root))
        sides = (side_of(first, a, source_a), side_of(second, a if b is None else b, source_b))
        for side in sides:
            if side.tree is None:
                verdict = side.source.verdict(side.address)
                print_error(missing_line(reader, side.address, side.which, verdict))
                return 1
        return _print_comparison(reader, *sides, width, as_json=as_json)


def _print_comparison(reader: Reader, a: Side, b: Side, width: int | None, *, as_json: bool) -> int:
    from covel_inspector.analysis.compare import compare as compare_trees
    from covel_inspector.report import comparison
    from covel_inspector.report.side_by_side import ASCII, UNICODE

    found = compare_trees(a.tree, b.tree)
    first, second = (
        comparison.Side(str(side.address), side.which, side.source.location, side.source.estimate) for side in (a, b)
    )
    if as_json:
        reader.print_json(comparison.comparison_object(found, first, second, reader.words))
    else:
        signs = ASCII if only_ascii() else UNICODE
        print_lines(comparison.comparison_lines(found, first, second, reader.words, width or _columns(), signs))
    return 0 if found.is_equal else 1


def _columns() -> int:
    """The terminal's width, or a fixed one in pipes and files, so that they are the same everywhere."""
    if sys.stdout is None or not sys.stdout.isatty():
        return _COLUMNS
    return max(60, shutil.get_terminal_size((_COLUMNS, 24)).columns)
