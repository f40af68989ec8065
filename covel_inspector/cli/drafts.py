"""``--draft``: changes of a request from a file."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from covel_inspector.cli.help_text import Function, option
from covel_inspector.cli.reader import Reader
from covel_inspector.domain import Address, AddressError, Changes, Sentence, Source, say
from covel_inspector.domain.drafts import Draft, DraftError, parse_draft


def draft_option(command: Function) -> Function:
    """``--draft``: a file of changes, as the window saves it."""
    return option(
        "--draft",
        type=click.Path(exists=True, dir_okay=False),
        metavar="DRAFT",
        help=str(say("Changes from a draft that was saved before; the story itself is never changed.")),
    )(command)


def read_draft(draft: str | None, window: int | None = None, reserve: int | None = None) -> Draft:
    """A draft with the options over it. Raises DraftError for a file that is no draft."""
    read = Draft(Changes())
    if draft is not None:
        try:
            text = Path(draft).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise DraftError(say("{file} is no JSON file: {error}.", file=draft, error=str(error))) from error
        read = parse_draft(text, draft)
    changes = read.changes
    if window is not None:
        changes = replace(changes, window=window)
    return replace(read, changes=changes if reserve is None else replace(changes, reserve=reserve))


def notes_on(draft: Draft, source: Source, place: Address) -> list[Sentence]:
    """What a reader of the outcome should know: which names in the draft fit nothing, and for which call it was made.

    A draft may be tried on any call, so that it was made for another one of the same runtime is no news.
    """
    notes = list(source.unmatched(place, draft.changes))
    if not draft.address:
        return notes
    try:
        made_for = source.resolve(draft.address)
    except AddressError as error:
        return [say("The draft was made for a call that is not in this file. {why}", why=error.sentence), *notes]
    if made_for.runtime != place.runtime:
        notes.insert(0, say("The draft was made for another runtime: {address}.", address=str(made_for)))
    return notes


def with_notes(reader: Reader, draft: str | None, notes: Iterable[Sentence]) -> dict[str, list[str]]:
    """The notes as a field of a JSON object: ``draftNotes``, only there when a draft was given."""
    return {} if draft is None else {"draftNotes": [reader.text(note) for note in notes]}
