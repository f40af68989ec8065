"""A request as passages: voices, folding, states."""

from compare_sides import prepared
from hand_built_turns import TURN_12, branch, leaf, tree

from covel_inspector.analysis.compare import PairState
from covel_inspector.app.compare.passages import LONGEST, MOST, Voice, leaves_of, passages, states_of
from covel_inspector.domain import Group, Kind


def voices(found) -> dict[str, Voice]:
    return {one.segment.key: one.voice for one in found}


def test_groups_are_headings_and_blanks_are_silent():
    found = voices(passages(TURN_12))
    assert found["system"] is Voice.HEADING
    assert "separator:0" not in found
    assert "mark:body" not in found


def test_history_is_dialogue():
    found = voices(passages(TURN_12))
    assert found["history:p7"] is Voice.PLAYER
    assert found["history:s7"] is Voice.STORY
    assert found["player-line"] is Voice.PLAYER


def test_technical_parts_are_folded_until_asked_for():
    found = {one.segment.key: one for one in passages(TURN_12)}
    folded = found["tool:roll"]
    assert folded.voice is Voice.FOLDED
    assert folded.rest == len(folded.segment.text)
    opened = {one.segment.key: one for one in passages(TURN_12, unfolded=frozenset({folded.key}))}["tool:roll"]
    assert opened.voice is Voice.PROSE
    assert opened.text == folded.segment.text
    assert opened.rest == 0


def test_a_body_with_variables_reads_as_one_text():
    body = branch(
        "body",
        Kind.BODY,
        "Runtime body",
        leaf("literal:1", Kind.BODY, "Text", "You play "),
        leaf("variable:name", Kind.BODY, "Value", "Ines"),
    )
    found = passages(tree([(Group.SYSTEM, [body])]))
    assert [one.text for one in found] == ["", "You play Ines"]
    assert found[1].segment.key == "body"
    assert len(found[1].leaves) == 2


def test_a_block_of_slots_is_one_folded_passage():
    block = branch(
        "inputs",
        Kind.INPUTS,
        "Inputs",
        leaf("inputs-open", Kind.INPUTS, "Head", "<runtime-inputs>\n{"),
        leaf("input:mood", Kind.INPUTS, "Input", '"mood":{}'),
        leaf("inputs-close", Kind.INPUTS, "End", "}\n</runtime-inputs>"),
        together=True,
    )
    shown = tree([(Group.MESSAGES, [block])])
    found = passages(shown)[1:]
    assert [(one.segment.key, one.voice) for one in found] == [("inputs", Voice.FOLDED)]
    (opened,) = passages(shown, unfolded=frozenset({found[0].key}))[1:]
    assert opened.text == '<runtime-inputs>\n{"mood":{}}\n</runtime-inputs>'


def test_json_is_folded_wherever_it_stands():
    shown = tree(
        [(Group.SYSTEM, [leaf("one", Kind.EXTENSION, "One", ' {"a": 1} '), leaf("two", Kind.BODY, "Two", "{a")])]
    )
    assert voices(passages(shown)) == {"system": Voice.HEADING, "one": Voice.FOLDED, "two": Voice.PROSE}


def test_a_long_passage_keeps_its_rest():
    shown = tree([(Group.SYSTEM, [leaf("one", Kind.BODY, "One", "x" * (LONGEST + 5))])])
    passage = passages(shown)[1]
    assert len(passage.text) == LONGEST
    assert passage.rest == 5
    assert passages(shown, unfolded=frozenset({passage.key}))[1].rest == 0


def test_of_a_huge_history_the_oldest_messages_are_folded_into_one_line():
    lines = [
        leaf(f"history:{n}", Kind.HISTORY, "Story", "x" * 1000, role="assistant") for n in range(MOST // 1000 + 50)
    ]
    late = leaf("player-line", Kind.PLAYER_LINE, "Player line", "the newest words")
    shown = tree([(Group.MESSAGES, [branch("history", Kind.HISTORY, "History", *lines), late])])
    found = passages(shown)
    assert found[1].voice is Voice.FOLDED
    assert str(found[1].title) == "Earlier history · 51 messages"
    assert found[1].rest == 51_000
    assert len(found[1].leaves) == 51
    assert found[2].segment.key == "history:51"
    assert found[-1].text == "the newest words"
    opened = passages(shown, unfolded=frozenset({found[1].key}))
    assert opened[1].segment.key == "history:0"


def test_history_that_differs_is_not_folded():
    def request(ending: str):
        lines = [
            leaf(f"history:{n}", Kind.HISTORY, "Story", "x" * 1000 + ending * (n == 3)) for n in range(MOST // 500)
        ]
        return tree([(Group.MESSAGES, [branch("history", Kind.HISTORY, "History", *lines)])])

    both = prepared(request("a"), request("b"))
    found = {one.segment.key: one for one in passages(both.b.tree, states_of(both.comparison))}
    assert found["history:3"].text
    assert "history:4" not in found


def test_a_huge_request_is_folded_towards_its_end():
    pieces = [leaf(f"n{number}", Kind.EXTENSION, "N", "x" * LONGEST) for number in range(30)]
    found = passages(tree([(Group.SYSTEM, pieces)]))
    assert found[1].voice is Voice.PROSE
    assert found[-1].voice is Voice.FOLDED


def test_every_passage_knows_what_happened_to_it():
    comparison = prepared().comparison
    found = {one.segment.key: one.state for one in passages(TURN_12, states_of(comparison))}
    assert found["lore:tide"] is PairState.ADDED
    assert found["body"] is PairState.EQUAL
    assert found["segment:character-sheets/player"] is PairState.CHANGED
    assert states_of(None) is None


def test_leaves_of_a_branch_are_those_of_both_sides():
    pair = next(pair for pair in prepared().comparison.walk() if pair.key == "history")
    assert len(leaves_of(pair)) == 22
    assert leaves_of(None) == frozenset()
