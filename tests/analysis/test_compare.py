"""Two trees, row by row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sketched_trees import sketched, system

from covel_inspector.analysis.compare import Comparison, Pair, PairState, compare
from covel_inspector.domain import SegmentTree

SIGNS = {
    PairState.EQUAL: "=",
    PairState.CHANGED: "~",
    PairState.ADDED: "+",
    PairState.REMOVED: "-",
    PairState.MOVED: ">",
    PairState.MOVED_CHANGED: "≷",
}


def rows(comparison: Comparison) -> list[str]:
    """Rows without children, as sign and key."""
    return [f"{SIGNS[pair.state]} {pair.key}" for pair in comparison.rows()]


def told(a: SegmentTree | None, b: SegmentTree | None) -> list[str]:
    return rows(compare(a, b))


def find(comparison: Comparison, key: str) -> Pair:
    return next(pair for pair in comparison.walk() if pair.key == key)


def test_a_tree_equals_itself() -> None:
    tree = sketched({"system": {"body": {"literal:0": "a", "variable:x": "b"}}, "messages": {"player-line": "go"}})
    comparison = compare(tree, tree)
    assert {pair.state for pair in comparison.walk()} == {PairState.EQUAL}
    assert comparison.is_equal
    assert comparison.first_difference is None
    assert comparison.shared == 4
    assert comparison.shared_end_a is None
    assert comparison.counts == {PairState.EQUAL: 3}


def test_a_changed_leaf_changes_every_branch_above_it() -> None:
    a = sketched({"system": {"body": {"literal:0": "a", "variable:x": "b"}, "world-lore": "w"}})
    b = sketched({"system": {"body": {"literal:0": "a", "variable:x": "c"}, "world-lore": "w"}})
    comparison = compare(a, b)
    assert rows(comparison) == ["= literal:0", "~ variable:x", "= world-lore"]
    assert find(comparison, "body").state is PairState.CHANGED
    assert find(comparison, "system").state is PairState.CHANGED
    assert comparison.first_difference == find(comparison, "variable:x")
    assert comparison.shared == 1
    assert comparison.shared_end_b is not None
    assert comparison.shared_end_b.start == 1


def test_a_grown_history_shows_added_rows_only() -> None:
    a = sketched({"messages": {"history": {f"history:{n}": f"line {n}" for n in range(3)}, "player-line": "x"}})
    b = sketched({"messages": {"history": {f"history:{n}": f"line {n}" for n in range(5)}, "player-line": "x"}})
    assert told(a, b) == ["= history:0", "= history:1", "= history:2", "+ history:3", "+ history:4", "= player-line"]


def test_a_sliding_history_shows_removed_and_added_rows_only() -> None:
    a = sketched({"messages": {"history": {f"history:{n}": f"line {n}" for n in range(3)}}})
    b = sketched({"messages": {"history": {f"history:{n}": f"line {n}" for n in range(1, 4)}}})
    assert told(a, b) == ["- history:0", "= history:1", "= history:2", "+ history:3"]


def history(prefix: str, *lines: str) -> SegmentTree:
    rows_of_table = {f"history:{prefix}{number}": line for number, line in enumerate(lines)}
    return sketched({"messages": {"history": rows_of_table, "player-line": "go"}})


def test_two_files_number_their_rows_anew_so_texts_decide() -> None:
    a = history("a", "I row out.", "The sea is calm and grey.", "I look back at the tower.")
    b = history("b", "I row out.", "The sea is calm and dark.", "I look back at the tower.", "It is gone.")
    assert told(a, b) == ["= history:b0", "~ history:b1", "= history:b2", "+ history:b3", "= player-line"]


def test_rows_without_key_or_text_in_common_are_not_forced_together() -> None:
    a = history("a", "I row out to the tower.")
    b = history("b", "I row out to the wreck.")
    assert told(a, b) == ["- history:a0", "+ history:b0", "= player-line"]


def test_in_one_table_the_key_decides_whatever_the_text() -> None:
    a = sketched({"messages": {"history": {"history:1": "Yes.", "history:2": "No."}}})
    b = sketched({"messages": {"history": {"history:2": "No.", "history:3": "Yes."}}})
    assert told(a, b) == ["- history:1", "= history:2", "+ history:3"]


def test_summaries_of_two_files_pair_by_text_too() -> None:
    a = sketched({"messages": {"summary:x": {"summary-open": "<s>", "summary-content": "what was"}, "history": {}}})
    b = sketched({"messages": {"summary:y": {"summary-open": "<s>", "summary-content": "what was"}, "history": {}}})
    comparison = compare(a, b)
    assert comparison.is_equal
    assert [pair.key for pair in comparison.pairs[0].children] == ["summary:y", "history"]


def test_what_one_side_has_alone_stands_in_its_gap_removed_before_added() -> None:
    a = system(body="b", lore__a="a", mark__stable="m")
    b = system(body="b", lore__b="b", lore__c="c", mark__stable="m")
    assert told(a, b) == ["= body", "- lore:a", "+ lore:b", "+ lore:c", "= mark:stable"]


def test_a_moved_sibling_stands_where_b_has_it() -> None:
    a = system(body="b", lore__a="a", lore__b="b", lore__c="c")
    b = system(body="b", lore__b="b", lore__c="c", lore__a="a")
    comparison = compare(a, b)
    assert rows(comparison) == ["= body", "= lore:b", "= lore:c", "> lore:a"]
    assert str(find(comparison, "lore:a").moved_from) == "Was behind “body”"


def test_a_sibling_that_came_first_says_so_and_may_have_changed_too() -> None:
    comparison = compare(system(x="1", y="2", z="3"), system(y="2", z="3", x="one"))
    assert rows(comparison) == ["= y", "= z", "≷ x"]
    assert str(find(comparison, "x").moved_from) == "Was first here"


def test_a_segment_that_went_into_another_group_is_recognised() -> None:
    a = sketched({"system": {"body": "b", "segment:p/x": "text"}, "messages": {"player-line": "go"}})
    b = sketched({"system": {"body": "b"}, "messages": {"turn-context": {"segment:p/x": "text"}, "player-line": "go"}})
    comparison = compare(a, b)
    assert rows(comparison) == ["= body", "≷ segment:p/x", "= player-line"]
    moved = find(comparison, "segment:p/x")
    assert str(moved.moved_from) == "Was in “system”"
    assert [str(note) for note in moved.notes] == ["Role system became user"]


def test_a_key_that_only_counts_pairs_by_text() -> None:
    a = system(body="b", unknown__0="the old keeper of the lighthouse", mark__stable="m")
    b = system(
        body="b", unknown__0="something new altogether", unknown__1="the new keeper of the lighthouse", mark__stable="m"
    )
    comparison = compare(a, b)
    assert rows(comparison) == ["= body", "+ unknown:0", "~ unknown:1", "= mark:stable"]
    pair = find(comparison, "unknown:1")
    assert pair.a is not None
    assert pair.a.key == "unknown:0"


def test_unknown_messages_that_slide_pair_by_their_texts() -> None:
    lines = [f"The keeper says the sentence number {number} of the story." for number in range(8)]
    a = sketched({"messages": {f"unknown:{number}": line for number, line in enumerate(lines[:6])}})
    b = sketched({"messages": {f"unknown:{number}": line for number, line in enumerate(lines[2:])}})
    assert [row[0] for row in told(a, b)] == list("--====++")


def test_unknown_texts_pair_only_inside_the_same_gap() -> None:
    a = system(unknown__0="one and the same text", body="b")
    b = system(body="b", unknown__0="one and the same text")
    assert told(a, b) == ["- unknown:0", "= body", "+ unknown:0"]


def test_separators_pair_by_gap_and_are_quiet() -> None:
    a = system(body="b", separator__0__0="\n\n", lore__a="a")
    b = system(body="b", separator__0__0="\n\n", lore__n="n", separator__0__1="\n", lore__a="a")
    comparison = compare(a, b)
    assert rows(comparison) == ["= body", "= separator:0:0", "+ lore:n", "+ separator:0:1", "= lore:a"]
    assert [pair.key for pair in comparison.rows() if pair.is_quiet] == ["separator:0:0", "separator:0:1"]
    assert [pair.key for pair in comparison.differences] == ["lore:n"]
    assert comparison.counts == {PairState.EQUAL: 2, PairState.ADDED: 1}


def test_quiet_differences_count_when_there_are_no_others() -> None:
    comparison = compare(system(body="b", separator__0="\n"), system(body="b", separator__0="\n\n"))
    assert [pair.key for pair in comparison.differences] == ["separator:0"]
    assert not comparison.is_equal
    assert find(comparison, "system").state is PairState.CHANGED


def test_another_role_is_a_difference_that_is_named() -> None:
    a, b = sketched({"messages": {"cue": "user|go on"}}), sketched({"messages": {"cue": "system|go on"}})
    comparison = compare(a, b)
    assert rows(comparison) == ["~ cue"]
    assert [str(note) for note in find(comparison, "cue").notes] == ["Role user became system"]
    assert comparison.shared == 0


def test_a_leaf_against_a_branch_is_one_text() -> None:
    a = system(body="one two")
    assert told(a, system(body={"literal:0": "one ", "variable:x": "two"})) == ["= body"]
    assert told(a, system(body={"literal:0": "one ", "variable:x": "2"})) == ["~ body"]


def test_the_same_text_known_on_one_side_only_is_equal() -> None:
    recorded = system(body="b", unknown__0="lore text", mark__stable="m")
    rebuilt = system(body="b", lore__a="lore text", mark__stable="m")
    comparison = compare(recorded, rebuilt)
    assert rows(comparison) == ["= body", "= lore:a", "= mark:stable"]
    assert comparison.is_equal


def test_the_same_text_cut_otherwise_is_one_equal_row() -> None:
    recorded = system(body="b", unknown__0="lore text\n\nmore lore", mark__stable="m")
    rebuilt = system(body="b", lore__a="lore text", separator__0="\n\n", lore__b="more lore", mark__stable="m")
    comparison = compare(recorded, rebuilt)
    assert comparison.is_equal
    assert [pair.state for pair in comparison.rows()] == [PairState.EQUAL] * 3
    row = list(comparison.rows())[1]
    assert row.b is not None
    assert [child.key for child in row.b.children] == ["lore:a", "separator:0", "lore:b"]
    assert str(row.b.title) == "3 pieces from “lore:a” on"


def test_a_missing_side_is_added_or_removed_as_a_whole() -> None:
    tree = sketched({"system": {"body": "b"}, "messages": {"history": {"history:1": "x"}}})
    assert told(None, tree) == ["+ body", "+ history:1"]
    assert told(tree, None) == ["- body", "- history:1"]
    assert told(None, None) == []


def test_a_group_that_is_missing_on_a_side() -> None:
    a = sketched({"system": {"body": "b"}})
    b = sketched({"tools": {"tool:x": "{}"}, "system": {"body": "b"}})
    comparison = compare(a, b)
    assert rows(comparison) == ["+ tool:x", "= body"]
    assert [pair.key for pair in comparison.pairs] == ["tools", "system"]
    assert comparison.shared == 0


def test_cancelled_says_so() -> None:
    comparison = compare(system(body="b"), system(body="c"), cancelled=lambda: True)
    assert not comparison.is_complete
    assert not comparison.is_equal
    assert comparison.pairs == ()


def large(count: int, changed: int) -> SegmentTree:
    history = {f"history:{n}": f"line {n}" + (" changed" if n == changed else "") for n in range(count)}
    return sketched({"system": {"body": "b"}, "messages": {"history": history}})


def test_five_thousand_leaves_are_looked_at_once_each() -> None:
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return False

    comparison = compare(large(5000, -1), large(5001, 2500), cancelled)
    assert comparison.counts == {PairState.EQUAL: 5000, PairState.CHANGED: 1, PairState.ADDED: 1}
    assert len(asked) <= 5010


KEYS = st.sampled_from(["body", "world-lore", "lore:a", "lore:b", "lore:c", "segment:p/x", "mark:stable"])
TREES = st.tuples(
    st.dictionaries(KEYS, st.sampled_from(["", "one", "two words", "左手"]), max_size=7),
    st.lists(st.sampled_from(["\n", "some text", "other words", "\n\n"]), max_size=4),
    st.randoms(use_true_random=False),
).map(lambda made: _mixed(*made))


def _mixed(named: dict[str, str], loose: list[str], dice: object) -> SegmentTree:
    items = [*named.items()]
    items += [(f"{'separator' if text.isspace() else 'unknown'}:{number}", text) for number, text in enumerate(loose)]
    dice.shuffle(items)  # type: ignore[attr-defined]  # A random.Random.
    half = len(items) // 2
    return sketched({"system": dict(items[:half]), "messages": {"turn-context": dict(items[half:])}})


MOVED = (PairState.MOVED, PairState.MOVED_CHANGED)


def emptied(pair: Pair) -> bool:
    """A branch all of whose children went elsewhere: a row, but its leaves stand in others."""
    return pair.a is not None and not pair.a.is_leaf and not pair.children and not pair.a.key.startswith("run:")


@given(TREES, TREES)
def test_every_segment_stands_in_exactly_one_row_and_both_orders_are_kept(a: SegmentTree, b: SegmentTree) -> None:
    found = list(compare(a, b).rows())
    theirs = [leaf for pair in found if pair.b for leaf in pair.b.leaves()]
    assert theirs == list(b.leaves())
    held = [pair for pair in found if pair.a and not emptied(pair)]
    ours = [leaf for pair in held if pair.a for leaf in pair.a.leaves()]
    assert sorted(map(id, ours)) == sorted(map(id, a.leaves()))
    staying = [leaf for pair in held if pair.a and pair.state not in MOVED for leaf in pair.a.leaves()]
    places = [(leaf.place.part, leaf.place.start) for leaf in staying if leaf.place is not None]
    assert places == sorted(places)


@given(TREES, TREES)
def test_states_tell_the_truth(a: SegmentTree, b: SegmentTree) -> None:
    for pair in compare(a, b).walk():
        assert (pair.a is None) == (pair.state is PairState.ADDED)
        assert (pair.b is None) == (pair.state is PairState.REMOVED)
        assert (pair.moved_from is not None) == (pair.state in MOVED)
        if pair.a is None or pair.b is None:
            continue
        same_text = pair.a.whole_text == pair.b.whole_text
        if pair.state in (PairState.EQUAL, PairState.MOVED):
            assert same_text
            assert not any(child.is_different for child in pair.children)
        elif pair.a.is_leaf and pair.b.is_leaf:
            assert pair.notes or not same_text


@given(TREES, TREES)
def test_comparing_twice_gives_the_same(a: SegmentTree, b: SegmentTree) -> None:
    assert compare(a, b).pairs == compare(a, b).pairs


@given(TREES)
def test_any_tree_equals_itself(tree: SegmentTree) -> None:
    assert compare(tree, tree).is_equal


def test_a_pair_without_any_side_is_refused() -> None:
    with pytest.raises(ValueError, match="no segment"):
        _ = Pair("x", None, None, PairState.EQUAL).shown
