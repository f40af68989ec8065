"""Cuts a text into the pieces in which people read and compare it. Joining the pieces gives the text again."""

import re
from collections.abc import Iterator
from unicodedata import category

LONG_LINE = 4000
"""Code points from which a line is cut into sentences before it is compared."""

_LONGEST_WORD = 64
"""A longer run of letters is no word (base64, a long number): it is cut, so that a change inside stays small."""

_CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u30fa\u30fc-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_JOINED = (
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\U000e0100-\U000e01ef"
)
_SKIN = "\U0001f3fb-\U0001f3ff"
_FLAG = "\U0001f1e6-\U0001f1ff"
_TAG = "\U000e0020-\U000e007f"

_UNIT = re.compile(
    rf"[{_CJK}][{_JOINED}]*"
    rf"|(?:(?![{_CJK}])[\w])(?:(?![{_CJK}])[\w{_JOINED}]){{0,{_LONGEST_WORD - 1}}}"
    r"|[^\S\r\n]+"
    rf"|[{_FLAG}]{{2}}"
    rf"|.[{_JOINED}{_SKIN}{_TAG}]*(?:\u200d.[{_JOINED}{_SKIN}{_TAG}]*)*",
    re.DOTALL,
)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_SENTENCE = re.compile(r"[^。！？；.!?;]*[。！？；.!?;]+[\s”’\"'」』）)]*|[^。！？；.!?;]+", re.DOTALL)
_CLAUSE = re.compile(r"[^,，、:：\s]*[,，、:：\s]+|[^,，、:：\s]+")


def split_units(text: str) -> list[str]:
    """One CJK character, one word, one run of blanks or one mark each; CR and LF stand alone.

    A character keeps the combining marks behind it, and an emoji of several code points stays whole.
    """
    return _UNIT.findall(text)


def split_lines(text: str, long_line: int = LONG_LINE) -> list[str]:
    """Lines with their ends (CR LF, CR, LF; no other character ends a line); longer ones in sentences.

    A sentence that is still longer than ``long_line`` is cut into clauses, and a clause at a fixed length.
    """
    lines = _LINE.findall(text)
    if len(text) <= long_line or all(len(line) <= long_line for line in lines):
        return lines
    return [piece for line in lines for piece in _short_pieces(line, long_line)]


def split_sentences(text: str) -> list[str]:
    """Sentences with the marks, quotes and blanks that close them (。！？；. ! ? ;)."""
    return _SENTENCE.findall(text)


def _short_pieces(line: str, limit: int) -> Iterator[str]:
    if len(line) <= limit:
        yield line
        return
    for sentence in split_sentences(line):
        if len(sentence) <= limit:
            yield sentence
            continue
        for clause in _CLAUSE.findall(sentence):
            for start in range(0, len(clause), limit):
                yield clause[start : start + limit]


def is_weak(piece: str) -> bool:
    """True for a piece without a letter, digit or picture: blanks, punctuation, signs of mathematics.

    Such pieces occur everywhere, so that two texts having them in common says nothing.
    """
    if _LETTER_OR_DIGIT.search(piece):
        return False
    return piece.isascii() or not any(category(character) == "So" for character in piece)
