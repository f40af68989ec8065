"""What two requests share from the front."""

from hypothesis import given
from hypothesis import strategies as st
from sketched_trees import sketched

from covel_inspector.analysis.shared import shared_prefix
from covel_inspector.domain import Place

WHOLE = {"tools": {"tool:x": "{}"}, "system": {"body": "rules"}, "messages": {"a": "user|hello", "b": "assistant|hm"}}


def shared(a: dict[str, object], b: dict[str, object]) -> tuple[int, Place | None, Place | None]:
    found = shared_prefix(sketched(a).request, sketched(b).request)
    return found.length, found.a, found.b


def test_everything() -> None:
    assert shared(WHOLE, WHOLE) == (14, None, None)


def test_up_to_the_first_other_character() -> None:
    assert shared(WHOLE, {**WHOLE, "messages": {"a": "user|help"}}) == (2 + 5 + 3, Place(2, 3, 3), Place(2, 3, 3))


def test_other_tools_share_nothing_behind_them() -> None:
    assert shared(WHOLE, {**WHOLE, "tools": {"tool:y": "{y}"}}) == (1, Place(0, 1, 1), Place(0, 1, 1))


def test_a_missing_group_ends_it() -> None:
    assert shared(WHOLE, {"system": WHOLE["system"], "messages": WHOLE["messages"]}) == (
        0,
        Place(0, 0, 0),
        Place(0, 0, 0),
    )


def test_another_role_ends_it() -> None:
    other = {**WHOLE, "messages": {"a": "system|hello", "b": "assistant|hm"}}
    assert shared(WHOLE, other) == (7, Place(2, 0, 0), Place(2, 0, 0))


def test_one_more_message() -> None:
    longer = {**WHOLE, "messages": {**WHOLE["messages"], "c": "user|go"}}
    assert shared(WHOLE, longer) == (14, None, Place(4, 0, 0))


def test_the_response_format_is_no_part_of_it() -> None:
    assert shared(WHOLE, {**WHOLE, "response-format": {"response-format": "{}"}}) == (14, None, None)


@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_the_shared_stretch_is_the_same_and_what_follows_is_not(head: str, a: str, b: str) -> None:
    request_a = sketched({"system": {"body": head + a}}).request
    request_b = sketched({"system": {"body": head + b}}).request
    length = shared_prefix(request_a, request_b).length
    assert length >= len(head)
    assert request_a.text[:length] == request_b.text[:length]
    assert request_a.text[length : length + 1] != request_b.text[length : length + 1] or a == b
