"""The report on a whole source as blocks, for text and Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from covel_inspector.domain import Call, Sentence, Status, plain, say
from covel_inspector.domain.listing import labelled
from covel_inspector.report import names
from covel_inspector.report.document import Block, Bullets, Heading, Paragraph, Table
from covel_inspector.report.figures import figure, percent
from covel_inspector.report.overview import Judged, Overview, RuntimeFigures, SessionOverview
from covel_inspector.report.terminal import Column
from covel_inspector.report.verdict import verdict_details
from covel_inspector.report.wording import Catalogue


def overview_document(overview: Overview, words: Catalogue) -> list[Block]:
    """Facts, sessions with their runtimes, calls that are not identical, problems."""
    return list(_blocks(overview, words))


def _blocks(overview: Overview, words: Catalogue) -> Iterator[Block]:
    facts = overview.facts
    yield Heading(1, words.text(say("Report on {location}", location=facts.location)))
    yield Bullets(
        (
            (words.text(say("Engine: {engine}", engine=facts.engine)), ()),
            (words.text(say("Schema: {generation}", generation=names.generation_name(facts.generation))), ()),
            (words.text(say("Access: {access}", access=facts.access)), ()),
            (
                words.text(
                    say(
                        "Sessions: {sessions}; recorded calls: {calls}; runtimes: {runtimes}",
                        sessions=facts.sessions,
                        calls=facts.calls,
                        runtimes=facts.runtimes,
                    )
                ),
                (),
            ),
        )
    )
    for session in overview.sessions:
        yield from _session(session, words, is_only=facts.sessions == 1)
    if len(overview.sessions) > 1:
        yield Heading(2, words.text(say("All sessions")))
        yield _figures_table([overview.all_calls], words)
        yield from _taken(overview.all_calls, words)
    yield Heading(2, words.text(say("Problems")))
    if not overview.problems:
        yield Paragraph(words.text(say("All rows and files could be read.")))
        return
    yield Bullets(
        tuple(
            (words.text(labelled(names.SEVERITY[one.severity], labelled(one.where, one.sentence))), ())
            for one in overview.problems
        )
    )


def _session(session: SessionOverview, words: Catalogue, *, is_only: bool) -> Iterator[Block]:
    yield Heading(2, words.text(say("Session {id}: {title}", id=session.session.id, title=session.session.title)))
    yield Paragraph(words.text(_counted(session)))
    if session.runtimes:
        yield _figures_table(session.runtimes, words)
    for runtime in session.runtimes:
        yield from _taken(runtime, words)
    if session.unsent:
        yield Heading(3, words.text(say("Requests that were never sent")))
        yield Bullets(tuple(_unsent(call, words, is_only) for call in session.unsent))
    if session.exceptions:
        yield Heading(3, words.text(say("Calls that are not identical")))
        yield Bullets(tuple(_exception(judged, words, is_only) for judged in session.exceptions))


def _counted(session: SessionOverview) -> Sentence:
    """Turns as the window counts them, what else ran, and the calls."""
    turns = say("Turns: {turns}", turns=session.turns)
    if session.background:
        turns = say(
            "Turns: {turns} (begun by the player; {n} background runs stand after them, such as 5+1)",
            turns=session.turns,
            n=session.background,
        )
    told = say("{turns}; recorded calls: {calls}", turns=turns, calls=session.calls)
    return say("{told}; never sent: {n}", told=told, n=len(session.unsent)) if session.unsent else told


def _unsent(call: Call, words: Catalogue, is_only_session: bool) -> tuple[str, tuple[str, ...]]:
    """The call with its reason, and below it the engine's own words."""
    address = replace(call.address, session="") if is_only_session else call.address
    head = words.text(labelled(str(address), call.why_unsent))
    return head, ((words.text(say("The engine's error: {error}", error=call.error)),) if call.error else ())


def _figures_table(runtimes: Sequence[RuntimeFigures], words: Catalogue) -> Table:
    columns = [Column(words.text(say("Runtime"))), Column(words.text(say("Calls")), right=True)]
    columns.extend(Column(words.text(names.STATUS[status]), right=True) for status in Status)
    columns.append(Column(words.text(say("rebuilt independently")), right=True))
    rows = [
        (
            runtime.runtime or words.text(say("all")),
            figure(runtime.calls),
            *(figure(runtime.statuses[status]) for status in Status),
            percent(runtime.independent_share) if runtime.total else "–",
        )
        for runtime in runtimes
    ]
    return Table(tuple(columns), tuple(rows))


def _taken(runtime: RuntimeFigures, words: Catalogue) -> Iterator[Block]:
    if not runtime.taken:
        return
    yield Paragraph(
        words.text(
            say(
                "Taken from the recording by {runtime}:",
                runtime=plain(runtime.runtime) if runtime.runtime else say("all"),
            )
        )
    )
    yield Bullets(
        tuple(
            (
                words.text(
                    say(
                        "{kind}: {characters} of {total} characters",
                        kind=names.KIND[kind],
                        characters=figure(characters),
                        total=figure(runtime.total),
                    )
                ),
                (),
            )
            for kind, characters in runtime.taken.items()
        )
    )


def _exception(judged: Judged, words: Catalogue, is_only_session: bool) -> tuple[str, tuple[str, ...]]:
    verdict = judged.verdict
    address = replace(judged.address, session="") if is_only_session else judged.address
    head = words.text(labelled(str(address), labelled(names.STATUS[verdict.status], verdict.reason)))
    return head, tuple(words.text(sentence) for sentence in verdict_details(verdict))
