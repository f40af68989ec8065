"""Rows of the side-by-side tree: what stands where, and what each cell says."""

import pytest
from compare_sides import first_turn, prepared
from hand_built_turns import TURN_11, TURN_12, branch, leaf, tree

from covel_inspector.app.compare.row_building import RowOptions, build_rows
from covel_inspector.app.compare.rows import Column, Look, PairRow, RowKind, walk
from covel_inspector.app.wording import Wording
from covel_inspector.domain import AbsenceReason, Absent, Grade, Group, Kind, Setter, plain


@pytest.fixture
def wording() -> Wording:
    return Wording("en")


def rows_of(shown, wording: Wording, **options: bool) -> list[PairRow]:
    return walk(build_rows(shown, wording, RowOptions(**options)))


def by_key(rows: list[PairRow], key: str) -> PairRow:
    return next(row for row in rows if row.key == key)


def test_groups_stand_at_the_top_with_their_boundaries(wording):
    top = build_rows(prepared(), wording, RowOptions())
    assert [row.texts[Column.B_TITLE] for row in top] == ["Tools · 6", "System prompt", "Messages", "boundary 4"]


def test_a_pair_says_both_titles_both_counts_and_its_sign(wording):
    row = by_key(rows_of(prepared(), wording), "history")
    assert row.texts[Column.A_TITLE] == "History · 10 messages"
    assert row.texts[Column.B_TITLE] == "History · 12 messages"
    assert row.texts[Column.SIGN] == "≠"
    assert row.texts[Column.A_TOKENS] != row.texts[Column.B_TOKENS]


def test_an_added_row_has_an_empty_half_that_says_why_it_was_left_out(wording):
    row = by_key(rows_of(prepared(), wording), "lore:tide")
    assert row.look is Look.ADDED
    assert not row.a.there
    assert row.b.there
    assert row.a.remark == "left out: no key matched"


def test_what_is_known_of_a_row_of_a_alone_stands_at_the_right_of_a(wording):
    body = leaf("one", Kind.BODY, "One", "a")
    known = leaf("two", Kind.LORE, "Two", "b", notes=(plain("Always active."),))
    with_lore, without = tree([(Group.SYSTEM, [body, known])]), tree([(Group.SYSTEM, [body])])
    row = by_key(rows_of(prepared(with_lore, without), wording), "two")
    added = by_key(rows_of(prepared(without, with_lore), wording), "two")
    assert row.look is Look.REMOVED
    assert row.hint_a == added.hint == "Always active."
    assert (row.hint, row.a.remark, added.hint_a) == ("", "", "")


def test_what_the_gap_says_is_not_said_again_in_a_row_of_its_own(wording):
    assert not [row for row in rows_of(prepared(), wording) if row.kind is RowKind.ABSENT]


