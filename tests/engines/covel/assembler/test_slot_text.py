"""Blocks of slots are cut into slots and frame: nothing is lost, and nothing that is no block of slots is cut."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.domain import Kind
from covel_inspector.engines.covel.assembler import assemble
from covel_inspector.engines.covel.assembler.escaping import escape, unescape
from covel_inspector.engines.covel.assembler.params import ContextParams, Manifest
from covel_inspector.engines.covel.assembler.slot_text import (
    LONGEST,
    MOST,
    SlotPiece,
    common,
    cut_slots,
    filled_by,
    fillings,
    same_source,
)
from covel_inspector.engines.covel.assembler.turn_data import turn_data
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.textpack import default_pack

PARAMS = ContextParams(Manifest("codex", "codex"))
WORDING = Wording.of(default_pack(), "en")
SOURCE = {"pluginId": "narrator", "runtimeId": "narrator"}

texts = st.text(
    st.one_of(st.sampled_from('<>&;"\\/{}[]:,\n\r\t \u2028🜁lt\ud800'), st.characters(codec="utf-8")), max_size=12
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
sources = st.fixed_dictionaries({"pluginId": texts, "runtimeId": texts}, optional={"resultId": texts})
fills = st.fixed_dictionaries({"value": values, "source": sources}, optional={"more": values})
slots = st.one_of(
    fills.map(lambda fill: {"cardinality": "one", **fill}),
    st.lists(fills, max_size=3).map(lambda items: {"cardinality": "many", "items": items}),
)
blocks = st.dictionaries(texts, slots, min_size=1, max_size=4)


def assembled(given_slots: dict[str, Any]) -> str:
    """The block as the assembler writes it."""
    params = ContextParams(PARAMS.manifest, input_slots=given_slots)
    return turn_data(params, WORDING)[0].text


def pretty(given_slots: dict[str, Any], indent: int = 2) -> str:
    return f"<runtime-inputs>\n{escape(json.dumps(given_slots, indent=indent))}\n</runtime-inputs>"


def block(text: str) -> str:
    return f"<runtime-inputs>\n{text}\n</runtime-inputs>"


def one(value: Any, **more: Any) -> dict[str, Any]:
    return {"cardinality": "one", "value": value, "source": SOURCE, **more}


def assert_tiled(pieces: tuple[SlotPiece, ...], text: str) -> None:
    assert "".join(text[piece.start : piece.end] for piece in pieces) == text
    assert [piece.start for piece in pieces] == [0, *(piece.end for piece in pieces[:-1])]
    frames = [piece.frame for piece in pieces]
    assert frames[0] == "open"
    assert frames[-1] == "close"
    assert frames[1:-1] == ["next" if number % 2 else "" for number in range(len(frames) - 2)]


@given(blocks)
def test_an_assembled_block_is_cut_into_its_slots(given_slots: dict[str, Any]) -> None:
    text = assembled(given_slots)
    pieces = cut_slots(text)

    assert_tiled(pieces, text)
    written = json.loads(unescape(text.partition("\n")[2].rpartition("\n")[0]))
    assert [(piece.name, piece.slot) for piece in pieces if not piece.frame] == list(written.items())
    for piece in pieces:
        if not piece.frame:
            alone = json.loads("{" + unescape(text[piece.start : piece.end]) + "}")
            assert alone == {piece.name: piece.slot}


@given(blocks, st.integers(0, 4))
def test_a_pretty_printed_block_is_cut_as_well(given_slots: dict[str, Any], indent: int) -> None:
    text = pretty(given_slots, indent)
    pieces = cut_slots(text)

    assert_tiled(pieces, text)
    assert {piece.name: piece.slot for piece in pieces if not piece.frame} == given_slots
    for piece in pieces:
        assert piece.frame or text[piece.start] + text[piece.end - 1] == '"}'


@given(st.text(st.sampled_from('<>&"{}[]:,\\\n 1a'), max_size=30))
def test_any_text_is_cut_whole_or_not_at_all(text: str) -> None:
    for given_text in (text, block(text), block(f'{{"a":{{"cardinality":"one","source":{{}}}}{text}}}')):
        pieces = cut_slots(given_text)
        assert pieces == () or "".join(given_text[piece.start : piece.end] for piece in pieces) == given_text


@given(blocks)
def test_the_tree_of_a_context_has_the_same_pieces(given_slots: dict[str, Any]) -> None:
    tree = assemble(
        ContextParams(PARAMS.manifest, input_slots=given_slots, export_slots=given_slots), default_pack()
    ).tree

    assert tree.gaps() == []
    for kind, key in ((Kind.INPUTS, "inputs"), (Kind.EXPORTS, "exports")):
        branch = next(found for found in tree.walk() if found.key == key)
        pieces = cut_slots(branch.whole_text)
        assert [child.text for child in branch.children] == [
            branch.whole_text[piece.start : piece.end] for piece in pieces
        ]
        assert {child.kind for child in branch.children} <= {kind, Kind.SEPARATOR}
        keys = [child.key for child in branch.children if child.key.startswith(("input:", "export:"))]
        assert keys == [f"{key[:-1]}:{piece.name}" for piece in pieces if not piece.frame]


def test_names_and_values_are_those_before_escaping() -> None:
    text = assembled({'a<b>&"\n': one('<i>&amp;</i> "quoted"\\')})

    (piece,) = [piece for piece in cut_slots(text) if not piece.frame]

    assert piece.name == 'a<b>&"\n'
    assert piece.slot["value"] == '<i>&amp;</i> "quoted"\\'
    assert text[piece.start : piece.end].startswith('"a&lt;b&gt;&amp;\\"\\n":{"cardinality":"one"')


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "{",
        '{"a":1}',
        '{"a":null}',
        '{"a":"x"}',
        '{"a":{}}',
        '{"a":{"value":1}}',
        '{"a":{"cardinality":"one","value":1}}',
        '{"a":{"cardinality":"one","value":1,"source":"narrator"}}',
        '{"a":{"cardinality":"two","value":1,"source":{}}}',
        '{"a":{"cardinality":"many","value":1,"source":{}}}',
        '{"a":{"cardinality":"many","items":{}}}',
        '{"a":{"cardinality":"many","items":[1]}}',
        '{"a":{"cardinality":"many","items":[{"value":1}]}}',
        '{"a":{"cardinality":"one","value":1,"source":{}}} ',
        '{"a":{"cardinality":"one","value":1,"source":{}}}}',
        '{"a":{"cardinality":"one","value":1,"source":{}},}',
        '{"a":{"cardinality":"one","value":NaN,"source":{}}}',
        '{"a":{"cardinality":"one","value":-Infinity,"source":{}}}',
        '{"a":{"cardinality":"one","value":"\n","source":{}}}',
        '{"a":{"cardinality":"one","value":"x" y","source":{}}}',
        '{"a":{"cardinality":"one","source":{}},"a":{"cardinality":"one","source":{}}}',
        '{"a" {"cardinality":"one","source":{}}}',
        '{a:{"cardinality":"one","source":{}}}',
        '{"\\x":{"cardinality":"one","source":{}}}',
        '{"a":{"cardinality":"one","value":' + "[" * 100_000 + "]" * 100_000 + ',"source":{}}}',
        '{"a":{"cardinality":"one","value":' + "9" * 5_000 + ',"source":{}}}',
    ],
    ids=lambda text: text[:60],
)
def test_what_is_no_block_of_slots_stays_whole(text: str) -> None:
    assert cut_slots(block(text)) == ()


def test_a_block_without_lines_stays_whole() -> None:
    assert cut_slots("") == cut_slots("<runtime-inputs>{}</runtime-inputs>") == ()


def test_blocks_that_are_too_large_stay_whole() -> None:
    longest = assembled({"a": one("x")})
    longest = assembled({"a": one("x" * (LONGEST - len(longest) + 1))})
    assert len(longest) == LONGEST
    assert len(cut_slots(longest)) == 3
    assert cut_slots(longest.replace("x", "xx", 1)) == ()

    most = {f"n{number}": one(number) for number in range(MOST)}
    assert len(cut_slots(assembled(most))) == 2 * MOST + 1
    assert cut_slots(assembled({**most, "more": one(1)})) == ()


def test_a_slot_tells_who_filled_it() -> None:
    other = {"pluginId": "narrator", "runtimeId": "narrator/second"}
    many = {"cardinality": "many", "items": [{"value": 1, "source": SOURCE}, {"value": 2, "source": other}]}

    assert same_source(one(1)) == ("narrator", "narrator")
    assert same_source(many) == ("narrator", "")
    assert same_source({"cardinality": "many", "items": []}) == ("", "")
    assert [filled_by(filling)[1] for filling in fillings(many)] == ["narrator", "narrator/second"]
    assert filled_by({"source": {"pluginId": 1}}) == ("", "")
    assert common(["a", "a"]) == "a"
    assert common(["a", ""]) == ""
