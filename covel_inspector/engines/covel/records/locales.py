"""Locale tags and the choice among variants of a text.

Follows the references on plugins (section 1) and on the assembler (sections 4 and 9).

The usual scripts of common languages are known here; any other language counts as written in one script without a name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from covel_inspector.engines.covel.records.manifests import Localized

ENGLISH = "en"
LONGEST = 64
"""Code points a tag may have; the engine rejects longer ones."""

_SUBTAG = re.compile(r"[A-Za-z0-9]{1,8}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}|[A-Za-z]{5,8}")

_LANGUAGES_OF_SCRIPT = {
    "Hans": "zh",
    "Hant": "yue",
    "Latn": (
        "af az bs ca cs cy da de en es et eu fi fil fr ga gl hr hu id is it ku lt lv ms nb nl nn no pl pt ro sk sl sq "
        "sv sw tr uz vi"
    ),
    "Cyrl": "be bg kk ky mk mn ru sr tg uk",
    "Arab": "ar fa ps ug ur",
    "Deva": "hi mr ne",
    "Armn": "hy",
    "Beng": "bn",
    "Geor": "ka",
    "Grek": "el",
    "Guru": "pa",
    "Hebr": "he yi",
    "Jpan": "ja",
    "Khmr": "km",
    "Kore": "ko",
    "Laoo": "lo",
    "Mymr": "my",
    "Taml": "ta",
    "Telu": "te",
    "Thai": "th",
}
_USUAL_SCRIPT = {
    language: script for script, languages in _LANGUAGES_OF_SCRIPT.items() for language in languages.split()
}
_SCRIPT_IN_REGION = {
    ("zh", "TW"): "Hant",
    ("zh", "HK"): "Hant",
    ("zh", "MO"): "Hant",
    ("yue", "CN"): "Hans",
    ("sr", "ME"): "Latn",
    ("pa", "PK"): "Arab",
    ("uz", "AF"): "Arab",
    ("az", "IR"): "Arab",
    ("kk", "CN"): "Arab",
    ("mn", "CN"): "Mong",
    ("ku", "IQ"): "Arab",
}


@dataclass(frozen=True, slots=True)
class Locale:
    """A parsed tag. ``tag`` is in canonical case; ``script`` is written in the tag or the likely one, else empty."""

    tag: str
    language: str
    script: str

    def fits(self, other: "Locale") -> bool:
        """True when both have the same language in the same script."""
        return (self.language, self.script) == (other.language, other.script)


@dataclass(frozen=True, slots=True)
class Variant:
    """The variant that was chosen: its tag as the :class:`Localized` has it (empty = without locale), and its text."""

    tag: str
    text: str


def parse_locale(text: str) -> Locale | None:
    """A tag in any case, with ``_`` or ``-``, blanks around it; None when it is no locale tag."""
    cleaned = text.strip().replace("_", "-")
    if not cleaned or len(cleaned) > LONGEST:
        return None
    language, *rest = cleaned.split("-")
    if not _LANGUAGE.fullmatch(language) or not all(_SUBTAG.fullmatch(subtag) for subtag in rest):
        return None
    language = language.lower()
    script = region = ""
    subtags = [language]
    for position, subtag in enumerate(rest):
        if len(subtag) == 4 and subtag.isalpha() and position == 0:
            script = subtag.title()
            subtags.append(script)
        elif not region and ((len(subtag) == 2 and subtag.isalpha()) or (len(subtag) == 3 and subtag.isdigit())):
            region = subtag.upper()
            subtags.append(region)
        else:
            subtags.append(subtag.lower())
    likely = _SCRIPT_IN_REGION.get((language, region)) or _USUAL_SCRIPT.get(language, "")
    return Locale("-".join(subtags), language, script or likely)


def choose_variant(localized: Localized, locale: str, *, untagged: str = "") -> Variant | None:
    """The variant the engine takes for a session's locale; None when no rule reaches one.

    In order: the exact tag; the bare language, if it is written in the same script; another region of the same language
    and script; English (``en``, then ``en-US``, then any); the variant without a tag. ``zh-Hant`` never takes ``zh``.
    An invalid ``locale`` starts at English. ``untagged`` says which locale the variant without a tag is written
    in, where that is known (a world's default locale): it then also counts as a variant of that tag.
    """
    parsed = {tag: parse_locale(tag or untagged) for tag in localized.variants}
    wanted = parse_locale(locale)
    tag = None
    if wanted is not None:
        tag = _matching(parsed, wanted)
    if tag is None:
        tag = _english(parsed)
    if tag is None and "" in localized.variants:
        tag = ""
    return None if tag is None else Variant(tag, localized.variants[tag])


def choose_from_map(texts: Mapping[str, str], locale: str) -> Variant | None:
    """The rule for texts written as a map of tags: as :func:`choose_variant`, and the first one when nothing fits."""
    chosen = choose_variant(Localized(dict(texts)), locale)
    if chosen is None and texts:
        tag = next(iter(texts))
        chosen = Variant(tag, texts[tag])
    return chosen


def _matching(parsed: Mapping[str, Locale | None], wanted: Locale) -> str | None:
    known = [(tag, locale) for tag, locale in parsed.items() if locale is not None]
    for tag, locale in known:
        if locale.tag == wanted.tag:
            return tag
    for tag, locale in known:
        if locale.tag == wanted.language and locale.fits(wanted):
            return tag
    return next((tag for tag, locale in known if locale.fits(wanted)), None)


def _english(parsed: Mapping[str, Locale | None]) -> str | None:
    english = {locale.tag: tag for tag, locale in parsed.items() if locale is not None and locale.language == ENGLISH}
    for tag in (ENGLISH, "en-US"):
        if tag in english:
            return english[tag]
    return next(iter(english.values()), None)
