"""Options that many commands share."""

import click

from covel_inspector.cli.help_text import Function, option
from covel_inspector.cli.reader import Reader
from covel_inspector.domain import say
from covel_inspector.report.wording import LANGUAGES


def _take_language(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.ensure_object(Reader).chosen_language = value


def _take_debug(context: click.Context, _option: click.Parameter, value: bool) -> None:
    if value:
        context.ensure_object(Reader).debug = True


def common(command: Function) -> Function:
    """``--language`` and ``--debug``: accepted before and behind the name of a command."""
    command = option(
        "--language",
        type=click.Choice(sorted(LANGUAGES)),
        expose_value=False,
        is_eager=True,
        callback=_take_language,
        help=str(say("Language of the output. Default: the system's.")),
    )(command)
    return option(
        "--debug",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_take_debug,
        help=str(say("Show the traceback of an error.")),
    )(command)


def covel_root(command: Function) -> Function:
    """``--covel-root``: every command that reads Covel takes it."""
    return option(
        "--covel-root",
        type=click.Path(exists=True, file_okay=False),
        metavar="DIR",
        help=str(say("A Covel checkout or home folder: plugin texts, worlds, model slots.")),
    )(command)


def as_json(command: Function) -> Function:
    """``--json``: the machine-readable form."""
    return option("--json", "as_json", is_flag=True, help=str(say("Print JSON instead of a table.")))(command)
