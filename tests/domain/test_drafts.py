"""Drafts of changes as text and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.domain import Changes
from covel_inspector.domain.drafts import FORMAT, Draft, DraftError, draft_text, parse_draft

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
KEYS = st.lists(TEXTS, max_size=3, unique=True).map(tuple)
NUMBERS = st.none() | st.integers(-(10**6), 10**6)
CHANGES = st.builds(
    Changes,
    player_line=st.none() | TEXTS,
    window=NUMBERS,
    reserve=NUMBERS,
    protected_turns=NUMBERS,
    max_turns=NUMBERS,
    include_summaries=st.none() | st.booleans(),
    locale=st.none() | TEXTS,
    model=st.none() | TEXTS,
    body=st.none() | TEXTS,
    without=KEYS,
    texts=st.dictionaries(TEXTS, TEXTS, max_size=3).map(lambda found: tuple(found.items())),
    lore_on=KEYS,
    lore_off=KEYS,
    lore_depth=st.dictionaries(TEXTS, st.integers(0, 99), max_size=3).map(lambda found: tuple(found.items())),
)


@given(CHANGES, TEXTS)
def test_a_draft_comes_back_as_it_was(changes: Changes, address: str) -> None:
    assert parse_draft(draft_text(Draft(changes, address)), "a.json") == Draft(changes, address)


def test_only_what_is_changed_is_written() -> None:
    assert json.loads(draft_text(Draft(Changes(window=4000)))) == {"format": FORMAT, "changes": {"window": 4000}}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"window": "4000"}, '"window" should be a whole number'),
        ({"window": True}, '"window" should be a whole number'),
        ({"window": 4000.5}, '"window" should be a whole number'),
        ({"body": 7}, '"body" should be a text'),
        ({"without": "body"}, '"without" should be a list of texts'),
        ({"lore_on": [1]}, '"lore_on" should be a list of texts'),
        ({"texts": ["body"]}, '"texts" should be an object of texts'),
        ({"texts": {"body": None}}, '"texts" should be an object of texts'),
        ({"lore_depth": {"lore:night": -1}}, '"lore_depth" should be an object of whole numbers from 0'),
        ({"lore_depth": {"lore:night": True}}, '"lore_depth" should be an object of whole numbers from 0'),
        ({"lore_depth": ["lore:night"]}, '"lore_depth" should be an object of whole numbers from 0'),
        ({"include_summaries": 1}, '"include_summaries" should be true or false'),
        ({"wndow": 1}, 'there is no change "wndow"; there are body'),
    ],
)
def test_wrong_changes_are_named(changes: object, says: str) -> None:
    text = json.dumps({"format": FORMAT, "changes": changes})
    with pytest.raises(DraftError) as caught:
        parse_draft(text, "my.json")
    assert str(caught.value).startswith("my.json is no draft: ")
    assert says in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "3", '{"changes": []}', '{"changes": {}}'])
def test_what_is_no_draft_is_refused(text: str) -> None:
    with pytest.raises(DraftError, match=r"my\.json is no"):
        parse_draft(text, "my.json")


def test_an_address_is_a_text() -> None:
    with pytest.raises(DraftError, match='"address" should be a text'):
        parse_draft(json.dumps({"format": FORMAT, "address": 3, "changes": {}}), "my.json")
