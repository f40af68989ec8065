"""YAML by the core rules of version 1.2, with lines, and without bombs."""

import math
from typing import Any

import pytest
import yaml

from covel_inspector.engines.covel.checkout.yaml_text import YamlError, parse_yaml


def value(text: str) -> Any:
    return parse_yaml(text).value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("2026-01-02", "2026-01-02"),
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        ("1.8.0", "1.8.0"),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("-7", -7),
        (".inf", math.inf),
        ("'12'", "12"),
        ("!!str 12", "12"),
        ("9007199254740993", 9007199254740992.0),
        ("[a, {b: 1}]", ["a", {"b": 1}]),
        ("{1: a, true: b}", {"1": "a", "true": "b"}),
        ("'\\u4e2d'", "\\u4e2d"),
    ],
)
def test_values_follow_the_core_schema(text: str, expected: object) -> None:
    found = value(text)
    assert found == expected
    assert type(found) is type(expected)


def test_numbers_of_any_length_are_read() -> None:
    assert value("9" * 5000) == math.inf
    assert value("0x" + "f" * 5000) == math.inf
    assert value("!!int many") == "many"


def test_anchors_and_merges() -> None:
    text = "base: &b {x: 1, y: 2}\nmine: {<<: *b, y: 3}\nboth: {<<: [{x: 5}, *b]}\nlist: [*b, *b]\n"
    assert value(text) == {
        "base": {"x": 1, "y": 2},
        "mine": {"x": 1, "y": 3},
        "both": {"x": 5, "y": 2},
        "list": [{"x": 1, "y": 2}, {"x": 1, "y": 2}],
    }


def test_no_tag_makes_an_object() -> None:
    document = parse_yaml("a: !!python/object/apply:os.system ['false']\nb: !mine {c: 1}")
    assert document.value == {"a": ["false"], "b": {"c": 1}}
    assert [remark.line for remark in document.remarks] == [1, 2]


@pytest.mark.parametrize(
    "joint", ["[{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}]", "{{<<: [{0}, {0}, {0}, {0}, {0}]}}"]
)
def test_aliases_that_multiply_are_stopped(joint: str) -> None:
    first = "{" + ", ".join(f"k{number}: 1" for number in range(9)) + "}"
    lines = [f"a0: &a0 {first}"]
    lines += [f"a{level}: &a{level} " + joint.format(f"*a{level - 1}") for level in range(1, 12)]
    with pytest.raises(YamlError, match="aliases") as stopped:
        parse_yaml("\n".join(lines))
    assert stopped.value.line > 0


def test_an_alias_that_holds_itself_is_stopped() -> None:
    with pytest.raises(YamlError, match="itself"):
        parse_yaml("a: &a [*a]")


@pytest.mark.parametrize(
    "text", ["[" * 5000, "[" * 5000 + "]" * 5000, "- " * 5000 + "a", "{a: " * 200 + "1" + "}" * 200]
)
def test_deep_nesting_is_an_error(text: str) -> None:
    with pytest.raises(YamlError):
        parse_yaml(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nb: [", 2),
        ("a: 1\nb: 2\n c: 3\n", 3),
        ("a: 1\n\nb: \x07\n", 3),
        ("a: *missing\n", 1),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: 1\nb: \ud800\n", 2),
    ],
)
def test_what_is_wrong_has_its_line(text: str, line: int) -> None:
    with pytest.raises(YamlError) as wrong:
        parse_yaml(text)
    assert wrong.value.line == line
    assert str(wrong.value).startswith("Not valid YAML: ")


def test_lines_count_from_the_line_of_the_file() -> None:
    document = parse_yaml("a: 1\nb:\n  - x\n  - c: |\n      text\n      more\n    d: >-\n      folded\n", first_line=10)
    assert document.line() == 10
    assert document.line(("a",)) == 10
    assert document.line(("b", 1)) == 13
    assert document.line(("b", 1, "c")) == 13
    assert document.text_line(("b", 1, "c")) == 14
    assert document.text_line(("b", 1, "d")) == 17
    assert document.line(("b", 7, "nothing")) == 11
    assert document.line(("nothing",)) == 10


def test_only_line_feeds_count_as_lines() -> None:
    document = parse_yaml('a: "x\u2028y\u0085z"\nb: 2\n')
    assert document.line(("b",)) == 2


def test_a_repeated_key_is_remarked() -> None:
    document = parse_yaml("a: 1\nb: 2\na: 3\n")
    assert document.value == {"a": 3, "b": 2}
    assert [(remark.line, str(remark.sentence)) for remark in document.remarks] == [
        (3, "'a' is given twice; the later one counts here")
    ]


def test_a_key_that_is_no_text_is_left_out() -> None:
    document = parse_yaml("? [a, b]\n: 1\nc: 2\n")
    assert document.value == {"c": 2}
    assert [remark.line for remark in document.remarks] == [1]


def test_the_fast_parser_is_used_where_it_exists() -> None:
    from covel_inspector.engines.covel.checkout import yaml_text

    assert issubclass(yaml_text._Loader, yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)
