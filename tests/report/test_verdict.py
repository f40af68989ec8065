"""A verdict as lines and as JSON."""

from fake_source import ENGLISH, fake_source

from covel_inspector.domain import Difference, Group, Place, Status, Verdict, plain
from covel_inspector.report.verdict import verdict_details, verdict_lines, verdict_object
from covel_inspector.report.wording import catalogue

WORDS = catalogue("en")


def test_lines_say_how_much_is_our_own() -> None:
    source = fake_source()
    lines = verdict_lines(source.verdict(source.resolve(f"{ENGLISH}:2:narrator:1")), WORDS)
    assert lines == [
        "Recorded against rebuilt: identical: every character is the same",
        (
            "95.7 % of 442 characters were rebuilt from rows and files alone (those of the system prompt and the "
            "messages, without cache marks and the blanks between segments)."
        ),
        "Taken from the recording:",
        "  tool result, 19 characters: results are kept in the recording only",
    ]


def test_json_has_places() -> None:
    source = fake_source()
    found = verdict_object(source.verdict(source.resolve(f"{ENGLISH}:2:narrator:0")), WORDS)
    assert found["status"] == "differs"
    assert found["differences"][0]["recorded"] == {"part": 5, "start": 0, "end": 38}
    assert (found["independent"], found["total"]) == (120, 480)


def test_very_many_differences_are_counted() -> None:
    one = Difference(Group.MESSAGES, plain("x"), Place(0, 0, 1), None, plain("gone"))
    details = [str(detail) for detail in verdict_details(Verdict(Status.DIFFERS, plain("why"), (one,) * 20))]
    assert len(details) == 13
    assert details[0] == "Messages, x: gone"
    assert details[-1] == "and 8 more places"
