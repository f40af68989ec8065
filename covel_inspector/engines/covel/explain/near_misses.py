"""How near the keys of a silent lorebook entry came, and what kept them out.

Nearest first: a key inside a longer word of a scanned text; a key that only blanks, other characters of the same look
or a list written as one key kept out; a key that stands in a message too far back.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from covel_inspector.domain import LoreHit, Sentence, say
from covel_inspector.domain.lorebook import scanned_place
from covel_inspector.engines.covel.assembler.lore_keys import find_key, matches_words
from covel_inspector.engines.covel.assembler.lorebook import DEEPEST_SCAN
from covel_inspector.engines.covel.explain.scanning import Scan, ScannedText
from covel_inspector.engines.covel.javascript import is_blank, trim
from covel_inspector.text.folding import Folded

FARTHEST = 200
"""Messages beyond the scan that are looked through for a key."""

_LIST = re.compile(r"[,，、;；|]")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class NearMiss:
    """What kept a key out, and where it stands."""

    sentence: Sentence
    hit: LoreHit


def nearest_miss(keys: Sequence[str], scan: Scan, farther: Iterable[ScannedText], depth: int) -> NearMiss | None:
    """The nearest miss of an entry without a hit; None when its keys are nowhere near.

    ``farther`` are the committed messages beyond the scan, newest first.
    """
    wanted = [key for key in keys if not is_blank(key)]
    for search in (_inside_words, _with_blanks, _as_a_list, _other_characters):
        found = next(search(wanted, scan), None)
        if found is not None:
            return found
    return _too_far(wanted, farther, depth)


def _inside_words(keys: Sequence[str], scan: Scan) -> Iterator[NearMiss]:
    for key in keys:
        if not matches_words(key):
            continue
        lowered = key.lower()
        start = scan.joined.find(lowered)
        if start < 0:
            continue
        end = start + len(lowered)
        word = _word_around(scan.joined, start, end)
        yield NearMiss(
            say("the key '{key}' stands in '{word}', but such keys match whole words", key=key, word=word),
            scan.place(key, start, end),
        )


def _word_around(text: str, start: int, end: int) -> str:
    """The hit with the letters that touch it."""
    while start > 0 and _WORD.fullmatch(text[start - 1]):
        start -= 1
    while end < len(text) and _WORD.fullmatch(text[end]):
        end += 1
    return text[start:end]


def _with_blanks(keys: Sequence[str], scan: Scan) -> Iterator[NearMiss]:
    for key in keys:
        trimmed = trim(key)
        hit = next(scan.hits(trimmed), None) if trimmed != key else None
        if hit is not None:
            sentence = say(
                "the key '{key}' begins or ends with a blank, which counts; without it, it would hit", key=key
            )
            yield NearMiss(sentence, hit)


def _as_a_list(keys: Sequence[str], scan: Scan) -> Iterator[NearMiss]:
    for key in keys:
        parts = [trim(part) for part in _LIST.split(key)]
        if len(parts) < 2:
            continue
        for part in parts:
            hit = next(scan.hits(part), None) if part else None
            if hit is not None:
                sentence = say("'{key}' is one key, not a list; its part '{part}' would hit alone", key=key, part=part)
                yield NearMiss(sentence, hit)


def _other_characters(keys: Sequence[str], scan: Scan) -> Iterator[NearMiss]:
    for text in reversed(scan.texts):
        folded = Folded(text.content)
        for key in keys:
            span = next(folded.find(key), None)
            if span is None:
                continue
            written = text.content[span.start : span.end]
            if matches_words(key) and not _stands_alone(text.content, span.start, span.end):
                continue
            sentence = say(
                "'{written}' looks like the key '{key}' but is written with other characters", written=written, key=key
            )
            hit = Scan([text]).place(key, 0, 0)
            yield NearMiss(sentence, LoreHit(key, hit.row, span.start, span.end, text.back, written, message=text.told))


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, behind = text[max(0, start - 1) : start], text[end : end + 1]
    return not (_WORD.fullmatch(before) or _WORD.fullmatch(behind))


def _too_far(keys: Sequence[str], farther: Iterable[ScannedText], depth: int) -> NearMiss | None:
    for text in islice(farther, FARTHEST):
        lowered = text.content.lower()
        for key in keys:
            start = find_key(key, lowered)
            if start is None:
                continue
            hit = Scan([text]).place(key, start, start + len(key.lower()))
            return NearMiss(_how_far(key, text, depth), hit)
    return None


def _how_far(key: str, text: ScannedText, depth: int) -> Sentence:
    where = scanned_place(text.back, text.told)
    if text.back > DEEPEST_SCAN:
        return say(
            "the key '{key}' stands {where}; scanDepth is {depth} and reaches {deepest} at most",
            key=key,
            where=where,
            depth=depth,
            deepest=DEEPEST_SCAN,
        )
    return say(
        "the key '{key}' stands {where}, outside scanDepth {depth} by {n}",
        key=key,
        where=where,
        depth=depth,
        n=text.back - depth,
    )
