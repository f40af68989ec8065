"""What the Plugins panel says about a plugin, a runtime, or a piece: what is declared, and what was sent. Pure."""

from collections.abc import Iterator

from covel_inspector.app.figures import figure, percent
from covel_inspector.app.page import NOTHING, Fact, Link, LinkTo, Page, listed
from covel_inspector.app.panels.plugins_rows import FATE, Piece, RuntimeOf, Use, fate_words
from covel_inspector.domain import (
    DeclaredInput,
    DeclaredSegment,
    Fate,
    Kind,
    PieceUse,
    PluginReport,
    RuntimeReport,
    Sentence,
    plain,
    say,
)
from covel_inspector.report.names import KIND, VOLATILITY, estimator_name
from covel_inspector.report.terminal import one_line

_MOST = 12


def subject_page(subject: object, estimator: str) -> Page:
    """About whatever a row is about."""
    if isinstance(subject, PluginReport):
        return plugin_page(subject)
    if isinstance(subject, RuntimeOf):
        return runtime_page(subject.runtime)
    if isinstance(subject, Piece):
        return piece_page(subject, estimator)
    if isinstance(subject, Use):
        return use_page(subject.use, estimator)
    return NOTHING


def plugin_page(report: PluginReport) -> Page:
    """About a plugin: what it declares besides its segments and runtimes."""
    facts = [Fact(say("Id"), plain(one_line(report.id)))]
    if report.version:
        facts.append(Fact(say("Version"), plain(report.version)))
    facts.append(Fact(say("Active"), _active(report)))
    facts.extend(_file(report.file, report.line))
    facts.extend(
        Fact(label, plain(", ".join(map(one_line, values))))
        for label, values in (
            (say("Hangs on"), report.points),
            (say("Hooks"), report.hooks),
            (say("May emit"), report.events),
            (say("Settings"), tuple(f"{key} = {value}" for key, value in report.settings)),
        )
        if values
    )
    if report.tokens:
        amount = (
            say("{n} in 1 request", n=figure(report.tokens))
            if report.requests == 1
            else say("{n} in {requests} requests", n=figure(report.tokens), requests=report.requests)
        )
        sent = say("{n}, {share} of all requests of the turn", n=amount, share=percent(report.share))
        went_out = any(use.fate in (Fate.SENT, Fate.ALTERED) for use in report.uses)
        facts.append(Fact(say("Tokens sent") if went_out else say("Tokens, not sent"), sent))
    notes = [*filter(None, (report.unattributed,)), *report.notes]
    if report.user_copy:
        notes.append(say("It is the user's own copy: a shipped one of the same name would not count."))
    if not report.is_declared:
        notes.append(say("Only the database names it: no folder that was given holds its files."))
    return Page(plain(one_line(report.name or report.id)), facts=tuple(facts), paragraphs=tuple(notes))


def runtime_page(runtime: RuntimeReport) -> Page:
    """About a runtime: what its manifest declares, and its calls."""
    facts = [
        Fact(label, plain(one_line(value)))
        for label, value in (
            (say("Stage"), runtime.stage),
            (say("Trigger"), runtime.trigger),
            (say("Output"), runtime.visibility),
            (say("Contract"), runtime.contract),
            (say("Slot"), runtime.slot),
        )
        if value
    ]
    if runtime.is_agent:
        facts.append(Fact(say("History"), _window(runtime)))
    if runtime.advertise_events:
        facts.append(Fact(say("Events"), say("the event directory is in its requests")))
    facts.extend(Fact(say("Input"), _input(one)) for one in runtime.inputs)
    for label, values in ((say("Own data"), runtime.own_data), (say("Tools"), runtime.tools)):
        if values:
            facts.append(Fact(label, plain(", ".join(map(one_line, values)))))
    facts.extend(_file(runtime.file, runtime.line))
    calls = tuple(
        Link(LinkTo.ADDRESS, str(address), say("call {n}", n=address.call + 1)) for address in runtime.calls[:_MOST]
    )
    facts.append(Fact(say("Calls"), None if calls else say("none in this turn"), calls))
    told = () if runtime.is_agent else (say("It is code, not an agent: it has no body and calls no model by itself."),)
    if runtime.concealed:
        told = (*told, say("Its requests are concealed: the engine never writes them down."))
    return Page(say("Runtime {id}", id=one_line(runtime.id)), facts=tuple(facts), paragraphs=told)


