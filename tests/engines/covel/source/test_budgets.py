"""The budgets of the sample stories: replayed to the recorded messages, in numbers and in sentences."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.domain import (
    AbsenceReason,
    Address,
    BudgetOutcome,
    BudgetRun,
    Changes,
    Grade,
    Kind,
    SourceError,
    Status,
)
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"
TRUTH = {call["event"]: call for call in json.loads((DATA / "tidewater.truth.json").read_text())["calls"]}
SLOTS = """
[slots.story]
model = "gpt-5.2"
context_window = 1980
max_tokens = 700
"""


@pytest.fixture(scope="module")
def source() -> Iterator[CovelSource]:
    """The story whose requests were trimmed, with the engine's sentences as they were used."""
    opened = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"), str(DATA / "sample-texts.json"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def learned() -> Iterator[CovelSource]:
    """The same story with nothing but the database and the folder."""
    opened = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    yield opened
    opened.close()


def budget(source: CovelSource, address: Address, changes: Changes | None = None) -> BudgetRun:
    run = source.budget(address, changes)
    assert run is not None, address
    return run


def calls(source: CovelSource) -> list[tuple[Address, dict[str, Any]]]:
    """Every recorded call that is not concealed, with what its truth says of the budget."""
    return [
        (call.address, TRUTH[call.row]["budget"])
        for session in source.sessions()
        for call in source.calls(session.id)
        if not call.concealed
    ]


def counted(run: BudgetRun, name: str, kinds: tuple[str, ...] = ()) -> int:
    return sum(len(step.touched) for step in run.steps if step.name == name)


def test_every_recorded_step_is_replayed_to_its_numbers(source: CovelSource) -> None:
    found = calls(source)
    assert len(found) == 33
    for address, truth in found:
        run = budget(source, address, Changes(window=truth["cap"] + 1, reserve=1))
        assert run.limit == truth["cap"]
        assert (run.before, run.after) == (truth["before"], truth["total"]), address
        assert counted(run, "prune") == truth["pruned"], address
        assert counted(run, "cut-tool-results") == truth["cutTools"], address
        assert source.verdict(address).status is Status.IDENTICAL


def test_limits_are_known_from_an_overflow_and_from_a_trimmed_request(learned: CovelSource) -> None:
    known = {address: budget(learned, address) for address, _ in calls(learned)}
    for address, truth in calls(learned):
        run = known[address]
        if address.runtime == "tide-narrator":
            assert (run.window, run.reserve, run.limit) == (1980, 700, truth["cap"])
            assert "overflow of slot story" in str(run.limit_source)
        elif truth["pruned"]:
            assert (run.window, run.reserve, run.limit) == (2400, 600, 1800)
            assert "the recorded request comes out" in str(run.limit_source)
        else:
            assert run.outcome is BudgetOutcome.UNKNOWN_LIMIT
            assert run.limit is None
            assert run.distance is None


def test_the_engine_sentences_are_learned_well_enough_for_the_numbers(learned: CovelSource) -> None:
    for address, truth in calls(learned):
        run = budget(learned, address)
        assert run.before == truth["before"], address
        assert not any("retry hint is not known" in str(note) for note in run.notes)


def test_a_retry_hint_that_nobody_saw_is_admitted() -> None:
    source = open_covel(str(DATA / "driftwood-old-schema.db"), str(DATA / "sample-root"))
    try:
        address = source.calls(source.sessions()[0].id)[0].address
        assert any("retry hint is not known" in str(note) for note in budget(source, address).notes)
    finally:
        source.close()


