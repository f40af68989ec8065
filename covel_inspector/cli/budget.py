"""``budget`` and ``compaction``: why the model forgot, in steps."""

from typing import TYPE_CHECKING

import click

from covel_inspector.cli.drafts import draft_option, notes_on, read_draft, with_notes
from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import as_json, common, covel_root
from covel_inspector.cli.output import print_error, print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.request import missing_line
from covel_inspector.cli.selecting import chosen_sessions
from covel_inspector.domain import Address, Changes, Source, say

if TYPE_CHECKING:
    from covel_inspector.report.budget import OtherCounts


@click.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Show what the token budget did to one request of FILE, step by step, or what it would do.\n\nADDRESS may "
            "also name a call that was never sent because it did not fit.\n\nExit status 1: the request cannot be "
            "rebuilt."
        )
    ),
)
@click.argument("file")
@click.argument("address")
@option("--window", type=int, metavar="N", help=str(say("As if the model's window had this many tokens.")))
@option("--reserve", type=int, metavar="N", help=str(say("As if this many tokens were kept for the answer.")))
@draft_option
@as_json
@covel_root
@common
@click.pass_obj
def budget(
    reader: Reader,
    file: str,
    address: str,
    covel_root: str | None,
    window: int | None,
    reserve: int | None,
    draft: str | None,
    as_json: bool,
) -> int:
    from covel_inspector.report.budget import budget_lines, budget_object

    tried = read_draft(draft, window, reserve)
    with reader.opened(file, covel_root) as source:
        place = source.resolve(address)
        run = source.budget(place, tried.changes)
        if run is None:
            print_error(missing_line(reader, place, "rebuilt", source.verdict(place)))
            return 1
        notes = notes_on(tried, source, place)
        reader.print_notes(notes)
        counts = _other_counts(source, place, tried.changes)
        if as_json:
            made = budget_object(str(place), run, reader.words, source.estimator_name, counts)
            reader.print_json(made | with_notes(reader, draft, notes))
        else:
            print_lines([str(place), *budget_lines(run, reader.words, source.estimator_name, counts)])
    return 0


def _other_counts(source: Source, place: Address, changes: Changes) -> "OtherCounts | None":
    """The rebuilt request counted elsewhere; what was reported belongs to the call as it was."""
    from covel_inspector.analysis.token_table import request_tokens
    from covel_inspector.report.budget import OtherCounts

    tree = source.rebuilt(place, changes)
    if tree is None:
        return None
    call = next((call for call in source.calls(place.session, place.turn) if call.address == place), None)
    usage = call.usage if call is not None and changes == Changes() else None
    return OtherCounts(request_tokens(tree, source.estimate), usage.input if usage is not None else None)


@click.command(
    cls=TranslatedCommand,
    help=str(say("Show which rows of a story became summaries, what that saved, and when the next compaction is due.")),
)
@click.argument("file")
@option("--session", metavar="ID", help=str(say("Only this session; the beginning of its id is enough.")))
@as_json
@covel_root
@common
@click.pass_obj
def compaction(reader: Reader, file: str, covel_root: str | None, session: str | None, as_json: bool) -> int:
    from covel_inspector.report.compaction import compaction_lines, compaction_object

    with reader.opened(file, covel_root) as source:
        chosen = chosen_sessions(source, session)
        reports = [source.compactions(one.id) for one in chosen]
        if as_json:
            reader.print_json([compaction_object(report, reader.words) for report in reports])
            return 0
        lines: list[str] = []
        for one, report in zip(chosen, reports, strict=True):
            lines.extend([f"{one.title} ({one.id})", *compaction_lines(report, reader.words), ""])
        print_lines(lines[:-1])
    return 0
