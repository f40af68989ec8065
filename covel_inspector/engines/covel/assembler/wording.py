"""A text pack bound to the language of one context, and the names of languages."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from covel_inspector.engines.covel.javascript import instruction_language, parse_locale
from covel_inspector.engines.covel.textpack import TextPack
from covel_inspector.resource_files import resource_path


@dataclass(frozen=True, slots=True)
class Wording:
    """The engine's sentences in the instruction language (``en`` or ``zh``)."""

    pack: TextPack
    language: str

    @classmethod
    def of(cls, pack: TextPack, locale: str | None, override: str = "") -> "Wording":
        """The wording for a session's locale. Follows the reference on the assembler, section 4."""
        return cls(pack, instruction_language(locale, override))

    def text(self, key: str, **placeholders: object) -> str:
        """A sentence with its placeholders filled."""
        return self.pack.text(key, self.language, **placeholders)

    def listed(self, names: Sequence[str]) -> str:
        """Names in a row, joined as the language does it."""
        return ("、" if self.language == "zh" else ", ").join(names)


@cache
def _language_names() -> Mapping[str, str]:
    names: dict[str, str] = json.loads(resource_path("covel", "language-names.json").read_text(encoding="utf-8"))
    return names


def language_name(locale: str) -> tuple[str, bool]:
    """The name of a locale in its own language, and whether we know it.

    An invalid locale is its own name. For a valid one that is not in our list we give its canonical tag and False:
    the engine asks a far longer list than ours.
    """
    parsed = parse_locale(locale)
    if parsed is None:
        return locale, True
    name = _language_names().get(parsed.tag)
    return (parsed.tag, False) if name is None else (name, True)
