"""One change at a time, listed in words, each to be taken back."""

import pytest
from fake_trees import TIDE, narrator

from covel_inspector.app.what_if.changing import (
    changed_text,
    force_lore,
    leave_out,
    listed,
    lore_at_depth,
    names_of,
    put_back,
    with_text,
)
from covel_inspector.domain import Changes, Segment

TREE = narrator(TIDE, 2)
NONE = Changes()


def segment(key: str) -> Segment:
    return next(one for one in TREE.walk() if one.key == key)


def told(changes: Changes) -> list[str]:
    return [str(change.told) for change in listed(changes, names_of(TREE.walk()))]


def test_a_segment_is_left_out_once_and_put_back() -> None:
    once = leave_out(NONE, "lore:night")
    assert leave_out(once, "lore:night") == once
    assert once.without == ("lore:night",)
    assert told(once) == ["without Lore · night"]
    assert put_back(once, "lore:night") == NONE


def test_another_text_replaces_the_last_one_and_its_own_text_is_no_change() -> None:
    lore = segment("world-lore")
    changed = with_text(with_text(NONE, lore, "one"), lore, "two")
    assert changed.texts == (("world-lore", "two"),)
    assert changed_text(changed, lore) == "two"
    assert with_text(changed, lore, lore.text) == NONE


def test_the_players_line_is_a_change_of_its_own() -> None:
    line = segment("player-line")
    changed = with_text(NONE, line, "I stay.")
    assert changed == Changes(player_line="I stay.")
    assert changed_text(changed, line) == "I stay."
    assert with_text(changed, line, line.text) == NONE


def test_text_and_leaving_out_exclude_each_other() -> None:
    lore = segment("world-lore")
    assert with_text(leave_out(NONE, "world-lore"), lore, "x").without == ()
    assert leave_out(with_text(NONE, lore, "x"), "world-lore").texts == ()


def test_lore_is_forced_in_or_out_or_left_to_its_keys() -> None:
    on = force_lore(NONE, "lore:night", is_on=True)
    off = force_lore(on, "lore:night", is_on=False)
    assert (on.lore_on, on.lore_off) == (("lore:night",), ())
    assert (off.lore_on, off.lore_off) == ((), ("lore:night",))
    assert force_lore(off, "lore:night", is_on=None) == NONE


def test_a_depth_is_kept_when_an_entry_is_forced_and_the_last_one_counts() -> None:
    tried = lore_at_depth(lore_at_depth(NONE, "lore:night", 4), "lore:night", 2)
    assert tried.lore_depth == (("lore:night", 2),)
    forced = force_lore(tried, "lore:night", is_on=True)
    assert forced.lore_depth == tried.lore_depth
    assert told(forced) == ["forced in: Lore · night", "Lore · night at depth 2"]
    assert put_back(forced, "lore:night") == NONE


ALL = Changes(
    player_line="A " * 60,
    window=1500,
    reserve=700,
    protected_turns=2,
    max_turns=-1,
    include_summaries=False,
    locale="zh-CN",
    model="imaginary-small",
    body="# Body",
    without=("world-lore", "gone"),
    texts=(("preamble:runtime", "x"),),
    lore_on=("lore:night",),
    lore_off=("lore:storm",),
    lore_depth=(("lore:storm", 4),),
)


def test_every_change_is_listed_and_each_can_be_taken_back_alone() -> None:
    found = listed(ALL, names_of(TREE.walk()))
    assert len(found) == 15
    lines = told(ALL)
    assert "window of 1\u202f500 tokens" in lines
    assert "history without a window of turns" in lines
    assert "without gone" in lines
    assert all(len(line) < 80 for line in lines)
    changes = ALL
    while found:
        assert found[0].taken_back != changes
        changes = found[0].taken_back
        found = listed(changes, {})
    assert changes == NONE


@pytest.mark.parametrize("turns", [0, 3])
def test_a_window_of_turns_is_told(turns: int) -> None:
    assert told(Changes(max_turns=turns)) == [f"history of at most {turns} turns"]
