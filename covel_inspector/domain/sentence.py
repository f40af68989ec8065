"""Sentences for people, kept apart from the language they are read in.

A pure module says ``say("{n} messages left out", n=3)``; a window or the command line looks the template
up in its catalogue and fills it. English is the template itself, so a sentence can always be read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

LookUp = Callable[[str], str]
"""From an English template to the same template in the reader's language."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A template in English and the values that go into its ``{placeholders}``.

    Values are texts, numbers or further sentences. ``str()`` gives English.
    """

    template: str
    values: Mapping[str, "str | int | float | Sentence"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __hash__(self) -> int:
        return hash((self.template, tuple(sorted((key, str(value)) for key, value in self.values.items()))))

    def __str__(self) -> str:
        return self.render(lambda template: template)

    def render(self, look_up: LookUp) -> str:
        """Fill the template that ``look_up`` gives for ours; sentences inside are rendered the same way."""
        template = look_up(self.template)
        if not self.values:
            return template
        filled = {
            key: value.render(look_up) if isinstance(value, Sentence) else str(value)
            for key, value in self.values.items()
        }
        return _fill(template, filled)


def _fill(template: str, values: Mapping[str, str]) -> str:
    """One pass, so that a value holding ``{braces}`` is never looked at again."""
    pieces: list[str] = []
    rest = template
    while True:
        head, opened, tail = rest.partition("{")
        pieces.append(head)
        if not opened:
            return "".join(pieces)
        name, closed, after = tail.partition("}")
        if closed and name in values:
            pieces.append(values[name])
            rest = after
        else:
            pieces.append("{")
            rest = tail


def say(template: str, **values: "str | int | float | Sentence") -> Sentence:
    """A sentence. The template must be a literal: the catalogue test collects it from the source text."""
    return Sentence(template, values)


def plain(text: str) -> Sentence:
    """A text that needs no translation: a name, an id, a quotation."""
    return Sentence("{text}", {"text": text})
