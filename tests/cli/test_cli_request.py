"""``show``."""

import json

from fake_source import ENGLISH
from fake_trees import DANGEROUS


def test_tree_with_its_verdict(desk) -> None:
    outcome = desk("show", "story.db", "tide:1:narrator:0")
    assert outcome.status == 0
    assert outcome.lines[0] == f"{ENGLISH}:1:narrator:0 · recorded"
    assert "Recorded against rebuilt: identical: every character is the same" in outcome.lines


def test_json_two_ways(desk) -> None:
    short = desk("show", "story.db", "tide:1:narrator:0", "--json").out
    assert short == desk("show", "story.db", "tide:1:narrator:0", "--as", "json").out
    assert json.loads(short)["source"] == "recorded"


def test_the_rebuilt_request_is_another_one(desk) -> None:
    recorded = desk("show", "story.db", "tide:2:narrator:0", "--as", "text").out
    rebuilt = desk("show", "story.db", "tide:2:narrator:0", "--as", "text", "--source", "rebuilt").out
    assert "<dimensions>" in recorded
    assert "<dimensions>" not in rebuilt


def test_text_of_a_story_cannot_steer_the_terminal(desk) -> None:
    text = desk("show", "story.db", "watch:3:narrator:0", "--as", "text").out
    assert "门外的人说" in text
    assert "\x1b" not in text
    assert DANGEROUS not in text


def test_a_request_that_is_not_there_says_why(desk) -> None:
    nothing = desk("show", "story.db", "tide:2+1:painter:0")
    assert (nothing.status, nothing.out) == (1, "")
    assert nothing.err.startswith(f"Nothing was recorded for {ENGLISH}:2+1:painter:0: payload is no JSON")
    impossible = desk("show", "story.db", "tide:2:harbor-clerk/ledger:0", "--source", "rebuilt")
    assert impossible.status == 1
    assert impossible.err == f"{ENGLISH}:2:harbor-clerk/ledger:0 cannot be rebuilt: the retry hint is not kept\n"


def test_addresses_that_name_nothing(desk) -> None:
    for address in ("bla", "tide:9:narrator:0", ":1:narrator:0"):
        outcome = desk("show", "story.db", address)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
