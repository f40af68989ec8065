"""JSON of reports gives every text back exactly."""

import json

from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.report.json_text import json_text


@given(st.text(st.characters()), st.booleans())
def test_every_text_comes_back(text: str, ascii_only: bool) -> None:
    written = json_text({"text": text}, ascii_only=ascii_only)
    written.encode("ascii" if ascii_only else "utf-8")
    assert json.loads(written)["text"] == text


def test_letters_stay_readable_and_torn_halves_are_escapes() -> None:
    assert json_text(["守夜 \ud83d \x9b"], indent=None) == '["守夜 \\ud83d \\u009b"]'
    assert json_text(["守夜"], ascii_only=True, indent=None) == '["\\u5b88\\u591c"]'


def test_a_number_that_json_cannot_carry_is_null() -> None:
    assert json.loads(json_text({"a": [float("inf"), 1.5, {"b": float("nan")}]})) == {"a": [None, 1.5, {"b": None}]}
