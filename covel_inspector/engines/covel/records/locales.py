"""The choice among the variants of a text. Follows the reference on plugins, section 1."""

from collections.abc import Mapping
from dataclasses import dataclass

from covel_inspector.engines.covel.javascript import Locale, parse_locale
from covel_inspector.engines.covel.records.manifests import Localized

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Variant:
    """The variant that was chosen: its tag as the :class:`Localized` has it (empty = without locale), and its text."""

    tag: str
    text: str


def choose_variant(localized: Localized, locale: str, *, untagged: str = "") -> Variant | None:
    """The variant the engine takes for a session's locale; None when no rule reaches one.

    In order: the exact tag; the bare language, if it is written in the same script; another region of the same language
    and script; English (``en``, then ``en-US``, then any); the variant without a tag. ``zh-Hant`` never takes ``zh``.
    An invalid ``locale`` starts at English. ``untagged`` says which locale the variant without a tag is written
    in, where that is known (a world's default locale): it then also counts as a variant of that tag.
    """
    parsed = {tag: parse_locale(tag or untagged) for tag in localized.variants}
    wanted = parse_locale(locale)
    tag = None if wanted is None else _matching(parsed, wanted)
    if tag is None:
        tag = _english(parsed)
    if tag is None and "" in localized.variants:
        tag = ""
    return None if tag is None else Variant(tag, localized.variants[tag])


def _matching(parsed: Mapping[str, Locale | None], wanted: Locale) -> str | None:
    known = [(tag, locale) for tag, locale in parsed.items() if locale is not None]
    for tag, locale in known:
        if locale.tag == wanted.tag:
            return tag
    fitting = [(tag, locale) for tag, locale in known if locale.shares_writing(wanted)]
    for tag, locale in fitting:
        if locale.tag == wanted.language:
            return tag
    return fitting[0][0] if fitting else None


def _english(parsed: Mapping[str, Locale | None]) -> str | None:
    english = {locale.tag: tag for tag, locale in parsed.items() if locale is not None and locale.language == ENGLISH}
    for tag in (ENGLISH, "en-US"):
        if tag in english:
            return english[tag]
    return next(iter(english.values()), None)
