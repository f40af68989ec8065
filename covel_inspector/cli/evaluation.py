"""``eval``: the embedded engine parts, run on JSON cases.

One JSON object for each case and line, in input order: ``{"name": …, "result": …}``, or ``{"name": …, "error": …}``
for a case that cannot be run, and for a file that cannot be read, which standard error names too. The output is ASCII;
halves of surrogate pairs are ``\\u`` escapes.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from covel_inspector.cli.help_text import TranslatedCommand, TranslatedGroup, option
from covel_inspector.cli.options import common
from covel_inspector.cli.output import print_error, print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.selecting import listed_names
from covel_inspector.domain import say
from covel_inspector.report.json_text import json_text
from covel_inspector.report.terminal import one_line

if TYPE_CHECKING:
    from covel_inspector.engines.covel.textpack import TextPack

Evaluate = Callable[[dict[str, Any], "TextPack"], Any]


@click.group(
    "eval",
    cls=TranslatedGroup,
    no_args_is_help=False,
    help=str(
        say(
            "Run an embedded engine part on JSON cases.\n\nPrints one JSON object for each case and line: name and "
            "result, or name and error."
        )
    ),
)
@common
def evaluate() -> None:
    pass


_PACK = option(
    "--pack",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="PACK.json",
    help=str(say("Text pack with the engine's own sentences. What it lacks is taken from the program's own pack.")),
)


@evaluate.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Run the assembler on the cases in FILES (an object or a list each).\n\nExit status 2: a file could not be "
            "read; the others were run all the same."
        )
    ),
)
@click.argument("files", nargs=-1, required=True)
@_PACK
@common
def assembler(files: tuple[str, ...], pack: Path | None) -> int:
    from covel_inspector.engines.covel.evaluate import evaluate_assembler

    return run_cases(files, pack, evaluate_assembler)


@evaluate.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Run the request budget on the cases in FILES (an object or a list each).\n\nExit status 2: a file could "
            "not be read; the others were run all the same."
        )
    ),
)
@click.argument("files", nargs=-1, required=True)
@_PACK
@common
def budget(files: tuple[str, ...], pack: Path | None) -> int:
    from covel_inspector.engines.covel.evaluate import evaluate_budget

    return run_cases(files, pack, evaluate_budget)


@evaluate.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Build provider bodies for the cases in FILES (an object or a list each); also usage, cache keys and what "
            "a trace keeps.\n\nExit status 2: a file could not be read; the others were run all the same."
        )
    ),
)
@click.argument("files", nargs=-1, required=True)
@_PACK
@common
def wire(files: tuple[str, ...], pack: Path | None) -> int:
    from covel_inspector.engines.covel.evaluate import evaluate_wire

    return run_cases(files, pack, evaluate_wire)


def run_cases(files: tuple[str, ...], pack_file: Path | None, run: Evaluate) -> int:
    """Print a line for each case of each file; 2 when a file could not be read."""
    pack = _pack(pack_file)
    status = 0
    for file in files:
        try:
            cases = list(read_cases(Path(file)))
        except (OSError, ValueError, RecursionError) as error:
            status = 2
            print_lines([_line(file, error=_words(error))])
            print_error(one_line(_reader().text(say("{file} cannot be read: {why}", file=file, why=_words(error)))))
            continue
        for name, case in cases:
            print_lines([_outcome(name, case, run, pack)])
    return status


def _pack(file: Path | None) -> "TextPack":
    from covel_inspector.engines.covel.textpack import TextPack, TextPackError, default_pack

    if file is None:
        return default_pack()
    try:
        given = TextPack.load(file)
    except TextPackError as error:
        raise click.BadParameter(str(error), param_hint="--pack") from error
    own = default_pack()
    unknown = set(given.texts) - set(own.texts)
    if unknown:
        told = say("The text pack has texts that the engine does not use: {names}.", names=listed_names(unknown))
        _reader().print_notes([told])
    # A pack may hold only some of the texts: what it lacks is ours.
    return own.overlaid(given)


def _reader() -> Reader:
    context = click.get_current_context(silent=True)
    return context.ensure_object(Reader) if context is not None else Reader()


def read_cases(file: Path) -> Iterator[tuple[str, object]]:
    """The cases of a file with their names; a case without a name is called after the file and its place in it.

    Raises OSError, or ValueError when the file holds no JSON.
    """
    value = json.loads(file.read_bytes().decode("utf-8-sig"))
    if isinstance(value, list):
        for number, case in enumerate(value):
            yield _name(case, f"{file.name}#{number}"), case
    else:
        yield _name(value, file.name), value


def _name(case: object, otherwise: str) -> str:
    name = case.get("name") if isinstance(case, dict) else None
    return name if isinstance(name, str) else otherwise


def _outcome(name: str, case: object, run: Evaluate, pack: "TextPack") -> str:
    if not isinstance(case, dict):
        return _line(name, error="a case is an object")
    try:
        return _line(name, result=run(case, pack))
    except Exception as error:  # noqa: BLE001 - any fault in a stranger's case belongs to that case alone
        return _line(name, error=_words(error))


def _line(name: str, **outcome: object) -> str:
    return json_text({"name": name, **outcome}, ascii_only=True, indent=None, strict=True)


def _words(error: BaseException) -> str:
    """What went wrong, in one line; faults without a sentence of their own are named by their kind."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, json.JSONDecodeError):
        return f"is no JSON: {error}"
    if isinstance(error, UnicodeDecodeError):
        return f"is no UTF-8: {error}"
    sentence = " ".join(str(error).split())
    if isinstance(error, KeyError):
        return f"misses {sentence}"
    return sentence if isinstance(error, ValueError) and sentence else f"{type(error).__name__}: {sentence}"
