"""click with help texts in the reader's language, looked up when help is shown."""

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click

from covel_inspector.cli.reader import Reader

Function = TypeVar("Function", bound=Callable[..., Any])


def _look_up(context: click.Context, text: str | None) -> str | None:
    reader = context.find_object(Reader)
    return reader.words.look_up(text) if reader and text else text


class TranslatedOption(click.Option):
    """An option whose help is an English template of the catalogue."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Name and help, in the reader's language."""
        record = super().get_help_record(ctx)
        if record is None or not self.help:
            return record
        return record[0], record[1].replace(self.help, _look_up(ctx, self.help) or "")


class TranslatedCommand(click.Command):
    """A command whose help is an English template of the catalogue."""

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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands with the first line of each one's help."""
        rows = []
        for name, command in self.commands.items():
            text = _look_up(ctx, command.help) or ""
            rows.append((name, text.partition("\n")[0]))
        with formatter.section("Commands"):
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
            hint = f" Did you mean '{meant[0]}'?" if meant else ""
            raise click.UsageError(f"There is no command and no file '{name}'.{hint}", ctx)
        return self.fallback, fallback, args


def option(*declarations: str, **settings: Any) -> Callable[[Function], Function]:
    """``click.option`` with translated help."""
    return click.option(*declarations, cls=TranslatedOption, **settings)
