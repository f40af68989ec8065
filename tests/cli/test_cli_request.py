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
    assert nothing.err.startswith(f"There is no recorded request of {ENGLISH}:2+1:painter:0: payload is no JSON")
    impossible = desk("show", "story.db", "tide:2:harbor-clerk/ledger:0", "--source", "rebuilt")
    assert impossible.status == 1
    assert impossible.err == f"{ENGLISH}:2:harbor-clerk/ledger:0 cannot be rebuilt: the retry hint is not kept\n"


def test_addresses_that_name_nothing(desk) -> None:
    for address in ("bla", "tide:9:narrator:0", ":1:narrator:0"):
        outcome = desk("show", "story.db", address)
        assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)


def test_the_body_alone_can_be_piped_on(desk) -> None:
    outcome = desk("show", "story.db", "tide:2:narrator:0", "--as", "wire")
    assert outcome.status == 0
    body = json.loads(outcome.out)
    assert list(body)[:2] == ["model", "messages"]
    assert body["messages"][-1]["content"] == "I ask the clerk about the red lantern."
    head, *notes = outcome.err.splitlines()
    assert head == f"{ENGLISH}:2:narrator:0 · recorded · openai-chat-v1 · /v1/chat/completions"
    assert notes == ["note: the trace left out fields of the body, or an address in it"]


def test_a_body_with_all_that_is_known_of_it(desk) -> None:
    found = json.loads(desk("show", "story.db", "tide:2:narrator:0", "--as", "wire", "--json").out)
    assert list(found) == ["address", "source", "protocol", "path", "notes", "marks", "traces", "body"]
    trace = found["traces"][-1]
    text = found["body"][trace["path"][0]][trace["path"][1]][trace["path"][2]]
    assert text[trace["start"] : trace["end"]] == "I ask the clerk about the red lantern."
    assert found["marks"][0]["offset"] == len(text)


def test_a_named_protocol_is_built(desk) -> None:
    found = json.loads(
        desk("show", "story.db", "tide:2:narrator:0", "--protocol", "anthropic-messages-v1", "--json").out
    )
    assert (found["source"], found["protocol"]) == ("built-from-recorded", "anthropic-messages-v1")
    rebuilt = desk("show", "story.db", "tide:2:narrator:0", "--as", "wire", "--source", "rebuilt")
    assert "built from the rebuilt request" in rebuilt.err


def test_a_body_that_is_not_there_says_why(desk) -> None:
    nothing = desk("show", "story.db", "tide:2+1:painter:0", "--as", "wire")
    assert (nothing.status, nothing.out) == (1, "")
    assert nothing.err.startswith(f"There is no recorded request of {ENGLISH}:2+1:painter:0")
    wrong = desk("show", "story.db", "tide:2:narrator:0", "--protocol", "smoke-signals-v1")
    assert (wrong.status, wrong.out) == (2, "")
