"""``--draft``: changes of a request from a file."""

from dataclasses import replace
from pathlib import Path

import click

from covel_inspector.cli.help_text import Function, option
from covel_inspector.domain import Changes, say
from covel_inspector.domain.drafts import DraftError, parse_draft


def draft_option(command: Function) -> Function:
    """``--draft``: a file of changes, as the window saves it."""
    return option(
        "--draft",
        type=click.Path(exists=True, dir_okay=False),
        metavar="DRAFT",
        help=str(say("Changes from a draft that was saved before; the story itself is never changed.")),
    )(command)


def changes_of(draft: str | None, window: int | None = None, reserve: int | None = None) -> Changes:
    """The changes of a draft with the options over them. Raises DraftError for a file that is no draft."""
    changes = Changes()
    if draft is not None:
        try:
            text = Path(draft).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise DraftError(say("{file} is no JSON file: {error}.", file=draft, error=str(error))) from error
        changes = parse_draft(text, draft).changes
    if window is not None:
        changes = replace(changes, window=window)
    return changes if reserve is None else replace(changes, reserve=reserve)
