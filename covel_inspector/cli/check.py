"""``check``: rules for continuous integration."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from covel_inspector.cli.help_text import TranslatedCommand, option
from covel_inspector.cli.options import chosen_form, common, covel_root
from covel_inspector.cli.output import print_lines, writes_utf8
from covel_inspector.cli.reader import Reader
from covel_inspector.cli.report import Ticker
from covel_inspector.cli.selecting import find_session, listed_names
from covel_inspector.domain import Sentence, Session, Source, SourceError, say

if TYPE_CHECKING:
    from covel_inspector.analysis.checking.rule_file import RuleFile


@click.command(
    cls=TranslatedCommand,
    help=str(
        say(
            "Check FILE by rules: trouble in prompts, verdicts, shared prefixes, sizes. The exit status is 1 when a "
            "rule is broken. Without --rules only lint runs, and findings from warnings up break their rule."
        )
    ),
)
@click.argument("file")
@option("--rules", "rules_file", metavar="RULES.toml", help=str(say("Which rules, how grave, and which limits.")))
@option("--session", metavar="ID", help=str(say("Only this session; the beginning of its id is enough.")))
@option("--format", "form", type=click.Choice(["text", "json", "junit"]), default="text", help=str(say("Form.")))
@option("--json", "as_json", is_flag=True, help=str(say("Short for --format json.")))
@covel_root
@common
@click.pass_context
def check(
    context: click.Context,
    file: str,
    covel_root: str | None,
    rules_file: str | None,
    session: str | None,
    form: str,
    as_json: bool,
) -> int:
    form = chosen_form(context, "form", form, as_json)
    reader = context.ensure_object(Reader)
    from covel_inspector.analysis.checking.check import check as run_check
    from covel_inspector.report.check import check_lines, check_object
    from covel_inspector.report.junit import junit_lines

    with reader.opened(file, covel_root) as source:
        rules = _rules(rules_file, source)
        chosen = None if session is None else [find_session(source, session)]
        ticker = Ticker(reader)
        try:
            outcome = run_check(source, rules, chosen, ticker)
        finally:
            ticker.clear()
        unknown = list(_unknown_runtimes(source, rules, chosen))
    reader.print_notes(unknown)
    if form == "json":
        reader.print_json(check_object(outcome, reader.words))
    elif form == "junit":
        print_lines(junit_lines(outcome, reader.words, ascii_only=not writes_utf8()))
    else:
        print_lines(check_lines(outcome, reader.words))
    return 1 if outcome.broken else 0


def _rules(rules_file: str | None, source: Source) -> "RuleFile":
    """The rules of a file, or the usual ones. Raises SourceError for a file that cannot be read."""
    from covel_inspector.analysis.checking.rule_file import RuleFile, read_rule_file
    from covel_inspector.analysis.lint.registry import all_rules

    if rules_file is None:
        return RuleFile()
    try:
        text = Path(rules_file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(say("{file} is not UTF-8.", file=rules_file)) from error
    return read_rule_file(text, rules_file, [rule.id for rule in all_rules(source)])


def _unknown_runtimes(source: Source, rules: "RuleFile", sessions: Sequence[Session] | None) -> Iterator[Sentence]:
    """A note when limits name runtimes that made no call: the same file of rules may serve other stories too."""
    named = {name for limit in (rules.prefix, rules.tokens, rules.unknown_percent) for name in limit.runtimes}
    if not named:
        return
    chosen = source.sessions() if sessions is None else sessions
    known = {call.address.runtime for one in chosen for call in source.calls(one.id)}
    if named - known:
        yield say(
            "The rules have limits for runtimes that made no call here: {names}. Runtimes: {runtimes}.",
            names=listed_names(named - known),
            runtimes=listed_names(known),
        )
