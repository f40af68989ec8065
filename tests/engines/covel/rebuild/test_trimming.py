"""A request in units under a budget: what earlier requests of its run did is repeated, and what went is named."""

from dataclasses import replace
from typing import Any

import pytest

from covel_inspector.domain import AbsenceReason, Field, Grade, Group, Kind, Place, Request, Segment, SegmentTree, plain
from covel_inspector.engines.covel.budget.limits import BudgetError
from covel_inspector.engines.covel.budget.steps import StepName
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.budget_run import budget_run
from covel_inspector.engines.covel.rebuild.limits import Limit, Target
from covel_inspector.engines.covel.rebuild.rebuilding import finish
from covel_inspector.engines.covel.rebuild.trimming import fit, read_off, trim
from covel_inspector.engines.covel.rebuild.units import PlacedLeaf, Unit
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.records.flatten import message_parts
from covel_inspector.engines.covel.textpack import default_pack

TEXTS = BudgetTexts.of(default_pack(), "en")
LOOP = Segment("loop", Kind.GROUP, plain("Tool loop"))
SOURCE = plain("a test says so")


def unit(key: str, kind: Kind, role: str, content: Any, path: tuple[Segment, ...] = (), **more: Any) -> Unit:
    message = KernelMessage(role=role, content=content, **more)
    leaves = []
    for part in message_parts(Group.MESSAGES, 1, message):
        own = Kind.TOOL_CALL if part.field is Field.TOOL_CALL else kind
        leaf = Segment(key, own, plain(key), text=part.text, place=Place(part.ordinal, 0, len(part.text)))
        leaves.append(PlacedLeaf(part.ordinal, leaf, path))
    return Unit(message, tuple(leaves))


def group(number: int, size: int = 400) -> list[Unit]:
    """A tool call and its result with so many characters of data."""
    call = {"id": f"c{number}", "name": "look", "arguments": f'{{"at":{number}}}'}
    result = '{"data":"' + "x" * size + f'","summary":"found {number}"}}'
    return [
        unit(f"tool-call:{number}", Kind.TOOL_CALL, "assistant", "", (LOOP,), toolCalls=(call,)),
        unit(f"tool-result:{number}", Kind.TOOL_RESULT, "tool", result, (LOOP,), toolCallId=f"c{number}"),
    ]


def request(groups: int, earlier: bool = True, history: int = 0, size: int = 400) -> AssembledRequest:
    """A system prompt, some history, the player's line, and groups of tool calls; each step was a request before."""
    units = [unit("body", Kind.BODY, "system", "s" * 80)]
    units += [unit(f"history:{n}", Kind.HISTORY, "user", "h" * 200) for n in range(history)]
    units.append(unit("player-line", Kind.PLAYER_LINE, "user", "go"))
    counts = []
    for number in range(1, groups + 1):
        counts.append(len(units))
        units += group(number, size)
    return AssembledRequest(
        units=tuple(units),
        earlier=tuple(counts) if earlier else (),
        protect=1,
        tools=(),
        response_format=None,
        retry_text="",
        texts=TEXTS,
        target=Target("story", "m", 100),
        base=Request(()),
        boundaries=(),
        absent=(),
        reason=SOURCE,
    )


def limit(cap: int) -> Limit:
    return Limit(cap, 100, SOURCE)


def test_without_a_limit_nothing_is_trimmed() -> None:
    trimmed = trim(request(5), None)
    assert trimmed.units == request(5).units
    assert trimmed.fitted is None


def test_earlier_requests_of_a_run_are_replayed() -> None:
    given = request(6)
    together, alone = fit(given, limit(550)), fit(replace(given, earlier=()), limit(550))
    assert together.steps[0].name is StepName.REPLAY
    assert StepName.REPLAY not in [step.name for step in alone.steps]
    assert together.counts.replayed_omissions > 0
    assert not together.overflows


def test_a_request_that_fits_asks_for_no_earlier_one() -> None:
    fitted = fit(request(3), limit(5000))
    assert fitted.steps == ()
    assert fitted.ledger == ()


