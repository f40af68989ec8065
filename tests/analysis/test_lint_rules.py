"""Rules on made-up requests, and how findings are put together."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from fake_source import ENGLISH, fake_source
from fake_what_if import WhatIfSource
from hypothesis import given
from hypothesis import strategies as st
from sketched_trees import sketched

from covel_inspector.analysis.lint.blocks import outer_tags
from covel_inspector.analysis.lint.lint import lint
from covel_inspector.analysis.lint.registry import CHECKS, all_rules
from covel_inspector.analysis.lint.rules import (
    order_by_id,
    tag_written_twice,
    turn_segment_before_history,
    unclosed_tag,
    unreadable,
)
from covel_inspector.analysis.lint.seen import Seen
from covel_inspector.domain import (
    Address,
    Call,
    Kind,
    LoreOutcome,
    Origin,
    Problem,
    Segment,
    SegmentTree,
    Severity,
    TooLong,
    Volatility,
    plain,
)

CALL = Call(Address("s", "1", "r", 0), "row", "t1")


def seen(tree: SegmentTree) -> Seen:
    return Seen(CALL, tree)


def marked(segment: Segment, key: str, **fields: object) -> Segment:
    """The tree with one segment changed."""
    if segment.key == key:
        return replace(segment, **fields)
    return replace(segment, children=tuple(marked(child, key, **fields) for child in segment.children))


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("<a>\nx\n</a>", [("a", True)]),
        ("x <a>\n</a>", []),
        ("<a>\n<b>\n</b>\n</a>\n<c>", [("a", True), ("c", False)]),
        ("<a>\n<a>\n</a>", [("a", True)]),
        ("<a>\n<b>\n</b>", [("a", False), ("b", True)]),
        ("<br>\n<BR>", [("br", True), ("BR", True)]),
        ("<a b='c'>\n", []),
        ("< a>\n<1>\n<标签>\n</a>", []),
        ("", []),
    ],
)
def test_only_tags_that_open_a_line_count(text: str, tags: list[tuple[str, bool]]) -> None:
    assert [(tag.name, tag.is_closed) for tag in outer_tags(text)] == tags


@given(st.text(st.sampled_from("<>/ab \n-"), max_size=60))
def test_tags_are_found_where_they_stand(text: str) -> None:
    last = -1
    for tag in outer_tags(text):
        assert text.startswith(f"<{tag.name}>", tag.start)
        assert tag.start == 0 or text[tag.start - 1] == "\n"
        assert tag.start > last
        last = tag.start


def test_two_writers_of_a_tag() -> None:
    tree = sketched(
        {
            "system": {"body": "Rules.\n<mood>\ncalm\n</mood>\n", "segment:p/mood": "<mood>\nangry\n</mood>"},
            "messages": {
                "history": {"history:1": "<mood>\nmine\n</mood>"},
                "turn-context": {"segment:q/x": "<x>\n</x>"},
            },
        }
    )
    (finding,) = tag_written_twice.CHECK.in_call(seen(tree))
    assert str(finding.sentence) == "<mood> is written by body and again by segment:p/mood"
    assert finding.place.segment == "segment:p/mood"


def test_one_writer_may_repeat_its_tag_and_mention_others() -> None:
    tree = sketched(
        {
            "system": {
                "body": "Read <mood> below.\n",
                "segment:p/mood": "<mood>\na\n</mood>",
                "segment:p/mood#2": "<mood>\nb\n</mood>",
            }
        }
    )
    assert list(tag_written_twice.CHECK.in_call(seen(tree))) == []


def test_players_and_models_may_write_what_they_like() -> None:
    tree = sketched({"system": {"body": "x"}, "messages": {"history:1": "<open>\n", "player-line": "<open>\n"}})
    assert list(unclosed_tag.CHECK.in_call(seen(tree))) == []


def test_an_unclosed_tag_names_file_and_line() -> None:
    tree = sketched({"system": {"segment:p/rules": "One.\nTwo.\n<rules>\nthree"}})
    origin = Origin(plugin="p", file="plugins/p/PLUGIN.md", line=7)
    groups = tuple(marked(group, "segment:p/rules", origin=origin) for group in tree.groups)
    (finding,) = unclosed_tag.CHECK.in_call(seen(replace(tree, groups=groups)))
    assert finding.place.text == "plugins/p/PLUGIN.md:9"


@pytest.mark.parametrize(
    ("volatility", "group", "found"),
    [
        (Volatility.TURN, "system", 1),
        (Volatility.SESSION, "system", 0),
        (None, "system", 0),
        (Volatility.TURN, "messages", 0),
    ],
)
def test_a_turn_segment_counts_in_the_system_prompt_only(volatility: Volatility | None, group: str, found: int) -> None:
    tree = sketched({group: {"segment:p/clock": "noon"}})
    groups = tuple(marked(one, "segment:p/clock", volatility=volatility) for one in tree.groups)
    assert len(list(turn_segment_before_history.CHECK.in_call(seen(replace(tree, groups=groups))))) == found


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ("plugins/codex/PLUGIN.md:3", "plugins/codex/PLUGIN.md:3"),
        ("trace_events 1a:2", "trace_events 1a:2"),
        ("llm.toml", "llm.toml"),
        ("lorebook_entries", "lorebook_entries"),
    ],
)
def test_a_problem_keeps_its_place(where: str, place: str) -> None:
    finding = unreadable.as_finding(Problem(Severity.WARNING, where, plain("broken")))
    assert (finding.place.text, finding.severity) == (place, Severity.WARNING)


def test_every_rule_has_an_id_of_its_own_and_looks_somewhere() -> None:
    ids = [rule.id for rule in all_rules(fake_source())]
    assert len(ids) == len(set(ids))
    assert all(check.in_call or check.in_session for check in CHECKS)


def test_findings_of_the_made_up_story() -> None:
    progress: list[tuple[int, int]] = []
    found = lint(fake_source(), progress=lambda done, count: progress.append((done, count)))
    assert {finding.rule for finding in found} >= {"unreadable", "made-up-rule", "turn-variable-in-body"}
    ranks = [list(Severity).index(finding.severity) for finding in found]
    assert ranks == sorted(ranks)
    assert progress[-1] == (11, 11)
    variable = next(finding for finding in found if finding.rule == "turn-variable-in-body")
    assert variable.place.text == "plugins/narrator/PLUGIN.md:13"
    assert variable.times > 1


def test_only_the_chosen_sessions_are_looked_at() -> None:
    source = fake_source()
    chosen = [session for session in source.sessions() if session.id == "watch-01"]
    found = lint(source, chosen, off={"unreadable"})
    assert {finding.place.address.session for finding in found if finding.place.address} == {"watch-01"}


def test_segments_keep_their_kind_when_sketched() -> None:
    """The sketches above would say nothing if extensions were bodies."""
    tree = sketched({"system": {"segment:p/x": "x"}})
    assert next(tree.leaves()).kind is Kind.EXTENSION


@pytest.mark.parametrize(
    ("too_long", "remedy"),
    [
        (None, "Mend what the error names"),
        (TooLong(900, 800, 850), "System prompt and tools alone"),
        (TooLong(900, 800, 100), "write or paste less"),
    ],
)
def test_the_remedy_of_a_request_that_was_never_sent_fits_its_numbers(too_long: TooLong | None, remedy: str) -> None:
    source = WhatIfSource()
    (call,) = source.unsent(ENGLISH)
    source.unsent = lambda session, turn=None: (replace(call, too_long=too_long),) if session == ENGLISH else ()
    (found,) = [finding for finding in lint(source) if finding.rule == "never-sent"]
    assert remedy in str(found.remedy)
    assert found.place.address == call.address
    assert lint(source, off={"never-sent"}) == tuple(one for one in lint(source) if one.rule != "never-sent")


def test_names_of_many_entries_are_shortened_and_can_be_told() -> None:
    states = [
        SimpleNamespace(
            entry=f"e{n:04}",
            label=f"Place {n}",
            position="before_plugin",
            depth=None,
            order=100,
            outcome=LoreOutcome.NO_KEY,
        )
        for n in range(3000)
    ]
    (found,) = order_by_id.CHECK.in_session(SimpleNamespace(lorebook=states, calls=()))
    assert str(found.sentence).startswith("Place 0, Place 1, ")
    assert "Place 19 … and 2980 more share the position before_plugin and the order 100" in str(found.sentence)


@pytest.mark.parametrize(
    ("where", "remedy"),
    [
        ("plugins", "Give a folder with fewer entries; what was not looked at is not known."),
        ("plugins/a/PLUGIN.md:3", "Mend the file; until then what it declares is not known."),
        ("messages m1", "Nothing can be done here: the row stays as it is, and only what can be read of it is shown."),
    ],
)
def test_the_remedy_speaks_of_what_is_at_fault(where: str, remedy: str) -> None:
    assert str(unreadable.as_finding(Problem(Severity.WARNING, where, plain("broken"))).remedy) == remedy
