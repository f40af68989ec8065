"""``compare``."""

import json

from fake_source import CHINESE, ENGLISH


def test_two_turns_differ(desk) -> None:
    outcome = desk("compare", "story.db", "watch:1:narrator:0", "watch:2:narrator:0")
    assert outcome.status == 1
    assert outcome.lines[0] == f"A {CHINESE}:1:narrator:0 · recorded · story.db"
    assert "我[-走上塔顶-]" in outcome.out or "[-我走上塔顶。-]" in outcome.out


def test_recorded_against_rebuilt_is_what_one_address_means(desk) -> None:
    assert desk("compare", "story.db", "tide:1:narrator:0").status == 0
    outcome = desk("compare", "story.db", "tide:2:narrator:0")
    assert outcome.status == 1
    assert outcome.lines[1] == f"B {ENGLISH}:2:narrator:0 · rebuilt · story.db"
    chosen = desk("compare", "story.db", "tide:2:narrator:0", "tide:2:narrator:0", "--source-b", "rebuilt")
    assert chosen.out == outcome.out


def test_two_files_are_both_opened_and_closed(desk) -> None:
    outcome = desk("compare", "old.db", "tide:1:narrator:0", "tide:1:narrator:0", "new.db")
    assert outcome.status == 0
    assert [location for location, _ in desk.opened] == ["old.db", "new.db"]
    assert [source.closed for source in desk.sources] == [True, True]


def test_json_and_width(desk) -> None:
    found = json.loads(desk("compare", "story.db", "watch:1:narrator:0", "watch:2:narrator:0", "--json").out)
    assert (found["a"]["address"], found["equal"]) == (f"{CHINESE}:1:narrator:0", False)
    narrow = desk("compare", "story.db", "watch:1:narrator:0", "watch:2:narrator:0", "--width", "60")
    assert max(len(line) for line in narrow.lines if "│" in line) <= 60


def test_a_side_that_is_not_there(desk) -> None:
    outcome = desk("compare", "story.db", "tide:2:harbor-clerk/ledger:0")
    assert (outcome.status, outcome.out) == (1, "")
    assert "cannot be rebuilt" in outcome.err
