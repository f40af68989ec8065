"""What covered rows name and their summary does not: names, terms, numbers and quoted words. Hints, found by form.

Nothing here understands a text. A hint says "this stands there and not here", never "this was lost".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from covel_inspector.domain import HintKind, MissingHint
from covel_inspector.text.folding import fold

MOST_HINTS = 40

_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_CHINESE_NUMBER = re.compile("[〇零一二两三四五六七八九十百千万]{2,}|第[一二三四五六七八九十百千]{2,}")
_QUOTED = re.compile('《([^《》\n]{1,20})》|[“「『]([^“”「」『』\n]{2,12})[”」』]|"([^"\n]{2,30})"')
_CAPITALISED = re.compile(r"(?<![.!?…\"“”'’\n]\s)(?<!^)\b[A-Z][a-z]{2,}(?:\s[A-Z][a-z]+)*\b")
_SENTENCE_END = re.compile("[。！？!?….,，;；]")
_IDIOMS = frozenset({"一一", "万一", "千万", "十分", "一万", "百万", "三三", "万千", "一百", "万万"})
_COMMON = frozenset({"The", "This", "That", "They", "Then", "There", "You", "Your", "And", "But", "What", "When", "She",
                     "Her", "His", "Not", "Now", "For", "With"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A character or lorebook entry with every word it goes by; the first one names it."""

    kind: HintKind
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A covered row: its segment's key and its text."""

    key: str
    text: str


def missing_words(passages: Sequence[Passage], summary: str, named: Iterable[NamedThing]) -> tuple[MissingHint, ...]:
    """What the passages mention and the summary does not; what most rows mention comes first."""
    there = fold(summary)
    found: dict[tuple[HintKind, str], list[str]] = {}
    known = [thing for thing in named if not any(fold(word) in there for word in thing.words)]
    for passage in passages:
        folded = fold(passage.text)
        for thing in known:
            if any(fold(word) in folded for word in thing.words):
                found.setdefault((thing.kind, thing.words[0]), []).append(passage.key)
        for kind, word in set(_words(passage.text)):
            if not _is_mentioned(word, there):
                found.setdefault((kind, word), []).append(passage.key)
    hints = [MissingHint(kind, word, keys[0], len(keys)) for (kind, word), keys in found.items()]
    hints = [hint for hint in hints if not _is_part(hint, hints)]
    return tuple(sorted(hints, key=lambda hint: (-hint.count, list(HintKind).index(hint.kind), hint.text))[:MOST_HINTS])


def _words(text: str) -> Iterator[tuple[HintKind, str]]:
    for match in _DIGITS.finditer(text):
        yield HintKind.NUMBER, match[0]
    for match in _CHINESE_NUMBER.finditer(text):
        if match[0] not in _IDIOMS:
            yield HintKind.NUMBER, match[0]
    for match in _QUOTED.finditer(text):
        word = next(group for group in match.groups() if group is not None)
        # A spoken line ends like a sentence; what is merely named does not.
        if not _SENTENCE_END.search(word):
            yield HintKind.QUOTED, word
    for match in _CAPITALISED.finditer(text):
        if match[0] not in _COMMON:
            yield HintKind.NAME, match[0]


def _is_mentioned(word: str, there: str) -> bool:
    """A name of several words is mentioned when one of them is."""
    if fold(word) in there:
        return True
    return any(fold(part) in there for part in word.split() if len(part) > 3)


def _is_part(hint: MissingHint, hints: Sequence[MissingHint]) -> bool:
    """True for a word that another hint of at least as many rows holds: one of the two is enough."""
    return any(
        other is not hint and hint.text in other.text and hint.text != other.text and other.count >= hint.count
        for other in hints
    ) or any(
        other is not hint
        and other.text == hint.text
        and list(HintKind).index(other.kind) < list(HintKind).index(hint.kind)
        for other in hints
    )