def test_omitted_data_is_named_and_the_result_keeps_its_place() -> None:
    trimmed = trim(request(4, earlier=False, size=2000), limit(1800))
    omitted = [one for one in trimmed.absent if one.reason is AbsenceReason.OMITTED]
    assert [one.key for one in omitted] == ["tool-result:1", "tool-result:2"]
    for one in omitted:
        leaf = next(placed.leaf for unit in trimmed.units for placed in unit.leaves if placed.leaf.key == one.key)
        assert one.after == leaf.key
        assert "x" * 400 in one.text
        assert "x" * 400 not in leaf.text
        assert one.grade is Grade.EXACT


def test_folded_groups_stand_behind_their_list() -> None:
    trimmed = trim(request(6, earlier=False), limit(240))
    folded = [one for one in trimmed.absent if one.reason is AbsenceReason.FOLDED]
    assert {one.key for one in folded} >= {"tool-call:1", "tool-result:1"}
    assert {one.after for one in folded} == {"fold:1"}
    made = [placed.leaf for unit in trimmed.units for placed in unit.leaves if placed.leaf.key == "fold:1"]
    assert len(made) == 1
    assert made[0].text.startswith(default_pack().text("ledger.foldTitle", "en"))


def test_dropped_messages_name_their_step() -> None:
    trimmed = trim(request(0, history=12), limit(400))
    dropped = [one for one in trimmed.absent if one.reason is AbsenceReason.PRUNED]
    assert [one.key for one in dropped] == [f"history:{number}" for number in range(len(dropped))]
    assert {one.after for one in dropped} == {"prune-marker"}
    assert "in round 1 of pruning" in str(dropped[0].note)
    assert "in round 2 of pruning" in str(dropped[-1].note)
    assert "limit of 400" in str(dropped[0].note)


def test_a_cut_result_keeps_head_and_tail() -> None:
    trimmed = trim(request(1, earlier=False), limit(100))
    (cut,) = [one for one in trimmed.absent if one.reason is AbsenceReason.CUT]
    leaf = trimmed.units[-1].leaves[0].leaf
    assert cut.key == leaf.key == "tool-result:1"
    marker = default_pack().text("truncation.toolResult", "en")
    head, _, tail = leaf.text.partition(marker)
    assert trimmed.units[-1].message.content == leaf.text
    assert head + cut.text + tail == request(1).units[-1].message.content


def test_finished_trees_hold_every_character_once() -> None:
    for cap in (60, 100, 240, 480, 900, 5000):
        made = finish(request(6, history=5), limit(cap))
        assert made.tree is not None
        assert made.tree.gaps() == [], cap


def test_steps_of_a_run_are_told() -> None:
    given = request(6, history=3)
    run = budget_run(given, trim(given, limit(250)))
    assert run.before - sum(step.saved for step in run.steps) == run.after
    told = {step.name: str(step.told) for step in run.steps}
    assert "What was done once is done again" in told["replay"]
    assert all("{" not in text for text in told.values())
    items = [item for step in run.steps for item in step.touched]
    assert {item.key for item in items} <= {f"tool-call:{n}" for n in range(1, 7)} | {"fold:1"} | {
        f"history:{n}" for n in range(3)
    } | {f"tool-result:{n}" for n in range(1, 7)}


def test_limits_without_sense_are_refused() -> None:
    with pytest.raises(BudgetError):
        trim(request(1), Limit(-5, 100, SOURCE))


def test_a_limit_is_read_off_only_where_something_was_pruned() -> None:
    given = request(0, history=12)
    sent = finish(given, limit(400)).tree
    assert sent is not None
    found = read_off(given, sent)
    assert found is not None
    assert found.taken
    again = finish(given, found).tree
    assert again is not None
    assert [part.text for part in again.request.parts] == [part.text for part in sent.request.parts]
    whole = finish(given, None).tree
    assert whole is not None
    assert read_off(given, whole) is None
    assert read_off(given, None) is None


def test_a_limit_is_not_read_off_a_request_of_other_messages() -> None:
    given = request(0, history=12)
    sent = finish(request(0, history=9), limit(300)).tree
    assert sent is not None
    assert isinstance(sent, SegmentTree)
    other = replace(given, units=tuple(given.units[:1] + given.units[-1:]))
    assert read_off(other, sent) is None
