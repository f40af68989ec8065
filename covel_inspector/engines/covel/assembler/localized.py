"""Texts in several languages inside JSON. Follows the reference on the assembler, section 9."""

from collections.abc import Iterator, Mapping

from covel_inspector.engines.covel.assembler.params import Json
from covel_inspector.engines.covel.javascript import Locale, parse_locale

FALLBACK = "en-US"

_UNMISTAKABLE = frozenset(("zh", "en", "ru"))
_TWO_LETTERS = 2


def resolve(variants: Mapping[str, Json], locale: str | None) -> str | None:
    """The text of a map from locale to text that fits a locale best; None when it holds no text.

    From the closest fit to the loosest: the locale itself, its language alone where the script is the same, another
    locale of that language and script. Failing that the fallback is tried in the same way, and at last the first text.
    """
    texts = {key: text for key, text in variants.items() if isinstance(text, str)}
    for wanted in (locale, FALLBACK):
        found = _fitting(texts, wanted) if wanted else None
        if found is not None:
            return found
    return next(iter(texts.values()), None)


def is_language_map(value: Json) -> bool:
    """True for an object of texts whose keys are all language tags, one of them at least unmistakable."""
    if not isinstance(value, Mapping) or not value:
        return False
    if not all(isinstance(text, str) for text in value.values()):
        return False
    tags = [parse_locale(key) for key in value]
    if not all(tag is not None and len(tag.language) == _TWO_LETTERS for tag in tags):
        return False
    return any(tag is not None and (tag.script or tag.region or tag.language in _UNMISTAKABLE) for tag in tags)


def resolve_leaves(value: Json, locale: str | None) -> Json:
    """A copy of a JSON value in which each language map is the text that fits the locale."""
    if isinstance(value, Mapping):
        if is_language_map(value):
            return resolve(value, locale)
        return {name: resolve_leaves(member, locale) for name, member in value.items()}
    if isinstance(value, list):
        return [resolve_leaves(member, locale) for member in value]
    return value


def _fitting(texts: Mapping[str, str], locale: str) -> str | None:
    exact = locale.replace("_", "-").lower()
    for key, text in texts.items():
        if key.replace("_", "-").lower() == exact:
            return text
    wanted = parse_locale(locale)
    if wanted is None:
        return None
    related = list(_related(texts, wanted))
    bare = next((text for tag, text in related if tag.tag == tag.language), None)
    return bare if bare is not None else next((text for _, text in related), None)


def _related(texts: Mapping[str, str], wanted: Locale) -> Iterator[tuple[Locale, str]]:
    for key, text in texts.items():
        tag = parse_locale(key)
        if tag is not None and tag.shares_writing(wanted):
            yield tag, text
