"""What a body has in common with the text that was sent, where its file is another one by now.

Goes further than the reference on attribution, section 4, item 4: not whole lines but equal runs are found, so that one
changed word costs a word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from covel_inspector.engines.covel.attribution.body_boundaries import Stretch, StretchKind
from covel_inspector.text.diff import diff_texts
from covel_inspector.text.hunks import DiffLimits, HunkKind
from covel_inspector.text.units import is_weak

_STRONG = 12
_LIMITS = DiffLimits(steps=400_000, edits=200, kept_island=_STRONG - 1, kept_share=0.0)
_FIRST_PRIVATE, _LAST_PRIVATE = 0xE000, 0xF8FF


@dataclass(frozen=True, slots=True)
class Alignment:
    """``score`` is the share of the literal text that stands in equal runs; the stretches tile the text in order.

    Stretches of values are guesses: the file that was sent may have had another variable there. Those that are empty
    stand where nothing was sent: values of nothing, or text that only the file has.
    """

    score: float
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """An equal run: code points of the joined template (``a_start`` …) and of the text that was sent."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int


def align(literals: Sequence[str], text: str, start: int, end: int) -> Alignment | None:
    """Aligns a body with the code points ``start`` to ``end`` of a text; None when they have no run in common."""
    sent = text[start:end]
    placeholder = _placeholder("".join(literals) + sent)
    if not placeholder:
        return None
    joined = _Joined(placeholder.join(literals), tuple(literals), placeholder)
    runs = _strong_runs(joined, sent)
    if not runs:
        return None
    stretches = tuple(_stretches(joined, sent, runs, start))
    total = sum(map(len, literals))
    return Alignment(sum(run.a_end - run.a_start for run in runs) / total, stretches)


def _placeholder(texts: str) -> str:
    """A character that stands in no text; empty when there is none."""
    used = set(texts)
    return next((chr(code) for code in range(_FIRST_PRIVATE, _LAST_PRIVATE + 1) if chr(code) not in used), "")


class _Joined:
    """A template whose variables are one character each."""

    def __init__(self, text: str, literals: tuple[str, ...], placeholder: str) -> None:
        self.text = text
        self.literals = literals
        self.placeholder = placeholder
        self.starts = list(accumulate((len(literal) + 1 for literal in literals), initial=0))

    def number_at(self, position: int) -> int:
        """The number of the literal that a position stands in; a variable counts to the literal before it."""
        return self.text.count(self.placeholder, 0, position)

    def ends_literal(self, position: int) -> bool:
        """True when a variable or nothing follows."""
        return self.text[position : position + 1] in ("", self.placeholder)

    def begins_literal(self, position: int) -> bool:
        """True when a variable or nothing stands before."""
        return position == 0 or self.text[position - 1] == self.placeholder

    def is_values(self, start: int, end: int) -> bool:
        """True when variables stand here, and between them nothing but literals that are no evidence."""
        inside = self.text[start:end]
        if not inside.startswith(self.placeholder) or not inside.endswith(self.placeholder):
            return False
        return all(len(literal) < _STRONG or is_weak(literal) for literal in inside.split(self.placeholder))


def _strong_runs(joined: _Joined, sent: str) -> list[_Run]:
    runs: list[_Run] = []
    for hunk in diff_texts(joined.text, sent, _LIMITS).hunks:
        equal = joined.text[hunk.a_start : hunk.a_end]
        if hunk.kind is not HunkKind.EQUAL or is_weak(equal):
            continue
        is_whole = joined.begins_literal(hunk.a_start) and joined.ends_literal(hunk.a_end)
        if len(equal) >= _STRONG or is_whole:
            runs.append(_Run(hunk.a_start, hunk.a_end, hunk.b_start, hunk.b_end))
    return _grown(joined, sent, runs)


def _grown(joined: _Joined, sent: str, runs: Sequence[_Run]) -> list[_Run]:
    """The runs up to the variables beside them: a value may have grown together with the word before or behind it."""
    grown: list[_Run] = []
    for number, run in enumerate(runs):
        before = grown[-1] if grown else _Run(0, 0, 0, 0)
        following = runs[number + 1] if number + 1 < len(runs) else None
        a_limit = following.a_start if following else len(joined.text)
        b_limit = following.b_start if following else len(sent)
        back = joined.text.rfind(joined.placeholder, before.a_end, run.a_start) + 1 or before.a_end
        ahead = joined.text.find(joined.placeholder, run.a_end, a_limit)
        left = joined.text[back : run.a_start] if joined.begins_literal(back) else ""
        right = joined.text[run.a_end : ahead if ahead >= 0 else a_limit]
        if not (ahead >= 0 or following is None):
            right = ""
        if not sent.startswith(right, run.b_end, b_limit):
            right = ""
        if not sent.endswith(left, before.b_end, run.b_start):
            left = ""
        grown.append(
            _Run(run.a_start - len(left), run.a_end + len(right), run.b_start - len(left), run.b_end + len(right))
        )
    return grown


def _stretches(joined: _Joined, sent: str, runs: Sequence[_Run], start: int) -> Iterator[Stretch]:
    before = _Run(0, 0, 0, 0)
    end = _Run(len(joined.text), len(joined.text), len(sent), len(sent))
    for run in (*runs, end):
        if before.a_end < run.a_start or before.b_end < run.b_start:
            yield _between(joined, before, run, start)
        if run is not end:
            number = joined.number_at(run.a_start)
            at = run.a_start - joined.starts[number]
            yield Stretch(StretchKind.LITERAL, start + run.b_start, start + run.b_end, number, number, at)
        before = run


def _between(joined: _Joined, before: _Run, after: _Run, start: int) -> Stretch:
    """What stands between two runs: values, or text that the file does not have."""
    a_start, a_end = before.a_end, after.a_start
    kind = StretchKind.VALUES if joined.is_values(a_start, a_end) else StretchKind.CHANGED
    first, last = joined.number_at(a_start), joined.number_at(a_end)
    at = a_start - joined.starts[first]
    filed = joined.text[a_start:a_end].replace(joined.placeholder, "{{…}}")
    return Stretch(kind, start + before.b_end, start + after.b_start, first, last, at, filed)
