"""The JavaScript rules that change bytes."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.javascript import (
    WHITESPACE,
    code_unit_key,
    collation_key,
    head,
    instruction_language,
    is_blank,
    length,
    number_text,
    ordered_keys,
    parse_locale,
    stringify,
    tail,
    trim,
    well_formed,
)

ANY_TEXT = st.text(st.characters())  # with lone surrogates
PLAIN_TEXT = st.text(st.characters(exclude_categories=("Cs",)))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-12.5, "-12.5"),
        (0.1, "0.1"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (-1.25e300, "-1.25e+300"),
        (5e-324, "5e-324"),
        (2**53, "9007199254740992"),
        (2**53 + 1, "9007199254740992"),
        (12345678901234567890, "12345678901234567000"),
        (10**400, "Infinity"),
        (-(10**400), "-Infinity"),
        (math.inf, "Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_numbers_are_spelled_as_doubles(number: float, text: str) -> None:
    assert number_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_spelling_gives_the_double_back(number: float) -> None:
    assert float(number_text(number)) == number
    assert not number_text(number).endswith((".0", "."))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "10": 2, "2": 3, "01": 4, "-1": 5}, '{"2":3,"10":2,"b":1,"01":4,"-1":5}'),
        ({"4294967294": 1, "4294967295": 2, "0": 3}, '{"0":3,"4294967294":1,"4294967295":2}'),
        ([1.0, -0.0, True, None, "é\u2028\x7f"], '[1,0,true,null,"é\u2028\x7f"]'),
        ('\b\f\n\r\t\x01"\\/', '"\\b\\f\\n\\r\\t\\u0001\\"\\\\/"'),
        ("a\ud83d", '"a\\ud83d"'),
        ("\ud83d\ude42", '"🙂"'),
        ({"\udc00": [2.5]}, '{"\\udc00":[2.5]}'),
        ([math.inf, 10**400, math.nan], "[null,null,null]"),
        ((1, {"a": ()}), '[1,{"a":[]}]'),
    ],
)
def test_json_is_written_as_the_engine_writes_it(value: object, text: str) -> None:
    assert stringify(value) == text


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | PLAIN_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(PLAIN_TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_json_text_reads_back_as_the_same_value(value: object) -> None:
    assert json.loads(stringify(value), parse_int=float) == value


@given(st.dictionaries(st.text("0123456789ab", max_size=4), st.integers(), max_size=8))
def test_index_keys_come_first_in_rising_order(value: dict[str, int]) -> None:
    keys = ordered_keys(value)
    assert sorted(keys) == sorted(value)
    indexes = [key for key in keys if key.isdigit() and str(int(key)) == key]
    assert keys[: len(indexes)] == sorted(indexes, key=int)
    assert keys[len(indexes) :] == [key for key in value if key not in indexes]


@given(ANY_TEXT)
def test_length_counts_units(text: str) -> None:
    assert length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(ANY_TEXT, st.integers(0, 12))
def test_head_and_tail_cut_at_units(text: str, count: int) -> None:
    units = text.encode("utf-16-le", "surrogatepass")
    assert head(text, count).encode("utf-16-le", "surrogatepass") == units[: 2 * count]
    assert tail(text, count).encode("utf-16-le", "surrogatepass") == units[max(0, len(units) - 2 * count) :]


def test_a_cut_may_leave_half_of_a_pair() -> None:
    assert head("🙂🙂", 3) == "🙂\ud83d"
    assert tail("a🙂", 1) == "\ude42"
    assert well_formed("\ud83d" + "\ude42") == "🙂"


def test_trim_knows_javascript_white_space() -> None:
    assert trim("\ufeff\u3000 x \u00a0\n") == "x"
    assert trim("\x85x\x1c") == "\x85x\x1c"
    assert is_blank(WHITESPACE)
    assert not is_blank("\u200b")


def test_code_unit_order_puts_the_supplementary_planes_before_the_private_area() -> None:
    assert sorted(["\uffff", "𠀀", "a"], key=code_unit_key) == ["a", "𠀀", "\uffff"]


def test_ids_are_ordered_as_people_read_them() -> None:
    wanted = [
        "_",
        "-",
        "10",
        "9",
        "a",
        "A",
        "ä",
        "a b",
        "a-b",
        "ab",
        "aB",
        "Ab",
        "AB",
        "b",
        "b_1",
        "b-10",
        "b-2",
        "B-2",
    ]
    backwards = wanted[::-1]
    assert sorted(backwards, key=collation_key) == wanted


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("zh", "zh"),
        ("zh-CN", "zh"),
        ("zh_sg", "zh"),
        (" ZH-hans-TW ", "zh"),
        ("zh-TW", "en"),
        ("zh-HK", "en"),
        ("zh-Hant", "en"),
        ("en-US", "en"),
        ("not a locale", "en"),
        ("z" * 65, "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_the_instruction_language_follows_language_and_script(locale: str | None, language: str) -> None:
    assert instruction_language(locale) == language


def test_the_environment_overrides_the_instruction_language() -> None:
    assert instruction_language("zh-CN", " EN ") == "en"
    assert instruction_language("en-US", "zh") == "zh"
    assert instruction_language("zh-CN", "fr") == "zh"


def test_locales_get_their_canonical_case() -> None:
    for written, tag in (
        ("en_gb", "en-GB"),
        ("ZH-hant-tw", "zh-Hant-TW"),
        ("sr-latn", "sr-Latn"),
        ("es-419", "es-419"),
    ):
        parsed = parse_locale(written)
        assert parsed is not None
        assert parsed.tag == tag
    assert parse_locale("a") is None
    assert parse_locale("en-") is None
