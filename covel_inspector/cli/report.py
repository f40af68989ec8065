"""``report``: a whole file."""

import sys
import time
from collections.abc import Callable

import click

from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import chosen_form, common, covel_root
from covel_inspector.cli.output import print_error, print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.selecting import find_session
from covel_inspector.domain import Sentence, say


def judged_line(done: int, everything: int) -> Sentence:
    """How far a run that judges every call has come."""
    return say("{done} of {all} calls judged", done=done, all=everything)


class Ticker:
    """Says on a terminal how far a long run has come; silent in pipes and for the first moment."""

    def __init__(self, reader: Reader, line: Callable[[int, int], Sentence] = judged_line) -> None:
        self._reader = reader
        self._say = line
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + 0.5
        self._shown = False

    def __call__(self, done: int, everything: int) -> None:
        """Called after each step."""
        if not self._is_terminal or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.2
        self._shown = True
        line = self._reader.text(self._say(done, everything))
        sys.stderr.write(f"\r{line}\x1b[K")
        sys.stderr.flush()

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def print_report(
    reader: Reader,
    file: str,
    covel_root: str | None,
    form: str = "text",
    session: str | None = None,
    address: str | None = None,
    notice: Sentence | None = None,
) -> None:
    """Open a file, judge all its calls and print the report. ``address`` only has to name a call, else AddressError.

    ``notice`` goes to standard error once it is sure that there is something to report on.
    """
    from covel_inspector.report.document import markdown_lines, text_lines
    from covel_inspector.report.overview import gather
    from covel_inspector.report.overview_document import overview_document
    from covel_inspector.report.overview_json import overview_object

    ticker = Ticker(reader)
    with reader.opened(file, covel_root) as source:
        chosen = None if session is None else find_session(source, session).id
        if address is not None:
            source.resolve(address)
        if notice is not None:
            print_error(reader.text(notice))
        try:
            overview = gather(source, chosen, ticker)
        finally:
            ticker.clear()
    if form == "json":
        reader.print_json(overview_object(overview, reader.words))
        return
    write = markdown_lines if form == "markdown" else text_lines
    print_lines(write(overview_document(overview, reader.words)))


@click.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Report on all of FILE: facts, calls, how many requests could be rebuilt and with what outcome, where the "
            "others differ, and what could not be read."
        )
    ),
)
@click.argument("file")
@option("--session", metavar="ID", help=str(say("Only this session; the beginning of its id is enough.")))
@option(
    "--as",
    "form",
    type=click.Choice(("text", "markdown", "json")),
    default="text",
    help=str(say("Form of the report.")),
)
@option("--json", "as_json", is_flag=True, help=str(say("Short for --as json.")))
@covel_root
@common
@click.pass_context
def report(
    context: click.Context, file: str, covel_root: str | None, session: str | None, form: str, as_json: bool
) -> int:
    form = chosen_form(context, "form", form, as_json)
    print_report(context.ensure_object(Reader), file, covel_root, form, session)
    return 0
