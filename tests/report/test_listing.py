"""Sessions and calls as tables and as JSON."""

from fake_source import CHINESE, ENGLISH, fake_source

from covel_inspector.report.listing import call_lines, call_objects, session_lines, session_objects
from covel_inspector.report.wording import catalogue

WORDS = catalogue("en")


def test_sessions_stand_in_straight_columns() -> None:
    head, first, second = session_lines(fake_source().sessions(), WORDS)
    assert head.split() == ["Session", "Title", "Language", "World", "Turns", "Calls", "Begun"]
    assert first.index("en-US") == second.index("zh-CN") + len("第一次守夜")


def test_session_objects_have_their_fields() -> None:
    assert session_objects(fake_source().sessions())[1] == {
        "id": CHINESE,
        "title": "第一次守夜",
        "locale": "zh-CN",
        "world": "emberwatch",
        "turns": 3,
        "calls": 4,
        "createdAt": "2026-05-02T10:00:00Z",
        "updatedAt": "",
        "forkedFrom": "",
    }


def test_calls_say_what_is_special() -> None:
    lines = call_lines(fake_source().calls(ENGLISH), WORDS)
    notes = {line.split()[0]: line for line in lines[1:]}
    assert notes[f"{ENGLISH}:2:narrator:1"].endswith("step 2 of the tool loop")
    assert "attempt 2" in notes[f"{ENGLISH}:2:harbor-clerk/ledger:0"]
    assert notes[f"{ENGLISH}:2+1:omens/quiet:0"].endswith("concealed")
    assert "payload is no JSON" in notes[f"{ENGLISH}:2+1:painter:0"]


def test_usage_that_was_not_reported_is_null_and_not_zero() -> None:
    calls = {one["address"]: one for one in call_objects(fake_source().calls(ENGLISH), WORDS)}
    assert calls[f"{ENGLISH}:2:harbor-clerk/ledger:0"]["usage"] is None
    assert calls[f"{ENGLISH}:1:narrator:0"]["usage"] == {"input": 800, "output": 90, "cached": 640, "cacheWrite": 0}


def test_empty_lists_say_so() -> None:
    assert session_lines([], WORDS) == ["There is no session in this file."]
    assert call_lines([], WORDS) == ["No call was recorded here."]
