"""What the Template panel says about one variable: its value, where it is from, and what it was before. Pure."""

from collections.abc import Iterator

from covel_inspector.app.figures import figure
from covel_inspector.app.page import Fact, Link, LinkTo, Page
from covel_inspector.app.request_places import variable_leaves
from covel_inspector.app.why_chain import file_link, row_link
from covel_inspector.domain import (
    Kind,
    Origin,
    SegmentTree,
    Sentence,
    TemplateReport,
    TemplateVariable,
    plain,
    say,
)
from covel_inspector.report.names import VOLATILITY, estimator_name
from covel_inspector.report.terminal import clip, one_line

_LONGEST = 600
"""Columns of an earlier value that are shown."""


def variable_page(variable: TemplateVariable, report: TemplateReport, tree: SegmentTree | None, estimator: str) -> Page:
    """About a variable in the call of the report; ``tree`` is the request, where it is shown."""
    return Page(
        title=plain(one_line(variable.path)),
        kind=Kind.BODY,
        lead=tuple(_lead(variable)),
        facts=tuple(_facts(variable, report, estimator)),
        paragraphs=variable.notes,
        warnings=(variable.cut,) if variable.cut is not None else (),
        quote=variable.value,
        links=tuple(_links(variable, report, tree)),
    )


def _lead(variable: TemplateVariable) -> Iterator[Sentence]:
    if variable.is_missing:
        yield say("It has no value, so nothing stands in its place.")
    if variable.changed:
        yield say("It is another value than in the turn before.")
    elif variable.changed is False:
        yield say("The same value as in the turn before.")
    else:
        yield say("There is no call in the turn before to compare with, or its value is not known.")


def _facts(variable: TemplateVariable, report: TemplateReport, estimator: str) -> Iterator[Fact]:
    links = [file_link(Origin(file=report.file, line=variable.line or report.line))] if report.file else []
    if variable.origin.table:
        links.append(row_link(variable.origin))
    yield Fact(say("From"), variable.where, tuple(links), is_chain=True)
    if variable.changed and variable.before is not None:
        yield Fact(say("Before"), plain(clip(one_line(variable.before), _LONGEST)) if variable.before else say("empty"))
    yield Fact(say("Changes"), VOLATILITY[variable.volatility])
    if variable.uses > 1:
        yield Fact(say("Stands there"), say("{n} times", n=variable.uses))
    told = say("{n}, estimated ({estimator})", n=figure(variable.tokens), estimator=estimator_name(estimator))
    yield Fact(say("Tokens"), told)


def _links(variable: TemplateVariable, report: TemplateReport, tree: SegmentTree | None) -> Iterator[Link]:
    leaves = variable_leaves(tree, variable.path) if tree is not None else []
    if leaves and leaves[0].place is not None:
        yield Link(LinkTo.PLACE, str(report.address), say("Show it in the request"), leaves[0].place)
