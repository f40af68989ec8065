"""The head that the engine writes: lines that begin with marks of its own."""

import re

from covel_inspector.domain import Grade, Kind, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.records.naming import TITLES

_MARK = re.compile(r"^\[(RUNTIME|LANGUAGE|COMPLETION)\] ", re.MULTILINE)
_ORDER = ("RUNTIME", "LANGUAGE", "COMPLETION")
_TITLES = {
    "RUNTIME": say("Preamble · runtime"),
    "LANGUAGE": say("Preamble · language"),
    "COMPLETION": say("Preamble · completion"),
}
_REASON = say("lines with the engine's own mark at the head of the system prompt")
_WHOLE_REASON = say("the head of the system prompt, by the engine's own marks")


def preamble_claim(text: str, start: int, end: int) -> Claim | None:
    """The preamble that fills ``start`` to ``end``, None when that is no preamble.

    Every line must carry one of the three marks, the blocks come in their order, and the first and last are there.
    """
    blocks: list[tuple[str, int]] = []
    for found in _MARK.finditer(text, start, end):
        if not blocks or blocks[-1][0] != found[1]:
            blocks.append((found[1], found.start()))
    names = [name for name, _ in blocks]
    if not blocks or blocks[0] != ("RUNTIME", start) or names[-1] != "COMPLETION":
        return None
    if names != [name for name in _ORDER if name in names]:
        return None
    lines = text.count("\n", start, end) + 1
    if lines != sum(1 for _ in _MARK.finditer(text, start, end)):
        return None
    ends = [begin - 1 for _, begin in blocks[1:]] + [end]
    inner = tuple(
        Claim(
            begin,
            last,
            _label(f"preamble:{name.lower()}", _TITLES[name], _REASON),
        )
        for (name, begin), last in zip(blocks, ends, strict=True)
    )
    return Claim(start, end, _label("preamble", TITLES[Kind.PREAMBLE], _WHOLE_REASON), inner)


def _label(key: str, title: Sentence, reason: Sentence) -> Label:
    return Label(key, Kind.PREAMBLE, title, Grade.STRUCTURAL, reason, volatility=Volatility.STABLE)


def preamble_end(text: str) -> int:
    """Where a preamble without a cache mark behind it ends; 0 when the text begins with none."""
    position = 0
    while _MARK.match(text, position):
        line_end = text.find("\n", position)
        if line_end < 0:
            return len(text)
        position = line_end + 1
    return max(0, position - 1) if position and text.startswith("\n", position) else 0
