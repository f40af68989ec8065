"""Slots that a reader leaves out or rewrites: what is left is a block that the engine could have written."""

import json
from itertools import combinations
from typing import Any

import pytest

from covel_inspector.domain import Changes, SegmentTree
from covel_inspector.engines.covel.assembler import assemble
from covel_inspector.engines.covel.assembler.params import Activation, ContextParams, Manifest
from covel_inspector.engines.covel.budget.texts import BudgetTexts
from covel_inspector.engines.covel.rebuild.assembled import AssembledRequest
from covel_inspector.engines.covel.rebuild.editing import edited
from covel_inspector.engines.covel.rebuild.limits import Target
from covel_inspector.engines.covel.rebuild.rebuilding import finish
from covel_inspector.engines.covel.rebuild.units import take_apart
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.textpack import default_pack

NAMES = ("mood", "check", "time")
SLOTS = {
    name: {"cardinality": "one", "value": f"{name} <1>", "source": {"pluginId": "p", "runtimeId": "p"}}
    for name in NAMES
}


def request() -> AssembledRequest:
    """A context with three slots in each block, and an activation behind them."""
    pack = default_pack()
    params = ContextParams(
        Manifest("codex", "codex"), input_slots=SLOTS, export_slots=SLOTS, activation=Activation("manual")
    )
    assembly = assemble(params, pack)
    system = KernelMessage(role="system", content=assembly.context.system_prompt)
    return AssembledRequest(
        units=tuple(take_apart(assembly.tree, [system, *assembly.context.messages])),
        earlier=(),
        protect=1,
        tools=(),
        response_format=None,
        retry_text="",
        texts=BudgetTexts.of(pack, "en"),
        target=Target(),
        base=assembly.tree.request,
        boundaries=assembly.tree.boundaries,
        absent=(),
        reason=assembly.tree.groups[0].reason,
    )


def rebuilt(**changes: Any) -> SegmentTree:
    tree = finish(edited(request(), Changes(**changes)), None).tree
    assert tree is not None
    assert tree.gaps() == []
    return tree


def block(tree: SegmentTree, key: str) -> str | None:
    return next((found.whole_text for found in tree.walk() if found.key == key), None)


def names_in(text: str | None) -> list[str]:
    assert text is not None
    return list(json.loads(text.partition("\n")[2].rpartition("\n")[0]))


@pytest.mark.parametrize("off", [off for count in (1, 2) for off in combinations(NAMES, count)], ids=",".join)
def test_the_others_stay_a_block_of_slots(off: tuple[str, ...]) -> None:
    tree = rebuilt(without=tuple(f"input:{name}" for name in off))

    assert names_in(block(tree, "inputs")) == [name for name in NAMES if name not in off]
    assert names_in(block(tree, "exports")) == list(NAMES)
    assert {left_out.key for left_out in tree.absent} == {f"input:{name}" for name in off}
    assert all("&lt;1&gt;" in left_out.text for left_out in tree.absent)


@pytest.mark.parametrize("kind", ["inputs", "exports"])
def test_a_block_of_which_no_slot_is_left_goes_as_a_whole(kind: str) -> None:
    one_by_one = rebuilt(without=tuple(f"{kind[:-1]}:{name}" for name in NAMES))
    at_once = rebuilt(without=(kind,))

    assert block(one_by_one, kind) is None
    assert one_by_one.request.text == at_once.request.text
    assert [left_out.key for left_out in one_by_one.absent] == [kind]


def test_a_slot_takes_another_text() -> None:
    tree = rebuilt(texts=(("input:check", '"check":1'),))

    text = block(tree, "inputs")
    assert text is not None
    assert json.loads(text.partition("\n")[2].rpartition("\n")[0])["check"] == 1
