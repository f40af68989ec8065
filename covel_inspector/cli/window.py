"""``open`` and ``sample``: the window, or the report where no window can be shown."""

import click

from covel_inspector.cli.display import why_no_window
from covel_inspector.cli.help_text import TranslatedCommand
from covel_inspector.cli.options import common, covel_root
from covel_inspector.cli.output import print_error
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.report import print_report
from covel_inspector.domain import Sentence, plain, say
from covel_inspector.resource_files import resource_path


@click.command(
    "open",
    cls=TranslatedCommand,
    help=str(say("Open the window, on FILE if one is named. Without a display: print the report on FILE instead.")),
)
@click.argument("file", required=False)
@covel_root
@common
@click.pass_obj
def open_window(reader: Reader, file: str | None, covel_root: str | None) -> int:
    return show_or_report(reader, file, covel_root)


@click.command(
    cls=TranslatedCommand,
    help=str(say("Open the window on the story that comes with the program. Without a display: print its report.")),
)
@common
@click.pass_obj
def sample(reader: Reader) -> int:
    folder = resource_path("sample")
    return show_or_report(reader, str(folder / "emberwatch.db"), str(folder / "covel-root"))


def show_or_report(reader: Reader, file: str | None, covel_root: str | None) -> int:
    """The window; or one line that says why there is none, and the report."""
    reason = why_no_window()
    if reason is None:
        try:
            return reader.show_window(file, covel_root, reader.chosen_language)
        except ImportError as error:
            if (error.name or "").startswith("covel_inspector"):
                raise
            reason = _missing_library(error)
    if file is None:
        line = say("No window can be shown ({reason}). Name a file to get its report.", reason=reason)
        print_error(reader.text(line))
        return 2
    print_error(reader.text(say("No window can be shown ({reason}); here is the report instead.", reason=reason)))
    print_report(reader, file, covel_root)
    return 0


def _missing_library(error: ImportError) -> Sentence:
    """Qt is there but one of the system's libraries is not: the loader's words name it."""
    return say(
        "Qt cannot be loaded: {what}. 'python3 packaging/bootstrap.py sample' names what to install",
        what=plain(str(error)),
    )
