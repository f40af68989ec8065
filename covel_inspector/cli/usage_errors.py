"""What is wrong with a command line, in sentences of ours: click's own are English whatever the reader's language."""

from typing import Any

import click

from covel_inspector.domain import Sentence, plain, say


def usage_sentence(error: click.ClickException) -> Sentence:
    """The error in one sentence; in click's words where we have none."""
    if isinstance(error, click.NoSuchOption):
        told = say("There is no option '{name}'.", name=error.option_name)
        close = list(error.possibilities or ())
        return say("{what} Did you mean “{meant}”?", what=told, meant=close[0]) if close else told
    if isinstance(error, click.MissingParameter):
        return say("{name} is missing.", name=_name(error))
    if isinstance(error, click.BadParameter) and error.param is not None:
        wanted = _wanted(error.param.type)
        if wanted is not None:
            return say("{name} must be: {wanted}.", name=_name(error), wanted=wanted)
    return plain(_ended(error.format_message()))


def _wanted(kind: click.ParamType[Any]) -> Sentence | None:
    """What a value of this kind has to be; None for a kind of which only click knows."""
    if isinstance(kind, click.Choice):
        return say("one of {choices}", choices=", ".join(str(choice) for choice in kind.choices))
    if isinstance(kind, click.Path) and kind.exists:
        return say("a file that exists") if kind.file_okay else say("a folder that exists")
    if isinstance(kind, click.IntRange) and kind.min is not None and kind.max is not None:
        return say("a whole number from {least} to {most}", least=kind.min, most=kind.max)
    return say("a whole number") if isinstance(kind, click.types.IntParamType) else None


def _name(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    return error.param.get_error_hint(error.ctx).strip("'").replace("' / '", ", ")


def _ended(text: str) -> str:
    """On one line, with an end."""
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!", "。", "？", "！")) else f"{text}."
