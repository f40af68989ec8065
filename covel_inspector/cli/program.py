"""The program: all commands in one group, and the one place where errors become lines and exit statuses."""

import logging
import sys
import traceback
from collections.abc import Sequence
from itertools import pairwise

import click

from covel_inspector import __version__
from covel_inspector.cli.budget import budget, compaction
from covel_inspector.cli.cache import cache
from covel_inspector.cli.check import check
from covel_inspector.cli.comparison import compare
from covel_inspector.cli.evaluation import evaluate
from covel_inspector.cli.help_text import TranslatedGroup, TranslatedOption
from covel_inspector.cli.listing import calls, sessions
from covel_inspector.cli.options import common
from covel_inspector.cli.output import finish, give_up, prepare_streams, print_error
from covel_inspector.cli.prefix import prefix
from covel_inspector.cli.reader import Reader, Wanted, problem_line
from covel_inspector.cli.report import report
from covel_inspector.cli.request import show
from covel_inspector.cli.segments import segments
from covel_inspector.cli.usage_errors import usage_sentence
from covel_inspector.cli.window import open_window, sample, show_or_report
from covel_inspector.domain import AddressError, SourceError, plain, say
from covel_inspector.report.terminal import one_line
from covel_inspector.report.wording import LANGUAGES

OK, BROKEN, UNREADABLE, FAULT, INTERRUPTED, CLOSED = 0, 1, 2, 3, 130, 141
"""Exit statuses; the last two are the usual ones for an interrupt and for a reader that went away."""


@click.group(
    cls=TranslatedGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=str(
        say(
            "Show what the model of a story engine saw, why, and what changed.\n\n'covel-inspector FILE' opens the "
            "window on FILE. Files are only read, never changed."
        )
    ),
)
@click.version_option(
    __version__, prog_name="covel-inspector", cls=TranslatedOption, help=str(say("Show the version and exit."))
)
@common
@click.pass_context
def program(context: click.Context) -> int:
    if context.invoked_subcommand is None:
        return _empty_window(context.ensure_object(Reader))
    return OK


def _empty_window(reader: Reader) -> int:
    return show_or_report(reader, Wanted(language=reader.chosen_language))


program.fallback = "open"
for _command in (
    open_window,
    sample,
    sessions,
    calls,
    show,
    compare,
    prefix,
    cache,
    budget,
    compaction,
    segments,
    report,
    check,
    evaluate,
):
    program.add_command(_command)


def run(arguments: Sequence[str], reader: Reader | None = None) -> int:
    """Run one command line and give its exit status. Never raises."""
    reader = reader or Reader()
    reader.chosen_language = _named_language(arguments) or reader.chosen_language
    prepare_streams()
    if reader.is_unwritable:
        reader.print_notes([say("This terminal's encoding cannot show Chinese, so the text is in English.")])
    logging.basicConfig(level=logging.DEBUG if "--debug" in arguments else logging.CRITICAL)
    try:
        status = program.main(list(arguments), "covel-inspector", standalone_mode=False, obj=reader)
        finish()
    except (BrokenPipeError, SystemExit):
        # click itself ends the process in this one case: the reader of our output has gone away.
        give_up(sys.stdout)
        return CLOSED
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last net: a line for people, and a traceback on request
        if reader.debug:
            traceback.print_exc()
        return _failed(reader, error)
    return status if isinstance(status, int) else OK


def _named_language(arguments: Sequence[str]) -> str | None:
    """The language that a command line names, wherever it does: help and errors in front of it speak it too."""
    words = list(arguments[: arguments.index("--")]) if "--" in arguments else list(arguments)
    named = [after for word, after in pairwise([*words, ""]) if word == "--language"]
    named += [word.partition("=")[2] for word in words if word.startswith("--language=")]
    return next((one for one in reversed(named) if one in LANGUAGES), None)


def _failed(reader: Reader, error: Exception) -> int:
    """Say in one line what happened and what to do; the exit status."""
    if isinstance(error, click.ClickException):
        hint = say("{what} See 'covel-inspector --help'.", what=usage_sentence(error))
        line, status = reader.text(hint), UNREADABLE
    elif isinstance(error, SourceError | AddressError):
        line, status = problem_line(reader, error), UNREADABLE
    elif isinstance(error, OSError):
        line, status = _system_line(reader, error), UNREADABLE
    else:
        fault = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        sentence = say(
            "A mistake of the program itself ({fault}). Run it again with --debug and report what it prints.",
            fault=plain(fault),
        )
        line, status = reader.text(sentence), FAULT
    try:
        print_error(f"covel-inspector: {one_line(line)}")
    except OSError:
        give_up(sys.stderr)
    return status


def _system_line(reader: Reader, error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.filename is None:
        give_up(sys.stdout)
        return reader.text(say("The output could not be written: {reason}.", reason=reason))
    return reader.text(say("{file}: {reason}.", file=str(error.filename), reason=reason))
