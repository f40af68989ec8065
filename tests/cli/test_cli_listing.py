"""``sessions`` and ``calls``."""

import json

from fake_source import CHINESE, ENGLISH


def test_sessions_as_a_table(desk) -> None:
    outcome = desk("sessions", "story.db", "--covel-root", ".")
    assert outcome.status == 0
    assert [line.split()[0] for line in outcome.lines] == ["Session", ENGLISH, CHINESE]
    assert desk.opened == [("story.db", ".")]
    assert all(source.closed for source in desk.sources)


def test_sessions_as_json(desk) -> None:
    assert [one["id"] for one in json.loads(desk("sessions", "story.db", "--json").out)] == [ENGLISH, CHINESE]


def test_headings_speak_the_chosen_language(desk) -> None:
    assert desk("sessions", "story.db", "--language", "zh-CN").lines[0].split()[0] == "会话"
    assert desk("--language", "zh-CN", "sessions", "story.db").lines[0].split()[0] == "会话"


def test_calls_of_all_sessions_of_one_and_of_one_turn(desk) -> None:
    assert len(desk("calls", "story.db").lines) == 1 + 11
    assert len(desk("calls", "story.db", "--session", "watch").lines) == 1 + 4
    chosen = json.loads(desk("calls", "story.db", "--turn", "2+1", "--json").out)
    assert [one["address"] for one in chosen] == [f"{ENGLISH}:2+1:omens/quiet:0", f"{ENGLISH}:2+1:painter:0"]


def test_a_session_that_is_not_there_is_named(desk) -> None:
    outcome = desk("calls", "story.db", "--session", "nix")
    assert (outcome.status, outcome.out) == (2, "")
    assert (
        outcome.err == "covel-inspector: There is no session 'nix' in story.db. 'sessions FILE' lists what is there.\n"
    )
