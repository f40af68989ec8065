"""Locale tags as the engine reads them, and the language in which it writes its own sentences.

Follows the reference on the assembler, section 4 (instruction language).
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from covel_inspector.engines.covel.javascript.strings import trim

MAX_LENGTH = 64
"""A longer text is no locale."""

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3}|[a-z]{5,8})"
    r"(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?"
    r"(?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)"
    r"(?P<extensions>(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*)"
    r"(?P<private>(?:-x(?:-[a-z0-9]{1,8})+)?)",
    re.IGNORECASE,
)
_RENAMED = {"cmn": "zh", "iw": "he", "in": "id", "ji": "yi", "tl": "fil", "mo": "ro", "sh": "sr"}
_TRADITIONAL_REGIONS = frozenset(
    ("AU", "BN", "GB", "GF", "HK", "ID", "MO", "PA", "PF", "PH", "SR", "TH", "TW", "US", "VN")
)
"""Regions for which CLDR's likely script of Chinese is Hant."""


@dataclass(frozen=True, slots=True)
class Locale:
    """A valid locale: canonical tag and its main parts (empty when absent)."""

    tag: str
    language: str
    script: str
    region: str

    @property
    def likely_script(self) -> str:
        """The script that is written or follows from language and region; empty when we do not know."""
        if self.script:
            return self.script
        if self.language == "zh":
            return "Hant" if self.region in _TRADITIONAL_REGIONS else "Hans"
        return ""

    def shares_writing(self, other: "Locale") -> bool:
        """True when language and likely script are the same."""
        return self.language == other.language and self.likely_script == other.likely_script


@lru_cache(maxsize=256)
def parse_locale(text: str) -> Locale | None:
    """A locale from its text form (``_`` counts as ``-``, blanks around are ignored); None for an invalid one."""
    written = trim(text).replace("_", "-")
    if len(written) > MAX_LENGTH:
        return None
    found = _TAG.fullmatch(written)
    if found is None:
        return None
    language = found["language"].lower()
    language = _RENAMED.get(language, language)
    script = (found["script"] or "").capitalize()
    region = (found["region"] or "").upper()
    rest = (found["variants"] + found["extensions"] + found["private"]).lower()
    tag = "-".join(piece for piece in (language, script, region) if piece) + rest
    return Locale(tag, language, script, region)


def instruction_language(locale: str | None, override: str = "") -> str:
    """``zh`` for Chinese in simplified writing, else ``en``; ``override`` (en or zh, any case) wins."""
    chosen = trim(override).lower()
    if chosen in ("en", "zh"):
        return chosen
    parsed = parse_locale(locale) if locale else None
    return "zh" if parsed is not None and parsed.language == "zh" and parsed.likely_script == "Hans" else "en"
