"""``open`` and ``sample``: the window, or the report where no window can be shown."""

from contextlib import nullcontext

import click

from covel_inspector.cli.display import unseen_screen, why_no_window
from covel_inspector.cli.help_text import Function, TranslatedCommand, option
from covel_inspector.cli.options import common, covel_root
from covel_inspector.cli.output import print_error
from covel_inspector.cli.reader import Reader, Wanted
from covel_inspector.cli.report import print_report
from covel_inspector.domain import Sentence, plain, say
from covel_inspector.resource_files import resource_path


def _window_options(command: Function) -> Function:
    """How the window looks, and where it begins."""
    command = option(
        "--screenshot",
        type=click.Path(dir_okay=False, writable=True),
        metavar="PNG",
        help=str(say("Paint the window into a picture and close it again; needs no display.")),
    )(command)
    command = option(
        "--theme",
        type=click.Choice(("system", "light", "dark")),
        help=str(say("Colours of the window, for this run.")),
    )(command)
    return option("--address", metavar="ADDRESS", help=str(say("The call to begin at.")))(command)


@click.command(
    "open",
    cls=TranslatedCommand,
    help=str(say("Open the window, on FILE if one is named. Without a display: print the report on FILE instead.")),
)
@click.argument("file", required=False)
@_window_options
@covel_root
@common
@click.pass_obj
def open_window(
    reader: Reader,
    file: str | None,
    covel_root: str | None,
    address: str | None,
    theme: str | None,
    screenshot: str | None,
) -> int:
    if file is None and (address is not None or covel_root is not None):
        option_name = "--address" if address is not None else "--covel-root"
        raise click.UsageError(reader.text(say("{option} needs a FILE to open.", option=option_name)))
    return show_or_report(reader, Wanted(file, covel_root, reader.chosen_language, theme, address, screenshot))


@click.command(
    cls=TranslatedCommand,
    help=str(say("Open the window on the story that comes with the program. Without a display: print its report.")),
)
@_window_options
@common
@click.pass_obj
def sample(reader: Reader, address: str | None, theme: str | None, screenshot: str | None) -> int:
    folder = resource_path("sample")
    file, root = str(folder / "emberwatch.db"), str(folder / "covel-root")
    return show_or_report(reader, Wanted(file, root, reader.chosen_language, theme, address, screenshot))


def show_or_report(reader: Reader, wanted: Wanted) -> int:
    """The window; or one line that says why there is none, and the report."""
    reason = why_no_window()
    if reason is None or wanted.screenshot is not None:
        try:
            with nullcontext() if reason is None else unseen_screen():
                return reader.show_window(wanted)
        except ImportError as error:
            if (error.name or "").startswith("covel_inspector"):
                raise
            reason = _missing_library(error)
    if wanted.location is None:
        line = say("No window can be shown ({reason}). Name a file to get its report.", reason=reason)
        print_error(reader.text(line))
        return 2
    notice = say("No window can be shown ({reason}); here is the report instead.", reason=reason)
    print_report(reader, wanted.location, wanted.covel_root, address=wanted.address, notice=notice)
    return 0


def _missing_library(error: ImportError) -> Sentence:
    """Qt is there but one of the system's libraries is not: the loader's words name it."""
    return say(
        "Qt cannot be loaded: {what}. 'python3 packaging/bootstrap.py sample' names what to install",
        what=plain(str(error)),
    )
