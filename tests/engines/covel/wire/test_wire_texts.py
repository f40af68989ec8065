"""Texts on their way: origins stay with the code points; JSON inside JSON is followed to the place it is written."""

import json

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.domain import Group
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.wire.json_places import json_strings, runs, through
from covel_inspector.engines.covel.wire.texts import Spot, Text, joined, quoted, split_at_marks, unmarked

SPOT = Spot(Group.MESSAGES, 3)
STRINGS = st.text(st.sampled_from('ab"\\/\b\n\t\u2028é烬🔥\ud800'), max_size=8)
VALUES = st.recursive(
    st.one_of(STRINGS, st.integers(), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(STRINGS, inner, max_size=3)),
    max_leaves=8,
)


def shown(text: Text, source: str) -> bool:
    """True when every stretch has the same code points on both sides."""
    return all(text.string[at : at + n] == source[start : start + n] for at, n, _, start in text.stretches)


@given(st.lists(st.one_of(st.text("ab \n", max_size=4), st.just(SENTINEL)), max_size=6).map("".join))
def test_marks_are_deleted_and_nothing_else(source: str) -> None:
    text = unmarked(quoted(source, SPOT))
    assert text.string == source.replace(SENTINEL, "")
    assert shown(text, source)
    assert sum(stretch.length for stretch in text.stretches) == len(text.string)
    assert [piece.string for piece in split_at_marks(quoted(source, SPOT))] == source.split(SENTINEL)


@given(st.text("abc\n", max_size=9), st.integers(0, 9), st.integers(0, 9))
def test_a_cut_keeps_the_places(source: str, start: int, end: int) -> None:
    around = Text("<") + quoted(source, SPOT) + Text(">")
    cut = around.cut(start, end)
    assert cut.string == f"<{source}>"[start:end]
    assert shown(cut, source)
    whole = joined("--", [cut, quoted(source, SPOT), Text("x")])
    assert whole.string == f"{cut.string}--{source}--x"
    assert shown(whole, source)


def plain(value: object, path: tuple[str | int, ...] = ()) -> dict[tuple[str | int, ...], str]:
    """The strings of a value by their paths."""
    if isinstance(value, str):
        return {path: value}
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {place: text for key, member in items for place, text in plain(member, (*path, key)).items()}


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_each_string_of_a_json_text_is_found(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    found = json_strings(text)
    expected = plain(json.loads(text))
    assert {path: json.loads(f'"{text[start:end]}"') for path, (start, end) in found.items()} == expected
    for path, (start, end) in found.items():
        for at, encoded, length in runs(text, start, end):
            assert expected[path][at : at + length] == text[encoded : encoded + length]


@given(st.dictionaries(STRINGS, STRINGS, min_size=1, max_size=2))
def test_json_inside_json_is_followed(value: dict[str, str]) -> None:
    inner = json.dumps(value)
    outer = json.dumps({"arguments": inner})
    outside = runs(outer, *json_strings(outer)["arguments",])
    for path, (start, end) in json_strings(inner).items():
        for at, encoded, length in through(outside, runs(inner, start, end)):
            assert value[str(path[0])][at : at + length] == outer[encoded : encoded + length]


def test_a_pair_of_halves_is_one_code_point() -> None:
    text = '"a\\ud83d\\udd25b\\nc"'
    assert [tuple(run) for run in runs(text, 1, len(text) - 1)] == [(0, 1, 1), (2, 14, 1), (4, 17, 1)]
