"""Which members of a value a row that changed later still tells."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.engines.covel.assembler.escaping import json_of, printed
from covel_inspector.engines.covel.rebuild.older_values import older_value

NOW: dict[str, Any] = {"id": "ines", "name": "Ines", "fields": {"purse": 10, "wet": True, "carries": ["satchel"]}}
_NAMES = st.sampled_from(["name", "type", "fields", "purse", "wet"])
_PLAIN = st.none() | st.booleans() | st.integers(-99, 99) | st.text(alphabet="ab<&雾", max_size=4)
_OBJECTS = st.dictionaries(_NAMES, _PLAIN | st.dictionaries(_NAMES, _PLAIN, max_size=3), max_size=4)


def sent(**fields: object) -> str:
    return json_of({**NOW, "fields": {**NOW["fields"], **fields}})


def test_a_value_that_reads_the_same_now_takes_nothing() -> None:
    assert older_value(json_of(NOW), NOW) is None


def test_only_the_members_that_changed_are_taken() -> None:
    value = older_value(sent(purse=12, carries=["satchel", "letter"]), NOW)
    assert value is not None
    assert value.members == ("fields.purse", "fields.carries")
    assert value.taken == len("12") + len('["satchel","letter"]')
    assert "fields.purse, fields.carries" in str(value.reason)


def test_a_member_that_is_gone_counts_with_its_name_and_one_that_came_later_is_only_named() -> None:
    gone = older_value(sent(boat="skiff"), NOW)
    assert gone is not None
    assert (gone.members, gone.taken) == (("fields.boat",), len('"boat":"skiff",'))
    without = {key: value for key, value in NOW.items() if key != "name"}
    came = older_value(json_of(without), NOW)
    assert came is not None
    assert (came.members, came.taken) == (("name",), 0)


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("not an object", NOW),
        ('{"id": "ines"}', NOW),
        (json_of(dict(reversed(NOW.items()))), NOW),
        (json_of({"other": "value"}), {}),
        (json_of(NOW), None),
        (json_of(NOW), "text"),
        ("[" * 5_000, NOW),
        ("salt & tar", "salt & tar"),
    ],
    ids=["text", "other print", "other order", "nothing of the row", "no row", "no object", "deep", "entities"],
)
def test_what_a_row_cannot_tell_is_taken_whole(text: str, now: object) -> None:
    value = older_value(text, now)
    assert value is not None
    assert value.is_whole
    assert value.taken == len(text)


@given(_OBJECTS, _OBJECTS)
def test_the_row_and_the_members_taken_give_the_text_again(then: dict[str, Any], now: dict[str, Any]) -> None:
    text = json_of(then)
    value = older_value(text, now)
    if value is None:
        assert printed(now) == text
        return
    assert 0 <= value.taken <= len(text)
    if value.is_whole:
        return
    for path in value.members:
        first, _, second = path.partition(".")
        if second:
            assert json_of(then[first].get(second)) != json_of(now[first].get(second)) or (
                (second in then[first]) != (second in now[first])
            )
        else:
            assert json_of(then.get(first)) != json_of(now.get(first)) or (first in then) != (first in now)
    same = {
        key: member
        for key, member in then.items()
        if key in now and not any(path.partition(".")[0] == key for path in value.members)
    }
    assert all(json_of(now[key]) == json_of(member) for key, member in same.items())
    assert json.loads(text) == then
