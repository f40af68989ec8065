"""``check``: forms, exit statuses, and complaints about its file of rules."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest


@pytest.fixture
def rules(tmp_path: Path):
    """Writes a file of rules and gives its path."""

    def write(text: str | bytes) -> str:
        path = tmp_path / "rules.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


FINE = 'fail-on = "error"\n[rules]\nunreadable = "off"\n'


def test_a_broken_rule_is_status_1(desk) -> None:
    outcome = desk("check", "story.db", "--covel-root", ".")
    assert (outcome.status, outcome.err) == (1, "")
    assert outcome.lines[-1].endswith("rules are broken in 11 calls.")
    assert desk.opened == [("story.db", ".")]
    assert all(source.closed for source in desk.sources)


def test_no_broken_rule_is_status_0(desk, rules) -> None:
    outcome = desk("check", "story.db", "--rules", rules(FINE))
    assert outcome.status == 0
    assert outcome.lines[-1].startswith("No rule of ")


def test_json_and_its_short_form(desk, rules) -> None:
    long = desk("check", "story.db", "--rules", rules(FINE), "--format", "json")
    short = desk("check", "story.db", "--rules", rules(FINE), "--json")
    assert long.out == short.out
    assert json.loads(long.out)["broken"] == []


def test_junit_is_xml(desk) -> None:
    outcome = desk("check", "story.db", "--format", "junit")
    assert outcome.status == 1
    root = ET.fromstring(outcome.out.encode())
    assert root.tag == "testsuites"
    assert root[0].get("name") == "story.db"


def test_only_one_session(desk) -> None:
    assert json.loads(desk("check", "story.db", "--session", "watch", "--json").out)["calls"] == 4


def test_it_speaks_chinese(desk) -> None:
    assert desk("check", "story.db", "--language", "zh-CN").lines[-1].startswith("11 次调用中")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "is no TOML: "),
        ("rulez = 1", "there is no 'rulez'; did you mean 'rules'?"),
        (b"\xff\xfe", "is not UTF-8."),
    ],
)
def test_a_bad_file_of_rules_is_status_2(desk, rules, text: str | bytes, said: str) -> None:
    outcome = desk("check", "story.db", "--rules", rules(text))
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("covel-inspector: ")
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


def test_files_that_are_not_there_are_status_2(desk, tmp_path: Path) -> None:
    outcome = desk("check", "story.db", "--rules", str(tmp_path / "none.toml"))
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "none.toml: No such file or directory." in outcome.err
    assert desk("check", "nowhere.db").status == 2
    assert desk("check", "story.db", "--rules", str(tmp_path)).status == 2
    assert desk("check", "story.db", "--format", "yaml").status == 2
