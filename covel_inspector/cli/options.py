"""Options that many commands share."""

import click
from click.core import ParameterSource

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


def is_given(context: click.Context, name: str) -> bool:
    """Whether a parameter was written on the command line, and is not just the default."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def chosen_form(context: click.Context, name: str, form: str, as_json: bool) -> str:
    """The form of the output, in which ``--json`` is short for "json". Raises UsageError when two forms are named.

    ``name`` is the parameter in which the form was given.
    """
    if not as_json or form == "json":
        return form
    if is_given(context, name):
        parameter = next(one for one in context.command.params if one.name == name)
        line = say("Name one form: --json or {option} {form}.", option=parameter.opts[0], form=form)
        raise click.UsageError(context.ensure_object(Reader).text(line))
    return "json"


def as_json(command: Function) -> Function:
    """``--json``: the machine-readable form."""
    return option("--json", "as_json", is_flag=True, help=str(say("Print JSON instead of a table.")))(command)
