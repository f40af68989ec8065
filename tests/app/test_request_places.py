"""Where rows, keys and variables stand in a request."""

from dataclasses import replace

from fake_trees import piece, tree

from covel_inspector.app.request_places import hit_place, leaf_of_row, path_to, player_line, variable_leaves
from covel_inspector.domain import Kind, LoreHit, Origin, Place, SegmentTree


def request() -> SegmentTree:
    lore = piece("lore:bell", Kind.LORE, "Lore · bell", "The bell rings.", origin=Origin(table="lore", rows=("m1",)))
    old = piece("history:m1", Kind.HISTORY, "Player", "I hear a Bell and a BELL.", origin=Origin(rows=("m1",)))
    name = piece("variable:name", Kind.BODY, "Value", "Ines", origin=Origin(variable="player.name"))
    again = replace(name, key="variable:name#2")
    line = piece("player-line", Kind.PLAYER_LINE, "Player line", "The lantern!")
    return tree([("system", [lore, name, again]), ("user", [old]), ("user", [line])])


def text_at(made: SegmentTree, place: Place | None) -> str:
    return made.request.parts[place.part].text[place.start : place.end] if place is not None else ""


def test_row_is_found_in_the_history_not_in_lore() -> None:
    assert leaf_of_row(request(), "m1").key == "history:m1"
    assert leaf_of_row(request(), "m9") is None
    assert player_line(request()).key == "player-line"


def test_hit_is_found_where_it_is_stored() -> None:
    made = request()
    assert text_at(made, hit_place(made, LoreHit("lantern", None, 4, 11))) == "lantern"
    assert text_at(made, hit_place(made, LoreHit("bell", "m1", 20, 24, 1))) == "BELL"


def test_hit_in_a_text_that_reads_otherwise_is_looked_for() -> None:
    made = request()
    assert text_at(made, hit_place(made, LoreHit("bell", "m1", 2, 6, 1))) == "Bell"
    assert text_at(made, hit_place(made, LoreHit("gull", "m1", 2, 6, 1))) == "I hear a Bell and a BELL."
    crossing = LoreHit("bell. the", "m1", 20, 25, 1, crosses=True)
    assert text_at(made, hit_place(made, crossing)) == "BELL."


def test_hit_in_a_text_that_was_not_sent_has_no_place() -> None:
    assert hit_place(request(), LoreHit("bell", "m7", 0, 4, 3)) is None


def test_leaves_of_a_variable_come_in_order() -> None:
    assert [leaf.key for leaf in variable_leaves(request(), "player.name")] == ["variable:name", "variable:name#2"]
    assert variable_leaves(request(), "player") == []


def test_path_leads_from_the_group_to_the_leaf() -> None:
    made = request()
    leaf = leaf_of_row(made, "m1")
    assert [step.key for step in path_to(made.groups, leaf)] == ["messages", "history", "history:m1"]
    assert path_to(made.groups, replace(leaf)) == (), "an equal segment of another tree stands nowhere in this one"
