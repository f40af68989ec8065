"""``cache``: what a provider's cache could read, why it could not, and what that cost."""

import click

from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import as_json, common, covel_root
from covel_inspector.cli.output import print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.selecting import check_runtime, chosen_sessions
from covel_inspector.domain import say


@click.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Show, runtime by runtime and turn by turn, how much of a request could be read from the provider's cache, "
            "what the provider reported, and the cause of each break with what helps against it."
        )
    ),
)
@click.argument("file")
@option("--session", metavar="ID", help=str(say("Only this session; the beginning of its id is enough.")))
@option("--runtime", metavar="RUNTIME", help=str(say("Only this runtime.")))
@option(
    "--inside-turns",
    is_flag=True,
    help=str(say("Also steps of tool loops, retries and other runs, each with the request before.")),
)
@as_json
@covel_root
@common
@click.pass_obj
def cache(
    reader: Reader,
    file: str,
    covel_root: str | None,
    session: str | None,
    runtime: str | None,
    inside_turns: bool,
    as_json: bool,
) -> int:
    from covel_inspector.analysis.cache_report import cache_report
    from covel_inspector.analysis.provider_tables import load_tables
    from covel_inspector.app.settings import settings_file
    from covel_inspector.report.cache import cache_lines
    from covel_inspector.report.cache_json import cache_objects

    tables = load_tables(settings_file().parent)
    with reader.opened(file, covel_root) as source:
        sessions = chosen_sessions(source, session)
        if runtime is not None:
            check_runtime((call.address.runtime for one in sessions for call in source.calls(one.id)), runtime)
        reports = [cache_report(source, one.id, runtime, tables=tables) for one in sessions]
    if as_json:
        reader.print_json(cache_objects(reports, reader.words, with_inner=inside_turns))
    else:
        print_lines(cache_lines(reports, sessions, reader.words, with_inner=inside_turns))
    return 0
