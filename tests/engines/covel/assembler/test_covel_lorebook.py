"""The lorebook: which entries are active, and the reason in words."""

import pytest

from covel_inspector.domain import AbsenceReason
from covel_inspector.engines.covel.assembler.lore_keys import find_key
from covel_inspector.engines.covel.assembler.session_state import LoreEntry, ScannedMessage, SessionState
from covel_inspector.engines.covel.assembler.snapshot import take_snapshot
from covel_inspector.engines.covel.textpack import default_pack


def state(*entries: LoreEntry, line: str = "", recent: tuple[tuple[str, str], ...] = ()) -> SessionState:
    return SessionState(
        lorebook=entries,
        player_message=line,
        recent_messages=tuple(ScannedMessage(content, row) for row, content in recent),
    )


def entry(*keys: str, depth: int = 0, **more: object) -> LoreEntry:
    extra = {"scanDepth": depth}
    return LoreEntry("e", "body", keys, extra=extra, **more)  # type: ignore[arg-type]  # fields by name


def why(found: SessionState) -> str:
    snapshot = take_snapshot(found, default_pack())
    if snapshot.contributions:
        return str(snapshot.contributions[0].notes[0])
    return str(snapshot.left_out[0].note)


def test_the_reason_names_the_key_and_the_message() -> None:
    rows = (("m1", "The tide book lies here."), ("m2", "Nothing."))
    assert why(state(entry("tide book"), line="Where is the Tide Book?")) == (
        "The key 'tide book' stands in the player's line."
    )
    assert why(state(entry("tide book", depth=2), line="What?", recent=rows)) == (
        "The key 'tide book' stands 2 messages back."
    )
    assert why(state(entry("nothing.\nwhat", depth=2), line="What?", recent=rows)) == (
        "The key 'nothing.\nwhat' is found across the border of two messages."
    )
    assert why(state(entry("tide book", depth=1), line="What?", recent=rows)) == (
        "no key stands in the player's line or the last message; keys: 'tide book'"
    )


def test_entries_that_are_not_active_say_why() -> None:
    snapshot = take_snapshot(
        state(
            LoreEntry("off", "x", ("a",), enabled=False),
            LoreEntry("keyless", "x", ()),
            LoreEntry("silent", "x", ("bell",)),
            line="a",
        ),
        default_pack(),
    )
    assert [(found.key, found.reason) for found in snapshot.left_out] == [
        ("lore:off", AbsenceReason.DISABLED),
        ("lore:keyless", AbsenceReason.NO_KEY),
        ("lore:silent", AbsenceReason.NO_KEY),
    ]
    assert [str(found.note) for found in snapshot.left_out] == [
        "the entry is switched off",
        "the entry is not constant and has no key",
        "no key stands in the player's line; keys: 'bell'",
    ]


def test_an_unknown_position_is_told() -> None:
    snapshot = take_snapshot(state(LoreEntry("e", "x", strategy="constant", position="nowhere")), default_pack())
    found = snapshot.contributions[0]
    assert found.position == "after_plugin"
    assert "'nowhere'" in str(found.notes[1])


@pytest.mark.parametrize(
    ("key", "text", "hit"),
    [
        ("tide", "the tides rise", True),
        ("tide", "the tide's edge", True),
        ("tide", "the tide’s edge", True),
        ("box", "three boxes", True),
        ("tide", "tidewater", False),
        ("tide", "untide", False),
        ("tide", "潮tide汐", True),
        ("tide", "étide", False),
        ("tide", "tide_2", False),
        ("c++", "we use c++ here", True),
        ("12", "a123", True),
        ("潮", "大潮汐", True),
        ("  ", "a  b", False),
        (" tide", "a tide", False),
        (" tide", "- tide", True),
        ("Straße", "die straße", True),
        ("a.b", "axb", False),
    ],
)
def test_keys_hit_words_or_pieces(key: str, text: str, hit: bool) -> None:
    assert (find_key(key, text.lower()) is not None) is hit
