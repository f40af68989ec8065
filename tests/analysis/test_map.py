"""Token figures of a tree, and the map made of them."""

from sketched_trees import sketched

from covel_inspector.analysis.counters import RuleCounter
from covel_inspector.analysis.map import blocks, boundary_tokens
from covel_inspector.analysis.token_table import TokenTable
from covel_inspector.domain import Boundary, Group, Kind, Place, Segment, Setter, plain

LETTERS = RuleCounter("letters", plain("one token a letter"), len)
QUARTERS = RuleCounter("quarters", plain("four letters a token"), lambda text: (len(text) + 3) // 4)


def boundary(number: int, part: int, position: int) -> Boundary:
    return Boundary(number, Place(part, position, position), Setter.ENGINE, plain("mark"))


TREE = sketched(
    {
        "tools": {"tool:look": "{look}", "tool:go": "{go}"},
        "system": {
            "body": {"literal:0": "rules", "variable:x": "xx"},
            "separator:0": "\n",
            "empty": "",
            "lore:a": "lore",
        },
        "messages": {"history": {"history:1": "one", "history:2": "two"}, "player-line": "I go."},
    },
    boundary(1, 1, 7),
    boundary(2, 1, 10),
    boundary(3, 3, 3),
    boundary(4, 4, 5),
    boundary(5, 0, 0),
)
TABLE = TokenTable(TREE, LETTERS)


def test_branches_are_sums_of_their_leaves() -> None:
    figures = {segment.key: TABLE.of(segment) for segment in TREE.walk()}
    assert figures["body"] == 7
    assert figures["history"] == 6
    assert figures["empty"] == 0
    assert figures["system"] == 12
    assert TABLE.total == sum(figures[group] for group in ("tools", "system", "messages")) == TREE.request.length


def test_sums_of_pieces_and_the_whole_may_differ() -> None:
    table = TokenTable(TREE, QUARTERS)
    assert (table.total, table.whole) == (2 + 1 + 2 + 1 + 1 + 1 + 1 + 1 + 2, 3 + 3 + 1 + 1 + 2)


def test_a_segment_of_another_tree_is_counted_on_the_spot() -> None:
    other = sketched({"tools": {"tool:look": "{look closely}"}})
    assert TABLE.of(other.groups[0]) == len("{look closely}")
    assert TABLE.of(Segment("run", Kind.BODY, plain("run"), children=TREE.groups[0].children)) == 10


def test_tokens_before_a_place() -> None:
    assert TABLE.before(Place(0, 0, 0)) == 0
    assert TABLE.before(Place(0, 8, 8)) == 8
    assert TABLE.before(Place(1, 0, 5)) == 10
    assert TABLE.before(Place(1, 6, 6)) == 16
    assert TABLE.before(Place(1, 12, 12)) == 22
    assert TABLE.before(Place(4, 5, 5)) == TABLE.total


def test_tokens_before_a_place_agree_with_the_letters_in_front_of_it() -> None:
    done = 0
    for number, part in enumerate(TREE.request.parts):
        for position in range(len(part.text) + 1):
            assert TABLE.before(Place(number, position, position)) == done + position
        done += len(part.text)


def test_boundaries_stand_where_their_tokens_end() -> None:
    assert boundary_tokens(TREE, TABLE) == (17, 20, 28, 33, 0)


def test_blocks_follow_each_other_without_gaps() -> None:
    found = blocks(TREE, TABLE)
    assert [(block.key, block.start_token, block.tokens) for block in found] == [
        ("tool:look", 0, 6),
        ("tool:go", 6, 4),
        ("body", 10, 7),
        ("separator:0", 17, 1),
        ("lore:a", 18, 4),
        ("history", 22, 6),
        ("player-line", 28, 5),
    ]
    assert [block.end_token for block in found[:-1]] == [block.start_token for block in found[1:]]
    assert found[-1].end_token == TABLE.total
    assert found[2].group is Group.SYSTEM
    assert found[2].place == Place(1, 0, 5)
    assert found[2].segment is TREE.groups[1].children[0]


def test_a_group_without_children_is_a_block_itself() -> None:
    leaf = TREE.groups[0].children[0]
    group = Segment("response-format", Kind.GROUP, plain("Response format"), leaf.text, leaf.place)
    tree = sketched({"tools": {"tool:look": "{look}"}})
    table = TokenTable(tree, LETTERS)
    (block,) = blocks(type(tree)(tree.request, (group,)), table)
    assert (block.key, block.tokens) == ("response-format", 6)


def test_an_empty_request_has_an_empty_map() -> None:
    tree = sketched({})
    table = TokenTable(tree, LETTERS)
    assert blocks(tree, table) == ()
    assert (table.total, table.whole, table.before(Place(0, 0, 0))) == (0, 0, 0)
