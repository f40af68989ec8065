"""Learned sentences inside segments of another source."""

import pytest

from covel_inspector.domain import Field, Group, Kind, Part, Place, Request, Segment, SegmentTree, plain
from covel_inspector.domain.building import branch, whole
from covel_inspector.engines.covel.rebuild.borrowed import Borrowed
from covel_inspector.engines.covel.rebuild.engine_words import EngineWords
from covel_inspector.engines.covel.rebuild.verdict import shares
from covel_inspector.engines.covel.textpack import TextPack

PACK = TextPack(
    {
        "lore.heading": {"en": ("[Lore: {label}]",)},
        "summary.note": {"en": ("Only background.",)},
        "inputs.storyNote": {"en": ('("below" & <here>)',)},
        "plugindata.none": {"en": ("(none)",)},
        "plugindata.more": {"en": ("[{shown} of {total}]",)},
        "pictures.item": {"en": ("Picture {index}: {caption}",)},
        "turn.emptyInput": {"en": ("Go on.",)},
        "truncation.toolResult": {"en": ("{cut}",)},
    }
)


def segment(kind: Kind, text: str) -> Segment:
    return Segment("x", kind, plain("x"), text=text, place=Place(0, 0, len(text)))


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (Kind.LORE, "[Lore: lamp]\nIt burns.", len("[Lore: ]")),
        (Kind.LORE, "[Lore: a ] b]\nIt burns. [Lore: x]", len("[Lore: ]")),
        (Kind.LORE, "It burns.", 0),
        (Kind.HISTORY, "[Lore: lamp]\nIt burns.", 0),
        (Kind.SUMMARY, "\nOnly background.", len("Only background.")),
        (
            Kind.INPUTS,
            '<i>\n{"value":"(\\"below\\" &amp; &lt;here&gt;)"}\n</i>',
            len('(\\"below\\" &amp; &lt;here&gt;)'),
        ),
        (Kind.OWN_DATA, "<notes>(none)</notes>", len("(none)")),
        (Kind.OWN_DATA, "<notes>\n- a | {}\n[1 of 20]\n</notes>", len("[ of ]")),
        (Kind.PICTURES, "Picture 2: The sea. Picture 3: x", len("Picture : ")),
        (Kind.PLAYER_LINE, "Go on.", len("Go on.")),
        (Kind.PLAYER_LINE, "Go on. I run.", 0),
        (Kind.TOOL_RESULT, "anything", 0),
    ],
)
def test_learned_sentences_are_counted_where_they_may_stand(kind: Kind, text: str, expected: int) -> None:
    words = EngineWords.learned_from(PACK, set(PACK.texts), "en")

    assert words.within(segment(kind, text)) == expected
    assert EngineWords.learned_from(PACK, (), "en").within(segment(kind, text)) == 0


def test_the_words_inside_count_as_taken() -> None:
    texts = ("[Lore: lamp]\nIt burns.", "I wait.")
    parts = tuple(Part(Group.SYSTEM, number, 0, Field.CONTENT, text, "system") for number, text in enumerate(texts))
    leaves = [
        whole(Segment("lore:lamp", Kind.LORE, plain("Lamp")), parts, 0),
        whole(Segment("history:1", Kind.HISTORY, plain("Line"), taken=True), parts, 1),
    ]
    tree = SegmentTree(Request(parts), (branch(Segment("system", Kind.GROUP, plain("s")), leaves),))

    total, independent, taken = shares(tree, Borrowed(EngineWords.learned_from(PACK, ["lore.heading"], "en")))

    assert total == len("".join(texts))
    assert [(one.kind, one.characters) for one in taken] == [(Kind.LORE, 8), (Kind.HISTORY, 7)]
    assert independent == total - 15
    assert shares(tree)[1] == total - 7