def test_a_slot_file_names_the_limit(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(DATA / "sample-root", root)
    (root / "llm.toml").write_text(SLOTS, encoding="utf-8")
    source = open_covel(str(DATA / "tidewater.db"), str(root))
    try:
        if source.problems():
            pytest.fail(str([str(problem.sentence) for problem in source.problems()]))
        address = next(address for address, _ in calls(source) if address.runtime == "tide-narrator")
        run = budget(source, address)
        assert (run.window, run.reserve) == (1980, 700)
        assert "llm.toml" in str(run.limit_source)
    finally:
        source.close()


def test_blocks_weigh_what_the_request_weighs(source: CovelSource) -> None:
    for address, _ in calls(source):
        run = budget(source, address)
        assert sum(share.tokens for share in run.shares) == run.before
        assert len({share.name for share in run.shares}) == len(run.shares)
        assert all(share.tokens > 0 for share in run.shares)


def test_items_are_named_by_their_segments(source: CovelSource) -> None:
    for address, _ in calls(source):
        run, tree = budget(source, address), source.rebuilt(address)
        assert tree is not None
        keys = {segment.key for segment in tree.walk()}
        gone = {absent.key for absent in tree.absent}
        shares = {share.name for share in run.shares}
        for step in run.steps:
            for item in step.touched:
                assert item.key in (gone if item.tokens_after == 0 else keys), (address, item)
                assert item.share in shares
            assert {item.key for item in step.protected} <= keys


def test_steps_follow_from_each_other(source: CovelSource) -> None:
    for address, _ in calls(source):
        run = budget(source, address)
        assert run.before - sum(step.saved for step in run.steps) == run.after
        assert bool(run.steps) == (run.outcome is BudgetOutcome.TRIMMED)
        for step in run.steps:
            assert "{" not in str(step.told)
            assert str(step.title)


def test_a_pruning_step_is_told_with_its_numbers(source: CovelSource) -> None:
    address = next(address for address, truth in calls(source) if truth["pruned"] == 8)
    run = budget(source, address)
    (step,) = run.steps
    assert (step.over, step.goal, len(step.touched)) == (9, 384, 8)
    told = str(step.told)
    for piece in (
        "9 tokens over its limit of 1 280",
        "whole rounds of 384 tokens",
        "the 8 oldest messages, 391 tokens",
        "Now it fits, with 371 tokens to spare",
    ):
        assert piece in told
    assert [str(note) for note in run.notes] == [
        "The trace of this call says the same: 8 messages left out, 0 texts cut."
    ]


def test_a_larger_window_that_keeps_less_says_so(source: CovelSource) -> None:
    address = [address for address, truth in calls(source) if truth["pruned"] == 8][2]
    usual, larger = budget(source, address), budget(source, address, Changes(window=2100))
    assert counted(larger, "prune") > counted(usual, "prune")
    assert "keeps fewer messages" in str(larger.steps[0].told)
    assert any("keeps fewer messages" in str(note) for note in larger.notes)
    assert not any("keeps fewer" in str(note) for note in budget(source, address, Changes(window=2300)).notes)


def test_a_smaller_window_takes_more_until_nothing_more_may_go(source: CovelSource) -> None:
    address = next(address for address, truth in calls(source) if truth["pruned"] == 8)
    outcomes = [budget(source, address, Changes(window=window)).outcome for window in (2600, 1900, 1400)]
    assert outcomes == [BudgetOutcome.FITS, BudgetOutcome.TRIMMED, BudgetOutcome.OVERFLOW]
    run = budget(source, address, Changes(window=1400))
    assert run.steps[-1].name == "overflow"
    assert dict(run.figures)["estimated"] == run.after
    assert dict(run.figures)["fixed"] + dict(run.figures)["messages"] == run.after


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (Changes(window=0), "A window of 0 tokens makes no sense"),
        (Changes(window=100, reserve=100), "A reserve of 100 tokens makes no sense for a window of 100"),
        (Changes(reserve=-1), "A reserve of -1 tokens makes no sense for a window of 1980"),
    ],
)
def test_limits_that_make_no_sense_are_refused(source: CovelSource, changes: Changes, says: str) -> None:
    address = next(address for address, _ in calls(source) if address.runtime == "tide-narrator")
    for ask in (source.budget, source.rebuilt):
        with pytest.raises(SourceError, match=says):
            ask(address, changes)


def test_concealed_calls_have_no_budget(source: CovelSource) -> None:
    concealed = [call.address for session in source.sessions() for call in source.calls(session.id) if call.concealed]
    assert len(concealed) == 6
    assert all(source.budget(address) is None for address in concealed)


def test_the_overflow_turn_gives_the_numbers_of_its_error(source: CovelSource) -> None:
    session = source.sessions()[0].id
    (unsent,) = source.unsent(session)
    assert source.unsent(session, "7") == (unsent,)
    assert source.unsent(session, "6") == ()
    assert source.unsent(source.sessions()[1].id) == ()
    assert (unsent.address.turn, unsent.model, unsent.slot) == ("7", "gpt-5.2", "story")
    assert unsent not in source.calls(session)
    assert source.resolve(str(unsent.address)) == unsent.address
    run = budget(source, unsent.address)
    assert run.outcome is BudgetOutcome.OVERFLOW
    assert run.figures == (
        ("estimated", 2125),
        ("limit", 1280),
        ("fixed", 670),
        ("system", 532),
        ("tools", 122),
        ("responseFormat", 0),
        ("messages", 1455),
        ("toolResultSaved", 0),
        ("summarySaved", 0),
    )
    assert run.after == 2125
    assert [str(note) for note in run.notes] == ["All numbers of the error come out of the rebuilt request too."]


def test_what_an_unsent_request_held_and_what_nobody_knows(source: CovelSource) -> None:
    (unsent,) = source.unsent(source.sessions()[0].id)
    assert source.recorded(unsent.address) is None
    verdict = source.verdict(unsent.address)
    assert verdict.status is Status.NOTHING_RECORDED
    assert "never sent" in str(verdict.reason)
    tree = source.rebuilt(unsent.address)
    assert tree is not None
    assert tree.gaps() == []
    line = next(leaf for leaf in tree.leaves() if leaf.kind is Kind.PLAYER_LINE)
    assert line.text == "\ufffc"
    assert line.grade is Grade.UNKNOWN
    assert "1 311 tokens long" in str(line.reason)
    assert line.fixed_tokens == 1311
    assert [absent.key for absent in tree.absent if absent.reason is AbsenceReason.NOT_STORED] == [line.key]
    lent = [leaf for leaf in tree.leaves() if leaf.key == "segment:tide-narrator/tide-level"]
    assert [leaf.grade for leaf in lent] == [Grade.GUESS]
    assert "as it was sent in turn 6" in str(lent[0].reason)
    changed = budget(source, unsent.address, Changes(player_line="I wait.", window=1980, reserve=700))
    assert changed.after < 1280


def test_a_story_without_overflow_has_nothing_unsent() -> None:
    source = open_covel(str(DATA / "emberwatch.db"))
    try:
        assert source.unsent(source.sessions()[0].id) == ()
    finally:
        source.close()
