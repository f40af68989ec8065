"""JUnit XML: well formed whatever stands in it, and of the structure that readers expect."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covel_inspector.analysis.checking.outcome import CheckOutcome, RuleResult, Violation
from covel_inspector.domain import Address, FindingPlace, Rule, Severity, plain
from covel_inspector.report.check import check_lines, check_object
from covel_inspector.report.json_text import json_text
from covel_inspector.report.junit import junit_lines
from covel_inspector.report.wording import catalogue

WORDS = catalogue("en")
ODD = "a<b> & \"c\" 'd' ]]> \x00\x1b[31m\x7f\ud83d \ufffe 灯🔥\r\n\te"


def violation(text: str, *, breaks: bool = True, times: int = 1) -> Violation:
    place = FindingPlace("plugins/a & b.md", 3, address=Address("s", "1", "r", 0), segment="body")
    return Violation(plain(text), place, Severity.WARNING, breaks, plain("mend <it>"), times)


def outcome(*results: RuleResult, location: str = "a <b>.db") -> CheckOutcome:
    return CheckOutcome(location, 7, results)


def result(name: str, violations: Sequence[Violation] = (), *, is_off: bool = False) -> RuleResult:
    return RuleResult(Rule(name, plain(f"Title of {name}"), Severity.WARNING), tuple(violations), is_off)


def parsed(made: CheckOutcome, *, ascii_only: bool = False) -> ET.Element:
    text = "\n".join(junit_lines(made, WORDS, ascii_only=ascii_only))
    return ET.fromstring(text.encode("ascii" if ascii_only else "utf-8"))


def well_structured(root: ET.Element) -> None:
    """What readers of JUnit XML rely on."""
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.tag == "testsuite"
    assert set(suite.attrib) == {"name", "tests", "failures", "errors", "skipped"}
    cases = list(suite)
    assert {case.tag for case in cases} <= {"testcase"}
    assert all(set(case.attrib) == {"classname", "name"} for case in cases)
    assert {child.tag for case in cases for child in case} <= {"failure", "skipped", "system-out"}
    assert all(sum(1 for child in case if child.tag == tag) <= 1 for case in cases for tag in ("failure", "skipped"))
    count = {tag: sum(case.find(tag) is not None for case in cases) for tag in ("failure", "skipped")}
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped"), suite.get("errors")) == (
        str(len(cases)), str(count["failure"]), str(count["skipped"]), "0",
    )  # fmt: skip
    assert all({"type", "message"} == set(failure.attrib) for failure in root.iter("failure"))


def test_broken_told_off_and_fine_rules() -> None:
    made = outcome(
        result("bad", [violation("one"), violation("two", breaks=False)]),
        result("told", [violation("three", breaks=False)]),
        result("off", is_off=True),
        result("fine"),
    )
    root = parsed(made)
    well_structured(root)
    bad, told, off, fine = root[0]
    assert [child.tag for child in bad] == ["failure", "system-out"]
    assert (bad[0].get("type"), bad[0].get("message")) == ("warning", "Title of bad")
    assert bad[0].text == "one (plugins/a & b.md:3 · s:1:r:0)\n→ mend <it>"
    assert [child.tag for child in told] == ["system-out"]
    assert [child.tag for child in off] == ["skipped"]
    assert list(fine) == []


@pytest.mark.parametrize("ascii_only", [False, True])
def test_odd_characters_are_escaped_and_none_is_lost(ascii_only: bool) -> None:
    root = parsed(outcome(result(ODD, [violation(ODD)]), location=ODD), ascii_only=ascii_only)
    well_structured(root)
    shown = "a<b> & \"c\" 'd' ]]> \\x00\\x1b[31m\x7f\\ud83d \\ufffe 灯🔥\r\n\te"
    assert root[0].get("name") == shown
    assert root[0][0].get("name") == shown
    # Line ends of texts are read as one line feed by every reader of XML.
    assert (root[0][0][0].text or "").startswith(shown.replace("\r\n", "\n"))


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=40), st.text(max_size=20))
def test_any_text_gives_well_formed_xml(text: str, location: str) -> None:
    made = outcome(result(text, [violation(text), violation(text, breaks=False)]), location=location)
    well_structured(parsed(made))
    well_structured(parsed(made, ascii_only=True))


def test_a_check_without_rules_is_a_document_too() -> None:
    well_structured(parsed(outcome()))


def test_lines_say_rule_place_and_remedy() -> None:
    made = outcome(result("bad", [violation("one\x1b[2J", times=3)]), result("fine"), result("off", is_off=True))
    assert check_lines(made, WORDS) == [
        "Title of bad [bad]: broken",
        "  warning: one\\x1b[2J (3 calls)",
        "    plugins/a & b.md:3 · s:1:r:0",
        "    → mend <it>",
        "",
        "1 of 2 rules are broken in 7 calls.",
    ]
    assert check_lines(outcome(result("fine")), WORDS) == ["No rule of 1 is broken in 7 calls."]


def test_json_has_every_result() -> None:
    made = outcome(
        result("bad", [violation(ODD)]), result("told", [violation("x", breaks=False)]), result("o", is_off=True)
    )
    value = check_object(made, WORDS)
    assert json_text(value)
    assert value["broken"] == ["bad"]
    assert [one["state"] for one in value["results"]] == ["broken", "ok", "off"]
    assert value["results"][0]["violations"][0]["sentence"] == ODD
    assert value["results"][0]["violations"][0]["place"] == {
        "file": "plugins/a & b.md", "line": 3, "table": "", "row": "", "address": "s:1:r:0", "segment": "body",
    }  # fmt: skip