def test_what_was_left_out_on_both_sides_stands_behind_its_neighbour(wording):
    absent = Absent("lore:x", Kind.LORE, plain("Lore · x"), AbsenceReason.NO_KEY, plain("no key"), after="one")
    both = tree(
        [(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a"), leaf("two", Kind.LORE, "Two", "b")])], (), [absent]
    )
    rows = rows_of(prepared(both, both), wording)
    assert [row.key for row in rows] == ["system", "one", "absent:lore:x", "two"]
    row = by_key(rows, "absent:lore:x")
    assert row.a.there
    assert row.b.there
    assert row.b.remark == "left out: no key"


def test_many_left_out_things_share_one_closed_branch(wording):
    absent = [
        Absent(f"lore:{n}", Kind.LORE, plain(f"Lore {n}"), AbsenceReason.NO_KEY, plain("no key"), after="one")
        for n in range(5)
    ]
    both = tree([(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a")])], (), absent)
    holder = by_key(rows_of(prepared(both, both), wording), "left-out:one")
    assert holder.texts[Column.B_TITLE] == "Left out · 5"
    assert len(holder.children) == 5
    assert not holder.opens


def test_left_out_things_without_a_place_stand_at_the_end(wording):
    absent = Absent("segment:?/gone", Kind.EXTENSION, plain("Gone"), AbsenceReason.DISABLED, plain("disabled"))
    both = tree([(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a")])], (), [absent])
    assert rows_of(prepared(both, both), wording)[-1].key == "absent:segment:?/gone"


def test_left_out_things_can_be_hidden(wording):
    absent = Absent("lore:x", Kind.LORE, plain("Lore · x"), AbsenceReason.NO_KEY, plain("no key"), after="one")
    both = tree([(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a")])], (), [absent])
    assert not [row for row in rows_of(prepared(both, both), wording, absent=False) if row.kind is RowKind.ABSENT]


def test_boundaries_of_both_sides_share_a_row_with_both_counts(wording):
    row = by_key(rows_of(prepared(), wording), "boundary:3")
    assert row.kind is RowKind.BOUNDARY
    assert row.a.there
    assert row.b.there
    assert "next turn can read to here" in row.a.remark
    assert row.a.remark != row.b.remark


def test_a_boundary_of_one_side_alone_leaves_the_other_half_empty(wording):
    pieces = [(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a"), leaf("two", Kind.LORE, "Two", "b")])]
    shown = prepared(tree(pieces), tree(pieces, [("one", Setter.PROVIDER, "mark")]))
    row = by_key(rows_of(shown, wording), "boundary:1")
    assert not row.a.there
    assert row.b.there


def test_blanks_and_marks_are_hidden_until_asked_for(wording):
    assert not {"separator:0", "mark:body"} & {row.key for row in rows_of(prepared(), wording)}
    assert {"separator:0", "mark:body"} <= {row.key for row in rows_of(prepared(), wording, quiet=True)}


def test_a_blank_that_is_all_that_differs_is_shown(wording):
    def request(blank: str):
        return tree(
            [(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a"), leaf("separator:0", Kind.SEPARATOR, "Blank", blank)])]
        )

    row = by_key(rows_of(prepared(request("\n"), request("\n\n")), wording), "separator:0")
    assert row.look is Look.CHANGED


def test_differences_are_open_and_calm_branches_closed(wording):
    rows = rows_of(prepared(), wording)
    opens = {row.key: row.opens for row in rows if row.children}
    assert opens == {"tools": False, "system": True, "messages": True, "history": False, "turn-context": True}


def test_a_branch_that_one_side_has_alone_is_closed_and_one_step():
    envelope = branch("summary:1", Kind.SUMMARY, "Summary", leaf("open", Kind.SUMMARY, "Open", "a"), together=True)
    rest = leaf("player-line", Kind.PLAYER_LINE, "Player line", "b")
    a, b = (tree([(Group.MESSAGES, pieces)]) for pieces in ([rest], [envelope, rest]))
    rows = rows_of(prepared(a, b), Wording("en"))
    assert not by_key(rows, "summary:1").opens
    assert [row.key for row in rows if row.is_difference] == ["summary:1"]


def test_the_shared_prefix_ends_where_the_texts_part(wording):
    rows = rows_of(prepared(), wording)
    assert by_key(rows, "body").shared == 1.0
    assert by_key(rows, "lore:tide").shared == 0.0
    assert 0.0 < by_key(rows, "system").shared < 1.0
    assert by_key(rows, "history").shared == 0.0


def test_without_a_partner_there_are_no_signs(wording):
    rows = rows_of(first_turn(), wording)
    assert {row.look for row in rows} == {Look.PLAIN}
    assert {row.shared for row in rows} == {0.0}
    assert by_key(rows, "body").texts[Column.B_TOKENS]


def test_a_guess_says_so(wording):
    guessed = leaf("one", Kind.EXTENSION, "One", "a")
    guessed.more["grade"] = Grade.GUESS
    both = tree([(Group.SYSTEM, [guessed])])
    assert by_key(rows_of(prepared(both, both), wording), "one").hint == "guess"


def test_names_of_strangers_cannot_hide_characters(wording):
    both = tree([(Group.SYSTEM, [leaf("one", Kind.EXTENSION, "One\u202eowT\ud800", "a")])])
    title = by_key(rows_of(prepared(both, both), wording), "one").texts[Column.B_TITLE]
    assert title == "One⟨RLO⟩owT⟨D800⟩"


def test_a_segment_in_another_place_says_where_it_was(wording):
    lore = leaf("lore:x", Kind.LORE, "Lore · x", "the same words")
    rest = leaf("one", Kind.BODY, "One", "a"), leaf("two", Kind.EXTENSION, "Two", "b")
    a = tree([(Group.SYSTEM, [lore, *rest])])
    b = tree([(Group.SYSTEM, [*rest, lore])])
    row = by_key(rows_of(prepared(a, b), wording), "lore:x")
    assert row.look is Look.MOVED
    assert row.is_away
    assert row.texts[Column.SIGN] == "↓"
    assert row.hint_a == "stands first here"
    assert row.hint == ""
    back = by_key(rows_of(prepared(b, a), wording), "lore:x")
    assert back.texts[Column.SIGN] == "↑"
    assert back.hint_a == "stands behind “Two”"


def test_a_segment_in_another_branch_is_only_quoted_in_a_and_says_its_place(wording):
    lore, body = leaf("lore:x", Kind.LORE, "Lore · x", "the same words"), leaf("one", Kind.BODY, "One", "a")
    said = leaf("history:1", Kind.HISTORY, "Player", "b"), leaf("history:2", Kind.HISTORY, "Narrator", "c")
    a = tree([(Group.SYSTEM, [body, lore]), (Group.MESSAGES, [branch("history", Kind.HISTORY, "History", *said)])])
    both = (said[0], lore, said[1])
    b = tree([(Group.SYSTEM, [body]), (Group.MESSAGES, [branch("history", Kind.HISTORY, "History", *both)])])
    row = by_key(rows_of(prepared(a, b), wording), "lore:x")
    assert (row.is_away, row.texts[Column.SIGN], row.branch_a) == (True, "↓", "System prompt")
    assert row.hint_a == "stands in System prompt"
    assert "stands in" in row.spoken
    back = by_key(rows_of(prepared(b, a), wording), "lore:x")
    assert (back.texts[Column.SIGN], back.hint_a) == ("↑", "stands in History")
    assert not by_key(rows_of(prepared(a, a), wording), "lore:x").is_away


def test_paths_are_the_same_in_every_turn(wording):
    first = {row.path for row in rows_of(prepared(TURN_11, TURN_11), wording)}
    second = {row.path for row in rows_of(prepared(TURN_12, TURN_12), wording)}
    assert ("messages", "turn-context", "segment:character-sheets/player") in first & second


def several_left_out(*numbers: int, after: str = "one", reason: AbsenceReason = AbsenceReason.WINDOW) -> list[Absent]:
    return [
        Absent(f"history:{n}", Kind.HISTORY, plain(f"Row {n}"), reason, plain("outside the window"), after=after)
        for n in numbers
    ]


def test_each_side_counts_what_it_left_out_whatever_it_is_compared_with(wording):
    body = leaf("one", Kind.BODY, "One", "a")
    a = tree([(Group.SYSTEM, [body, leaf("history:5", Kind.HISTORY, "Row 5", "x")])], (), several_left_out(1, 2, 3, 4))
    b = tree([(Group.SYSTEM, [body])], (), several_left_out(1, 2, 3, 4, 5))
    holder = by_key(rows_of(prepared(a, b), wording), "left-out:one")
    assert (holder.a.title, holder.b.title) == ("Left out · 4", "Left out · 5")
    alone = by_key(rows_of(prepared(b, b), wording), "left-out:one")
    assert alone.b.title == "Left out · 5"
    last = holder.children[-1]
    assert (last.a.remark, last.b.title) == ("stands in the request", "Row 5")


def test_what_was_left_out_stands_beside_its_partner_though_only_one_side_has_a_place_for_it(wording):
    body = [(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a")])]
    a, b = tree(body, (), several_left_out(1, 2, 3)), tree(body, (), several_left_out(1, 2, 3, after=""))
    rows = rows_of(prepared(a, b), wording)
    holder = by_key(rows, "left-out:one")
    assert (holder.a.title, holder.b.title) == ("Left out · 3", "Left out · 3")
    assert all(row.a.there and row.b.there for row in holder.children)
    assert not [row for row in rows if row.key == "left-out"]


def test_rows_that_were_not_there_yet_are_counted_apart(wording):
    body = [(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "a")])]
    later = several_left_out(7, 8, after="", reason=AbsenceReason.NOT_COMMITTED)
    both = tree(body, (), [*several_left_out(1, after=""), *later])
    rows = rows_of(prepared(both, both), wording)
    assert by_key(rows, "left-out").b.title == "Left out · 1"
    assert by_key(rows, "not-yet").b.title == "Not there yet · 2"
