"""``prefix``: how much of each turn's first request repeats the turn before."""

import click

from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import as_json, common, covel_root
from covel_inspector.cli.output import only_ascii, print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.selecting import check_runtime, find_session
from covel_inspector.domain import say


@click.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Measure how much of each turn's first request repeats the turn before, runtime by runtime, by the rules "
            "of the engine's own prefix report. The JSON has that report's field names."
        )
    ),
)
@click.argument("file")
@option("--session", metavar="ID", help=str(say("Only this session; the beginning of its id is enough.")))
@option("--show", metavar="RUNTIME", help=str(say("Every pair of turns of this runtime, with the texts that differ.")))
@option("--ignore-marks", is_flag=True, help=str(say("Leave out cache marks, which a provider's cache does not see.")))
@option(
    "--inside-turns",
    is_flag=True,
    help=str(say("Also steps of tool loops, retries and other runs, each with the request before.")),
)
@as_json
@covel_root
@common
@click.pass_obj
def prefix(
    reader: Reader,
    file: str,
    covel_root: str | None,
    session: str | None,
    show: str | None,
    ignore_marks: bool,
    inside_turns: bool,
    as_json: bool,
) -> int:
    from covel_inspector.analysis.prefix import measure
    from covel_inspector.report.json_text import json_text
    from covel_inspector.report.prefix import function_lines, function_objects, prefix_lines, prefix_objects

    with reader.opened(file, covel_root) as source:
        chosen = None if session is None else find_session(source, session).id
        entries = measure(source.measured(chosen), ignore_marks=ignore_marks, with_inner=inside_turns)
        if show is not None:
            check_runtime((entry.runtime or "" for entry in entries), show)
        sessions = source.sessions()
        own = [one for one in sessions if chosen in (None, one.id)] if inside_turns else []
        functions = [call for one in own for call in source.function_calls(one.id)]
    if as_json:
        objects = [*prefix_objects(entries, with_inner=inside_turns), *function_objects(functions)]
        print_lines([json_text(objects, ascii_only=only_ascii(), indent=2)])
        return 0
    lines = prefix_lines(
        entries, sessions, reader.words, ignores_marks=ignore_marks, with_inner=inside_turns, show=show
    )
    print_lines([*lines, *function_lines(functions, reader.words)])
    return 0
