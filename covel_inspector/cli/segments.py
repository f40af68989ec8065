"""``segments``: what the calls of a session tell together about the segments in them."""

from collections.abc import Iterable

import click

from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import as_json, common, covel_root
from covel_inspector.cli.output import print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.report import Ticker
from covel_inspector.cli.selecting import chosen_sessions, listed_names
from covel_inspector.domain import AddressError, Observation, Sentence, Session, Source, say


@click.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Show how the segments of plugins behaved over the turns of FILE: how often each was there, whether its "
            "text changed, which runtimes had it, and what that suggests.\n\nThe suggestions are observed in recorded "
            "requests, not declared. Below the table stands what contradicts them: a file, a place, a known name."
        )
    ),
)
@click.argument("file")
@option("--session", metavar="ID", help=str(say("Only this session; the beginning of its id is enough.")))
@option("--plugin", metavar="ID", help=str(say("Only segments of this plugin.")))
@as_json
@covel_root
@common
@click.pass_obj
def segments(
    reader: Reader, file: str, covel_root: str | None, session: str | None, plugin: str | None, as_json: bool
) -> int:
    from covel_inspector.report.observations import observation_lines, session_object
    from covel_inspector.report.terminal import one_line

    with reader.opened(file, covel_root) as source:
        chosen = chosen_sessions(source, session)
        found = [(one, _observed(reader, source, one)) for one in chosen]
        if plugin is not None:
            _check_plugin((seen for _, observed in found for seen in observed), plugin)
            found = [(one, [seen for seen in observed if seen.origin.plugin == plugin]) for one, observed in found]
        if as_json:
            reader.print_json([session_object(one.id, observed, reader.words) for one, observed in found])
            return 0
        for number, (one, observed) in enumerate(found):
            heading = say("{title} · {session}", title=one.title, session=one.id)
            print_lines([*([""] if number else []), one_line(reader.text(heading)), ""])
            print_lines(observation_lines(observed, reader.words))
    return 0


def _read_line(done: int, everything: int) -> Sentence:
    return say("{done} of {all} calls read", done=done, all=everything)


def _observed(reader: Reader, source: Source, session: Session) -> list[Observation]:
    from covel_inspector.report.observations import distinct

    ticker = Ticker(reader, _read_line)

    def tell(done: int, everything: int) -> bool:
        ticker(done, everything)
        return True

    try:
        return distinct(source.observed(session.id, tell) or {})
    finally:
        ticker.clear()


def _check_plugin(observed: Iterable[Observation], name: str) -> None:
    """Raise AddressError, with the plugins there are, unless a segment of this one was seen."""
    known = {seen.origin.plugin for seen in observed}
    if name not in known:
        line = say("No segment of '{plugin}' was seen. Plugins: {plugins}.", plugin=name, plugins=listed_names(known))
        raise AddressError(line)
