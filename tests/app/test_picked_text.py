"""A selected text and the leaves it covers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.app.compare.pane_text import leaf_offsets, segment_text
from covel_inspector.app.picked_text import PickedSpan, joined, pick, spans_between
from covel_inspector.domain import Kind, Place, Segment, plain


def leaf(key: str, text: str, part: int = 0, start: int = 0) -> Segment:
    return Segment(key, Kind.BODY, plain(key), text, Place(part, start, start + len(text)))


def body(*texts: str, parts: tuple[int, ...] = ()) -> Segment:
    position = 0
    leaves = []
    for number, text in enumerate(texts):
        leaves.append(leaf(f"leaf:{number}", text, parts[number] if parts else 0, position))
        position += len(text)
    return Segment("body", Kind.BODY, plain("body"), children=tuple(leaves))


def test_selection_inside_one_leaf() -> None:
    segment = body("The place is ", "Tidewater", ".")
    text, _ = segment_text(segment)
    found = pick(segment, text, leaf_offsets(segment), 15, 18, is_a=True)
    assert found is not None
    assert (found.text, found.is_a) == ("dew", True)
    assert [(span.leaf.key, span.start, span.end) for span in found.spans] == [("leaf:1", 2, 5)]
    assert found.leaf is segment.children[1]


def test_selection_over_a_border_and_a_click() -> None:
    segment = body("The place is ", "Tidewater", ".")
    text, _ = segment_text(segment)
    offsets = leaf_offsets(segment)
    over = pick(segment, text, offsets, 10, 23, is_a=False)
    assert over is not None
    assert [(span.leaf.key, span.start, span.end) for span in over.spans] == [
        ("leaf:0", 10, 13),
        ("leaf:1", 0, 9),
        ("leaf:2", 0, 1),
    ]
    click = pick(segment, text, offsets, 13, 13, is_a=False)
    assert click is not None
    assert [span.leaf.key for span in click.spans] == ["leaf:1"]
    assert click.text == ""


def test_gap_between_messages_belongs_to_nobody() -> None:
    segment = body("first", "second", parts=(3, 4))
    text, is_set_apart = segment_text(segment)
    assert is_set_apart
    assert text == "first\n\nsecond"
    offsets = leaf_offsets(segment)
    assert offsets == [0, 7]
    assert pick(segment, text, offsets, 5, 7, is_a=False) is None
    found = pick(segment, text, offsets, 3, 9, is_a=False)
    assert found is not None
    assert [(span.start, span.end) for span in found.spans] == [(3, 5), (0, 2)]


@given(st.lists(st.text(max_size=6), min_size=1, max_size=6), st.data())
def test_spans_put_together_are_the_selection(texts: list[str], data: st.DataObject) -> None:
    segment = body(*texts, parts=tuple(n // 2 for n in range(len(texts))))
    text, _ = segment_text(segment)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    spans = spans_between(list(segment.leaves()), leaf_offsets(segment), start, end)
    pieces = "".join(span.leaf.text[span.start : span.end] for span in spans)
    gaps = {place for leaf_, offset in zip(segment.leaves(), leaf_offsets(segment), strict=True)
            for place in range(offset, offset + len(leaf_.text))}  # fmt: skip
    assert pieces == "".join(text[place] for place in range(start, end) if place in gaps)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 3), (4, 9)], [(0, 9)]),
        ([(0, 3), (5, 9)], [(0, 3), (5, 9)]),
        ([], []),
    ],
)
def test_lines_of_one_leaf_are_joined(spans: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    one = leaf("one", "0123456789")
    found = joined([PickedSpan(one, *span) for span in spans])
    assert [(span.start, span.end) for span in found] == expected


def test_equal_leaves_are_not_taken_for_one() -> None:
    one, other = leaf("same", "text"), leaf("same", "text")
    assert len(joined([PickedSpan(one, 0, 4), PickedSpan(other, 0, 4)])) == 2
