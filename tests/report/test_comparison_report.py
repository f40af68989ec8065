"""A comparison as text and as JSON."""

from fake_source import CHINESE, FakeSource, fake_source

from covel_inspector.analysis.compare import compare
from covel_inspector.analysis.pairs import Comparison
from covel_inspector.report.comparison import Side, comparison_lines, comparison_object
from covel_inspector.report.side_by_side import ASCII
from covel_inspector.report.terminal import width
from covel_inspector.report.wording import catalogue

WORDS = catalogue("en")


def _compared(first: str, second: str) -> tuple[Comparison, Side, Side]:
    source: FakeSource = fake_source()
    a, b = source.resolve(first), source.resolve(second)
    found = compare(source.recorded(a), source.recorded(b))
    sides = [Side(str(one), "recorded", source.location, source.estimate) for one in (a, b)]
    return found, sides[0], sides[1]


def test_segments_come_first_then_words() -> None:
    lines = comparison_lines(*_compared(f"{CHINESE}:1:narrator:0", f"{CHINESE}:3:narrator:0"), WORDS, 100)
    assert lines[:2] == [
        f"A {CHINESE}:1:narrator:0 · recorded · fake-story.db",
        f"B {CHINESE}:3:narrator:0 · recorded · fake-story.db",
    ]
    assert lines[3].startswith("2 changed, 5 added, 0 removed, 0 moved, 4 equal; the first 150 of 263")
    words = lines.index("── Player line: changed ──")
    assert "我[-走上塔顶-]。" in lines[words + 1]
    assert "我{+打开门+}。" in lines[words + 1]
    added = lines.index("── Lore · night: added ──")
    assert lines[added + 1] == "+ 夜里有人敲门时，先问名字，再开门。"


def test_no_line_of_words_is_wider_than_asked_for() -> None:
    compared = _compared(f"{CHINESE}:1:narrator:0", f"{CHINESE}:3:narrator:0")
    lines = comparison_lines(*compared, WORDS, 80)
    assert max(width(line) for line in lines if "│" in line) <= 80


def test_equal_requests_say_so() -> None:
    lines = comparison_lines(*_compared(f"{CHINESE}:1:narrator:0", f"{CHINESE}:1:narrator:0"), WORDS)
    assert "The two requests are equal." in lines
    assert not [line for line in lines if line.startswith("──")]


def test_signs_can_be_plain() -> None:
    lines = comparison_lines(*_compared("tide:1:narrator:0", "tide:2:narrator:0"), WORDS, 100, ASCII)
    assert all(line.replace("·", "").isascii() for line in lines)


def test_json_holds_hunks_of_changed_leaves() -> None:
    found = comparison_object(*_compared(f"{CHINESE}:1:narrator:0", f"{CHINESE}:3:narrator:0"), WORDS)
    assert (found["equal"], found["shared"]) == (False, 150)
    assert found["counts"]["added"] == 5
    messages = next(row for row in found["rows"] if row["key"] == "messages")
    line = next(row for row in messages["rows"] if row["key"] == "player-line")
    assert line["state"] == "changed"
    assert line["changes"] == [{"kind": "replace", "aStart": 1, "aEnd": 5, "bStart": 1, "bEnd": 4}]
    history = next(row for row in messages["rows"] if row["key"] == "history")
    assert history["a"] is None
    assert history["changes"] == []
