"""``sessions`` and ``calls``: what is in a file."""

import click

from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import as_json, common, covel_root
from covel_inspector.cli.output import print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.selecting import check_turn, chosen_sessions
from covel_inspector.domain import Call, say


@click.command(cls=TranslatedCommand, help=str(say("List the sessions of FILE.")))
@click.argument("file")
@as_json
@covel_root
@common
@click.pass_obj
def sessions(reader: Reader, file: str, covel_root: str | None, as_json: bool) -> int:
    from covel_inspector.report.listing import session_lines, session_objects

    with reader.opened(file, covel_root) as source:
        found = source.sessions()
        if as_json:
            reader.print_json(session_objects(found))
        else:
            print_lines(session_lines(found, reader.words))
    return 0


@click.command(cls=TranslatedCommand, help=str(say("List the recorded model calls of FILE, with their addresses.")))
@click.argument("file")
@option("--session", metavar="ID", help=str(say("Only this session; the beginning of its id is enough.")))
@option("--turn", metavar="N", help=str(say("Only this turn, such as 12, or 12+1 for background work after it.")))
@as_json
@covel_root
@common
@click.pass_obj
def calls(
    reader: Reader, file: str, covel_root: str | None, session: str | None, turn: str | None, as_json: bool
) -> int:
    from covel_inspector.report.listing import call_lines, call_objects

    with reader.opened(file, covel_root) as source:
        chosen = chosen_sessions(source, session)
        if turn is not None:
            check_turn(source, chosen, turn)
        found: list[Call] = []
        for one in chosen:
            found.extend(source.calls(one.id, turn))
        if as_json:
            reader.print_json(call_objects(found, reader.words))
        else:
            print_lines(call_lines(found, reader.words))
            for one in chosen:
                print_lines([_unsent_line(reader, call) for call in source.unsent(one.id, turn)])
    return 0


def _unsent_line(reader: Reader, call: Call) -> str:
    """A call that no list of recorded calls can hold, in a line behind it."""
    from covel_inspector.report.terminal import one_line

    line = say("Never sent: {address}: {why}", address=str(call.address), why=call.why_unsent)
    return one_line(reader.text(line))
