"""``show``: one request."""

import click

from covel_inspector.cli.drafts import draft_option, notes_on, read_draft, with_notes
from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import chosen_form, common, covel_root, is_given
from covel_inspector.cli.output import print_error, print_lines
from covel_inspector.cli.reader import Reader
from covel_inspector.domain import Address, BodySource, Changes, Protocol, SegmentTree, Source, Verdict, WireBody, say

SOURCES = ("recorded", "rebuilt")


def tree_of(source: Source, address: Address, which: str, changes: Changes | None = None) -> SegmentTree | None:
    """The recorded or the rebuilt request of a call; changes only bear on the rebuilt one."""
    return source.rebuilt(address, changes) if which == "rebuilt" else source.recorded(address)


def missing_line(reader: Reader, address: Address, which: str, verdict: Verdict) -> str:
    """Why a request is not there, in a line."""
    template = (
        say("{address} cannot be rebuilt: {reason}", address=str(address), reason=verdict.reason)
        if which == "rebuilt"
        else say("There is no recorded request of {address}: {reason}", address=str(address), reason=verdict.reason)
    )
    return reader.text(template)


def body_of(
    source: Source, address: Address, which: str, protocol: Protocol | None, changes: Changes | None = None
) -> WireBody | None:
    """The body of a call: the recorded one where it is wanted and there, else one built from the request."""
    if which == "rebuilt":
        return source.wire(address, protocol, BodySource.BUILT_FROM_REBUILT, changes)
    return source.wire(address, protocol) or source.wire(address, protocol, BodySource.BUILT_FROM_RECORDED)


def show_body(
    reader: Reader,
    source: Source,
    address: Address,
    which: str,
    protocol: str | None,
    everything: bool,
    changes: Changes | None = None,
) -> int:
    """Print a body, or all that is known of it; 1 when there is none."""
    from covel_inspector.report.wire import body_line, wire_object

    wire = body_of(source, address, which, Protocol(protocol) if protocol is not None else None, changes)
    if wire is None:
        if tree_of(source, address, which) is None:
            print_error(missing_line(reader, address, which, source.verdict(address)))
        else:
            missing = say("No body was recorded for {address}: name one with --protocol.", address=str(address))
            print_error(reader.text(missing))
        return 1
    if everything:
        reader.print_json(wire_object(str(address), wire, reader.words))
        return 0
    print_error(body_line(str(address), wire, reader.words))
    reader.print_notes(wire.notes)
    if not wire.body:
        return 1
    reader.print_json(wire.body)
    return 0


@click.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Show one request of FILE.\n\nADDRESS is SESSION:TURN:RUNTIME:CALL as 'calls' lists it; SESSION may be "
            "shortened, or empty when there is only one.\n\nExit status 1: there is no such request."
        )
    ),
)
@click.argument("file")
@click.argument("address")
@option(
    "--source",
    "which",
    type=click.Choice(SOURCES),
    default="recorded",
    help=str(say("What was sent, or what the embedded assembler builds from rows and files.")),
)
@option(
    "--as",
    "form",
    type=click.Choice(("tree", "text", "json", "wire")),
    default="tree",
    help=str(
        say("The segments, the text, everything as JSON, or the provider's body. Notes on a body go to standard error.")
    ),
)
@option(
    "--protocol",
    type=click.Choice([protocol.value for protocol in Protocol]),
    default=None,
    help=str(say("With --as wire: build the body for this protocol. Default: the recorded one.")),
)
@option("--json", "as_json", is_flag=True, help=str(say("Short for --as json.")))
@draft_option
@covel_root
@common
@click.pass_context
def show(
    context: click.Context,
    file: str,
    address: str,
    covel_root: str | None,
    which: str,
    form: str,
    protocol: str | None,
    as_json: bool,
    draft: str | None,
) -> int:
    from covel_inspector.report import request
    from covel_inspector.report.verdict import verdict_lines

    reader = context.ensure_object(Reader)
    _check_options(context, reader)
    is_body = form == "wire" or protocol is not None
    form = "json" if as_json else form
    tried = read_draft(draft)
    if draft is not None:
        which = "rebuilt"
    with reader.opened(file, covel_root) as source:
        place = source.resolve(address)
        if is_body:
            reader.print_notes(notes_on(tried, source, place))
            return show_body(reader, source, place, which, protocol, form == "json", tried.changes)
        tree = tree_of(source, place, which, tried.changes)
        if tree is None:
            print_error(missing_line(reader, place, which, source.verdict(place)))
            return 1
        notes = notes_on(tried, source, place)
        reader.print_notes(notes)
        if form == "json":
            estimator, estimate = source.estimator_name, source.estimate
            made = request.request_object(str(place), which, tree, reader.words, estimator, estimate)
            reader.print_json(made | with_notes(reader, draft, notes))
        elif form == "text":
            print_lines(request.text_lines(tree, reader.words))
        else:
            lines = request.tree_lines(tree, reader.words, source.estimator_name, source.estimate)
            if draft is not None:
                print_lines([f"{place} · {reader.text(say('with the changes of {draft}', draft=draft))}", *lines])
                return 0
            print_lines([f"{place} · {which}", *lines, "", *verdict_lines(source.verdict(place), reader.words)])
    return 0


def _check_options(context: click.Context, reader: Reader) -> None:
    """Raise UsageError for options that contradict each other: none of them is left out silently."""
    given = context.params
    form, protocol, draft = given["form"], given["protocol"], given["draft"]
    if form != "wire":
        chosen_form(context, "form", form, given["as_json"])
    if draft is not None and given["which"] == "recorded" and is_given(context, "which"):
        line = say("A draft changes the rebuilt request: leave out --draft or --source recorded.")
        raise click.UsageError(reader.text(line))
    if protocol is not None and form in ("tree", "text") and is_given(context, "form"):
        line = say("--protocol is for a body: leave it out, or --as {form}.", form=form)
        raise click.UsageError(reader.text(line))
