"""click with help texts in the reader's language, looked up when help is shown."""

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click

from covel_inspector.cli.reader import Reader
from covel_inspector.domain import Sentence, say

Function = TypeVar("Function", bound=Callable[..., Any])


_HELP = say("Show this message and exit.")


def _said(context: click.Context, sentence: Sentence) -> str:
    reader = context.find_object(Reader)
    return reader.text(sentence) if reader else str(sentence)


def _look_up(context: click.Context, text: str | None) -> str | None:
    reader = context.find_object(Reader)
    return reader.words.look_up(text) if reader and text else text


class _Formatter(click.HelpFormatter):
    """Headings carry their own colon: Chinese has another one."""

    def write_heading(self, heading: str) -> None:
        """A heading as it is."""
        self.write(f"{'':>{self.current_indent}}{heading}\n")


class _Context(click.Context):
    formatter_class = _Formatter


class TranslatedOption(click.Option):
    """An option whose help is an English template of the catalogue."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Name and help, in the reader's language."""
        record = super().get_help_record(ctx)
        if record is None or not self.help:
            return record
        return record[0], record[1].replace(self.help, _look_up(ctx, self.help) or "")


class TranslatedCommand(click.Command):
    """A command whose help is an English template of the catalogue; click's own words around it are ours too."""

    context_class = _Context

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The first line."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{_said(ctx, say('Usage:'))} ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of options."""
        records = [one.get_help_record(ctx) for one in self.get_params(ctx) if isinstance(one, click.Option)]
        with formatter.section(_said(ctx, say("Options:"))):
            formatter.write_dl([record for record in records if record is not None])

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """``--help``, which says in the reader's language what it does."""
        made = super().get_help_option(ctx)
        if made is not None:
            made.help = _said(ctx, _HELP)
        return made

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The long text, in the reader's language."""
        english = self.help
        self.help = _look_up(ctx, english)
        try:
            super().format_help_text(ctx, formatter)
        finally:
            self.help = english


class TranslatedGroup(TranslatedCommand, click.Group):
    """A group of commands; ``fallback`` names the command that takes what is no command (a file)."""

    fallback = ""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of options, and the commands behind it."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands with the first line of each one's help."""
        rows = []
        for name, command in self.commands.items():
            text = _look_up(ctx, command.help) or ""
            rows.append((name, text.partition("\n")[0]))
        with formatter.section(_said(ctx, say("Commands:"))):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command, or the fallback with all arguments."""
        fallback = self.commands.get(self.fallback)
        if fallback is None or not args or args[0] in self.commands:
            return super().resolve_command(ctx, args)
        name = args[0]
        if name.isidentifier() and not Path(name).exists():
            meant = get_close_matches(name, self.commands, 1)
            told = say("There is no command and no file '{name}'.", name=name)
            if meant:
                told = say("{what} Did you mean “{meant}”?", what=told, meant=meant[0])
            raise click.UsageError(_said(ctx, told), ctx)
        return self.fallback, fallback, args


def option(*declarations: str, **settings: Any) -> Callable[[Function], Function]:
    """``click.option`` with translated help."""
    return click.option(*declarations, cls=TranslatedOption, **settings)
