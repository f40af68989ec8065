"""Text packs: every sentence that the engine writes itself, by key and instruction language.

Follows the reference on the assembler, section 4. A pack is immutable. Its file form is JSON:
``{"format": "covel-inspector-texts/1", "texts": {key: {"en": text, "zh": text}}}``, a text being a string or a list
of lines (for ``compaction.focus``: a list of words).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Self

from covel_inspector.resource_files import resource_path

FORMAT = "covel-inspector-texts/1"

_PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z0-9]*)\}")


class TextPackError(ValueError):
    """A pack that cannot be read, or lacks a text. The message is a line for people."""


@dataclass(frozen=True, slots=True)
class TextPack:
    """Key → language → text. Later entries of :meth:`overlaid` win, key by key and language by language."""

    texts: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Each text as its lines (or words); a text given as one string is one item, line feeds included."""

    def __post_init__(self) -> None:
        frozen = {key: MappingProxyType(dict(variants)) for key, variants in self.texts.items()}
        object.__setattr__(self, "texts", MappingProxyType(frozen))

    def words(self, key: str, language: str) -> tuple[str, ...]:
        """The items of a text. A language that the pack lacks falls back to English, then to any other.

        Raises TextPackError when the pack has no such key.
        """
        variants = self.texts.get(key)
        if not variants:
            raise TextPackError(f"The text pack has no text '{key}': add it, or lay the pack over the default one.")
        found = variants.get(language)
        if found is None:
            found = variants.get("en")
        return next(iter(variants.values())) if found is None else found

    def text(self, key: str, language: str, **placeholders: object) -> str:
        """A text with its placeholders filled in one pass: what is filled in is never looked at again.

        Placeholders without a value stay as they are. Raises TextPackError for an unknown key.
        """
        template = "\n".join(self.words(key, language))
        if not placeholders:
            return template
        return _PLACEHOLDER.sub(lambda found: str(placeholders.get(found[1], found[0])), template)

    def overlaid(self, other: "TextPack") -> "TextPack":
        """This pack with another one laid over it."""
        merged: dict[str, dict[str, tuple[str, ...]]] = {key: dict(variants) for key, variants in self.texts.items()}
        for key, variants in other.texts.items():
            merged.setdefault(key, {}).update(variants)
        return TextPack(merged)

    def with_texts(self, texts: Mapping[str, str], language: str) -> "TextPack":
        """This pack with the given texts of one language in their places."""
        return self.overlaid(TextPack({key: {language: (text,)} for key, text in texts.items()}))

    @classmethod
    def from_json(cls, value: object, where: str = "the text pack") -> Self:
        """A pack from its decoded file form. Raises TextPackError that names the key which is wrong."""
        texts = value.get("texts") if isinstance(value, dict) else None
        if not isinstance(value, dict) or value.get("format") != FORMAT or not isinstance(texts, dict):
            raise TextPackError(f'{where}: expected an object with "format": "{FORMAT}" and "texts"')
        read: dict[str, dict[str, tuple[str, ...]]] = {}
        for key, variants in texts.items():
            if not isinstance(variants, dict):
                raise TextPackError(f"{where}: '{key}' should be an object of language to text")
            read[key] = {language: _items(text, where, key) for language, text in variants.items()}
        return cls(read)

    @classmethod
    def load(cls, path: Path) -> Self:
        """A pack from a file. Raises TextPackError when it cannot be read."""
        try:
            value = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise TextPackError(f"{path}: cannot be read ({error.strerror})") from error
        except (UnicodeDecodeError, ValueError) as error:
            raise TextPackError(f"{path}: is no JSON file ({error})") from error
        return cls.from_json(value, str(path))


def _items(text: object, where: str, key: str) -> tuple[str, ...]:
    if isinstance(text, str):
        return (text,)
    if isinstance(text, list) and all(isinstance(item, str) for item in text):
        return tuple(text)
    raise TextPackError(f"{where}: '{key}' should be a string or a list of strings in every language")


@cache
def default_pack() -> TextPack:
    """Our own wording, read once from the resources."""
    return TextPack.load(resource_path("covel", "texts.json"))