def piece_page(piece: Piece, estimator: str) -> Page:
    """About a declared piece and all its uses in the turn."""
    declared, uses = piece.declared, piece.uses
    if declared is None and len(uses) == 1:
        return use_page(uses[0], estimator)
    title: Sentence = uses[0].title if uses else plain(one_line(declared.id)) if declared is not None else say("Piece")
    kind = uses[0].kind if uses else Kind.EXTENSION
    facts = [Fact(say("Kind"), KIND[kind])]
    if declared is not None:
        facts.extend(_declared(declared, estimator))
    links = tuple(_place_link(use) for use in uses[:_MOST] if use.address is not None)
    if links:
        facts.append(Fact(say("Requests"), None, links))
    told = [use.why for use in uses if use.why.template]
    return Page(
        title,
        kind,
        facts=tuple(facts),
        paragraphs=tuple(dict.fromkeys(told)),
        quote=declared.text if declared is not None else "",
    )


def use_page(use: PieceUse, estimator: str) -> Page:
    """About a piece in one request, or its absence from it."""
    facts = [Fact(say("Kind"), KIND[use.kind]), Fact(say("State"), FATE[use.fate])]
    if use.tokens:
        told = say("{n}, {share} of the request", n=figure(use.tokens), share=percent(use.share))
        facts.append(
            Fact(say("Tokens"), say("{tokens} (estimate: {name})", tokens=told, name=estimator_name(estimator)))
        )
    links = (_place_link(use),) if use.address is not None else ()
    lead = (use.why,) if use.why.template else ()
    return Page(use.title, use.kind, lead, tuple(facts), links=links)


def _place_link(use: PieceUse) -> Link:
    return Link(LinkTo.PLACE, str(use.address), fate_words(use), use.key)


def _active(report: PluginReport) -> Sentence:
    if report.active is None:
        return say("the session does not say")
    return say("yes") if report.active else say("no")


def _file(file: str, line: int) -> Iterator[Fact]:
    if file:
        yield Fact(say("File"), None, (Link(LinkTo.FILE, file, plain(f"{file}:{line}" if line else file)),))


def _window(runtime: RuntimeReport) -> Sentence:
    told = say("the whole history") if runtime.max_turns is None else say("the last {n} turns", n=runtime.max_turns)
    return say("{history}, with summaries", history=told) if runtime.include_summaries else told


def _input(declared: DeclaredInput) -> Sentence:
    told = say("{name} from {source}, {scope}", name=declared.name, source=declared.source, scope=declared.scope)
    return say("{input}, required", input=told) if declared.required else told


def _declared(declared: DeclaredSegment, estimator: str) -> Iterator[Fact]:
    yield Fact(say("Made by"), say("text in its files") if declared.is_static else say("code of the plugin"))
    pieces: list[Sentence] = []
    if declared.position:
        pieces.append(say("position {position}", position=declared.position))
    if declared.volatility is not None:
        pieces.append(say("changes {when}", when=VOLATILITY[declared.volatility]))
    if declared.audience:
        pieces.append(say("audience {audience}", audience=declared.audience))
    if declared.order is not None:
        pieces.append(say("order {order}", order=f"{declared.order:g}"))
    if declared.role:
        pieces.append(say("role {role}", role=declared.role))
    if pieces:
        yield Fact(say("Declared") if declared.is_static else say("Assumed"), listed(pieces))
    if declared.tokens:
        yield Fact(
            say("Tokens"),
            say("{n}, estimated ({estimator})", n=figure(declared.tokens), estimator=estimator_name(estimator)),
        )
    yield from _file(declared.file, declared.line)
