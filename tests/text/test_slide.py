"""Lonely insertions and deletions begin and end where a reader would put their borders."""

import pytest

from covel_inspector.text.hunks import Hunk, HunkKind, apply, hunk_of
from covel_inspector.text.slide import slide


def inserted(before: str, text: str, after: str) -> tuple[str, str, list[Hunk]]:
    a, b = before + after, before + text + after
    end = len(before) + len(text)
    return (
        a,
        b,
        [
            Hunk(HunkKind.EQUAL, 0, len(before), 0, len(before)),
            hunk_of(len(before), len(before), len(before), end),
            Hunk(HunkKind.EQUAL, len(before), len(a), end, len(b)),
        ],
    )


@pytest.mark.parametrize(
    ("before", "text", "after", "better"),
    [
        ("他走了。他", "哭了。他", "笑了。", "他哭了。"),
        ("One. Tw", "o. Tw", "o. Three.", "Two. "),
        ("a\nb", "c\nb", "d\n", "bc\n"),
        ("first\n\nTh", "e one\n\nTh", "e two\n", "The one\n\n"),
        ('{"a":1', ',"b":2', ',"c":3}', '"b":2,'),
        ("“走。”“", "停。”“", "走。”", "“停。”"),
        ("aa", "a", "aa", "a"),
        ("no border he", "re and the", "re", "re and the"),
    ],
)
def test_the_better_border_wins(before: str, text: str, after: str, better: str) -> None:
    a, b, hunks = inserted(before, text, after)
    moved = slide(hunks, a, b)
    assert apply(a, b, moved) == b
    assert b[moved[1].b_start : moved[1].b_end] == better
    backwards = slide(
        [
            hunk_of(h.b_start, h.b_end, h.a_start, h.a_end)
            if h.kind is HunkKind.INSERT
            else Hunk(h.kind, h.b_start, h.b_end, h.a_start, h.a_end)
            for h in hunks
        ],
        b,
        a,
    )
    assert b[backwards[1].a_start : backwards[1].a_end] == better


def test_neighbours_never_vanish() -> None:
    a, b, hunks = inserted("x", "xx", "x")
    assert [hunk.kind for hunk in slide(hunks, a, b)] == [HunkKind.EQUAL, HunkKind.INSERT, HunkKind.EQUAL]


def test_replacements_stay() -> None:
    hunks = [Hunk(HunkKind.EQUAL, 0, 1, 0, 1), hunk_of(1, 2, 1, 2), Hunk(HunkKind.EQUAL, 2, 3, 2, 3)]
    assert slide(hunks, "aba", "aca") == hunks
