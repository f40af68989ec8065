"""The report on a whole source, for people and for programs."""

import json
from dataclasses import replace

from fake_source import CHINESE, ENGLISH, fake_source
from fake_what_if import UNSENT, WhatIfSource

from covel_inspector.report.document import markdown_lines, text_lines
from covel_inspector.report.json_text import json_text
from covel_inspector.report.overview import gather
from covel_inspector.report.overview_document import overview_document
from covel_inspector.report.overview_json import overview_object
from covel_inspector.report.wording import catalogue

WORDS = catalogue("en")


def test_text_names_every_exception_with_its_reason() -> None:
    lines = text_lines(overview_document(gather(fake_source()), WORDS))
    assert lines[:2] == ["Report on fake-story.db", "======================="]
    assert "- Sessions: 2; recorded calls: 11; runtimes: 5" in lines
    reason = "the rows of segment dimensions are newer than this call"
    assert f"- {ENGLISH}:2:narrator:0: differs: {reason}" in lines
    assert f"  - Messages, Player line: {reason}" in lines
    assert "- tool result: 19 of 1 186 characters" in lines
    assert "- warning: plugins/codex/PLUGIN.md:3: front matter is no YAML: a tab" in lines


def test_markdown_has_tables() -> None:
    lines = markdown_lines(overview_document(gather(fake_source()), WORDS))
    assert f"## Session {CHINESE}: 第一次守夜" in lines
    assert "| codex | 1 | 0 | 0 | 1 | 0 | 0 | 25.0 % |" in lines


def test_json_holds_the_same() -> None:
    found = json.loads(json_text(overview_object(gather(fake_source()), WORDS)))
    assert found["counts"] == {"sessions": 2, "calls": 11, "runtimes": 5}
    assert found["all"]["statuses"]["differs"] == 2
    exception = found["sessions"][1]["exceptions"][0]
    assert (exception["address"], exception["status"]) == (f"{CHINESE}:2:codex:0", "differs")
    assert [one["severity"] for one in found["problems"]] == ["error", "warning"]


def test_addresses_are_short_where_there_is_only_one_session() -> None:
    overview = gather(fake_source(), CHINESE)
    alone = replace(overview, facts=replace(overview.facts, sessions=1))
    lines = text_lines(overview_document(alone, WORDS))
    assert "- :2:codex:0: differs: the body in the files is not the one that was sent" in lines
    assert not [line for line in lines if "All sessions" in line]


def test_turns_are_counted_as_everywhere_and_what_else_ran_is_said() -> None:
    lines = text_lines(overview_document(gather(fake_source()), WORDS))
    assert "Turns: 3 (begun by the player; 1 background runs stand after them, such as 5+1); recorded calls: 7" in lines
    assert "Turns: 3; recorded calls: 4" in lines
    found = overview_object(gather(fake_source()), WORDS)["sessions"][0]
    assert (found["turns"], found["backgroundRuns"], found["neverSent"]) == (3, 1, [])


def test_requests_that_were_never_sent_are_listed_with_the_engine_s_own_words() -> None:
    overview = gather(WhatIfSource())
    lines = text_lines(overview_document(overview, WORDS))
    assert any(line.endswith("recorded calls: 7; never sent: 1") for line in lines)
    at = lines.index(f"- {UNSENT}: The player's text did not fit.")
    assert lines[at + 1].strip() == "- The engine's error: [imaginary] 5000 of 4000"
    (unsent,) = overview_object(overview, WORDS)["sessions"][0]["neverSent"]
    assert (unsent["address"], unsent["needed"], unsent["limit"]) == (str(UNSENT), 5000, 4000)
    assert unsent["error"] == "[imaginary] 5000 of 4000"
