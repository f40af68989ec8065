"""How a lorebook key hits a text. Follows the reference on the assembler, section 10."""

import re
from collections.abc import Iterator
from functools import lru_cache

from covel_inspector.engines.covel.javascript import is_blank

# Letters of these scripts are edges of a word, as they are written without blanks: Han, Hiragana, Katakana, Hangul.
_HAN = "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff"
_HAN_REST = "\uf900-\ufa6d\ufa70-\ufad9\U00016fe2\U00016fe3\U00016ff0\U00016ff1\U00020000-\U000323af"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\u32d0-\u32fe\u3300-\u3357"
_KANA_REST = "\uff66-\uff6f\uff71-\uff9d\U0001aff0-\U0001affe\U0001b000-\U0001b167\U0001f200"
_HANGUL = "\u1100-\u11ff\u302e\u302f\u3131-\u318e\u3200-\u321e\u3260-\u327e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
_HANGUL_REST = "\uffa0-\uffbe\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc"
_INSIDE_WORD = rf"[^\W{_HAN}{_HAN_REST}{_KANA}{_KANA_REST}{_HANGUL}{_HANGUL_REST}]"
_WORD_KEY = re.compile(r"(?=.*[A-Za-z])[\x20-\x7e]+")


def find_key(key: str, lowered: str) -> int | None:
    """Where a key hits a lower-cased text, in code points; None when it does not. Blank keys never hit."""
    return next(find_keys(key, lowered), None)


def find_keys(key: str, lowered: str) -> Iterator[int]:
    """Every place where a key hits a lower-cased text, without overlap, in order."""
    wanted = key.lower()
    if is_blank(key) or wanted not in lowered:
        return
    if matches_words(key):
        yield from (found.start() for found in _word_pattern(wanted).finditer(lowered))
        return
    place = lowered.find(wanted)
    while place >= 0:
        yield place
        place = lowered.find(wanted, place + len(wanted))


def matches_words(key: str) -> bool:
    """True for keys that match whole words; every other key hits wherever it stands."""
    return _WORD_KEY.fullmatch(key.lower()) is not None


@lru_cache(maxsize=1024)
def _word_pattern(wanted: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!{_INSIDE_WORD}){re.escape(wanted)}(?:s|es|'s|’s)?(?!{_INSIDE_WORD})")
