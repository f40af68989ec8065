"""Why an entry is in or out: keys, places, near misses. Hostile texts and random ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lore_stories import entry, one_state, sight

from covel_inspector.domain import LoreOutcome
from covel_inspector.engines.covel.assembler.lore_keys import find_key
from covel_inspector.engines.covel.assembler.lorebook import activate
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.explain.lore import MOST_HITS, lore_states, wake
from covel_inspector.engines.covel.explain.near_misses import FARTHEST
from covel_inspector.engines.covel.textpack import default_pack

DEEP = {"scanDepth": 3}


@pytest.mark.parametrize(
    ("line", "key", "expected"),
    [
        ("I light the lamp.", "lamp", "lamp"),
        ("Two LAMPS burn.", "lamp", "LAMP"),
        ("The lamp's oil", "lamp", "lamp"),
        ("The lamp’s oil", "lamp", "lamp"),
        ("灯lamp灯", "lamp", "lamp"),
        ("他说：雾市到了", "雾市", "雾市"),
        ("夜雾市场", "雾市", "雾市"),
        ("room 17b", "17", "17"),
        ("a café.", "café", "café"),
        ("İstanbul und die Lampe", "lampe", "Lampe"),
        ("İİİ lamp", "lamp", "lamp"),
        ("ΟΔΟΣ", "οδοσ", None),
        ("x.*y", ".*", ".*"),
        ("(lamp)", "(lamp)", "(lamp)"),
        ("[RUNTIME] lamp", "[runtime]", "[RUNTIME]"),
        ("\ue000COVEL_CACHE_BREAK\ue000", "covel_cache_break", None),
        ("\ud83dlamp", "lamp", "lamp"),
    ],
)
def test_a_hit_names_the_text_as_it_is_stored(line: str, key: str, expected: str | None) -> None:
    state = one_state(line, [], entry("e", [key]))
    assert state.is_in is (find_key(key, line.lower()) is not None)
    if expected is None:
        return
    assert state.outcome is LoreOutcome.KEY
    (hit, *_) = state.hits
    assert (hit.row, hit.back) == (None, 0)
    assert line[hit.start : hit.end] == expected
    assert expected in hit.excerpt


@pytest.mark.parametrize(
    ("line", "keys", "said"),
    [
        ("By lamplight we row.", ["lamp"], "the key 'lamp' stands in 'lamplight', but such keys match whole words"),
        ("lamp_7 burns", ["lamp"], "the key 'lamp' stands in 'lamp_7', but such keys match whole words"),
        ("lamping", ["x", "lamp"], "the key 'lamp' stands in 'lamping', but such keys match whole words"),
        ("the lamp", ["lamp "], "the key 'lamp ' begins or ends with a blank, which counts; without it, it would hit"),
        ("a lantern", ["lamp, lantern"], "'lamp, lantern' is one key, not a list; its part 'lantern' would hit alone"),
        ("一盏灯笼", ["火把、灯笼"], "'火把、灯笼' is one key, not a list; its part '灯笼' would hit alone"),
        ("ｌａｍｐ here", ["lamp"], "'ｌａｍｐ' looks like the key 'lamp' but is written with other characters"),
        ("a cafe\u0301.", ["café"], "'cafe\u0301' looks like the key 'café' but is written with other characters"),
        ("it’s time", ["it's"], "'it’s' looks like the key 'it's' but is written with other characters"),
        ("la\u200bmp", ["lamp"], "'la\u200bmp' looks like the key 'lamp' but is written with other characters"),
    ],
)
def test_the_nearest_miss_says_what_kept_the_key_out(line: str, keys: list[str], said: str) -> None:
    state = one_state(line, [], entry("e", keys))
    assert state.outcome is LoreOutcome.NO_KEY
    assert str(state.nearest_miss) == said
    assert state.near is not None
    assert state.near.row is None
    assert line[state.near.start : state.near.end]


def test_a_key_too_far_back_says_by_how_much() -> None:
    messages = ["The lamp.", "Nothing.", "Nothing.", "Nothing."]
    state = one_state("I wait.", messages, entry("e", ["lamp"], extra={"scanDepth": 1}))
    assert str(state.nearest_miss) == (
        "the key 'lamp' stands 4 messages back (assistant message), outside scanDepth 1 by 3"
    )
    assert state.near is not None
    assert (state.near.row, state.near.back) == ("m0", 4)
    near = one_state("I wait.", messages, entry("e", ["lamp"], extra={"scanDepth": 4}))
    assert near.outcome is LoreOutcome.KEY
    assert (near.hits[0].row, near.hits[0].back) == ("m0", 4)
    assert str(near.why) == "The key 'lamp' stands 4 messages back (assistant message)."


def test_a_key_beyond_the_deepest_scan_says_so() -> None:
    state = one_state("I wait.", ["The lamp."] + ["Nothing."] * 25, entry("e", ["lamp"], extra={"scanDepth": 99}))
    assert state.scan_depth == 20
    assert str(state.nearest_miss) == (
        "the key 'lamp' stands 26 messages back (assistant message); scanDepth is 20 and reaches 20 at most"
    )


def test_only_so_many_messages_are_looked_through() -> None:
    messages = ["The lamp."] + ["Nothing."] * FARTHEST
    assert one_state("I wait.", messages, entry("e", ["lamp"])).nearest_miss is None
    assert one_state("I wait.", messages[:-1], entry("e", ["lamp"])).nearest_miss is not None


def test_a_miss_in_the_scanned_text_is_nearer_than_one_too_far_back() -> None:
    state = one_state("lamplight", ["The lamp."], entry("e", ["lamp"]))
    assert "lamplight" in str(state.nearest_miss)


def test_keys_nowhere_near_have_no_miss() -> None:
    state = one_state("I wait.", ["Nothing."], entry("e", ["lamp", "灯"], extra=DEEP))
    assert (state.nearest_miss, state.near, state.hits) == (None, None, ())
    assert str(state.why) == "No key stands in the player's line or the last 3 messages."


def test_a_hit_across_two_messages_says_so() -> None:
    state = one_state("ahoy", ["three bells\nand"], entry("e", ["and\nahoy"], extra=DEEP))
    assert state.outcome is LoreOutcome.KEY
    assert state.hits[0].crosses
    assert str(state.why) == "The key 'and\nahoy' is found across the border of two messages."
    assert (state.hits[0].row, state.hits[0].start, state.hits[0].end) == ("m0", 12, 15)


@pytest.mark.parametrize(
    ("row", "outcome", "why"),
    [
        (entry("e", strategy="constant"), LoreOutcome.CONSTANT, "A constant entry: it is always in."),
        (entry("e"), LoreOutcome.KEYLESS, "It is not constant and has no key, so it never comes in."),
        (
            entry("e", ["", " \t"]),
            LoreOutcome.KEYLESS,
            "It is not constant and all its keys are blank, so it never comes in.",
        ),
        (
            entry("e", ["lamp"], enabled=False),
            LoreOutcome.DISABLED,
            "It is switched off; switched on its key 'lamp' would bring it in here.",
        ),
        (
            entry("e", ["x"], enabled=False),
            LoreOutcome.DISABLED,
            "It is switched off; no key of it stands here either.",
        ),
        (
            entry("e", strategy="constant", enabled=False),
            LoreOutcome.DISABLED,
            "It is switched off; switched on it would always be in.",
        ),
        (entry("e", ["x"]), LoreOutcome.NO_KEY, "No key stands in the player's line; no message is scanned."),
        (
            entry("e", ["lamp"], created_at="2026-05-01T12:00:00.000Z"),
            LoreOutcome.LATER,
            "Its row was written after this call.",
        ),
    ],
)
def test_every_outcome_has_its_sentence(row, outcome: LoreOutcome, why: str) -> None:
    state = one_state("The lamp.", [], row)
    assert (state.outcome, str(state.why)) == (outcome, why)
    assert state.is_in is (outcome in (LoreOutcome.CONSTANT, LoreOutcome.KEY))


def test_an_entry_that_changed_after_the_call_and_an_odd_position_are_said() -> None:
    row = entry("e", ["lamp"], position="sideways", updated_at="2026-05-01T12:30:00.000Z")
    notes = [str(note) for note in one_state("The lamp.", [], row).notes]
    assert notes == [
        "the row is newer than the call: it may have read otherwise then",
        "Its position 'sideways' is none that the engine knows, so it stands where after_plugin does.",
    ]


def test_entries_stand_in_prompt_order_and_those_that_are_out_behind_them() -> None:
    entries = [
        entry("deep", ["lamp"], position="at_depth", extra={"coordinate": {"depth": 2.5}}),
        entry("late", strategy="constant", insertion_order=20),
        entry("out", ["x"]),
        entry("early", strategy="constant", insertion_order=3),
        entry("after", strategy="constant", position="after-plugin"),
    ]
    states = lore_states(sight("The lamp.", [], entries))
    assert [state.entry for state in states] == ["early", "late", "after", "deep", "out"]
    assert [state.depth for state in states] == [None, None, None, 3, None]
    assert [state.position for state in states][2] == "after_plugin"


def test_thousands_of_hits_are_cut_off() -> None:
    state = one_state("lamp " * 5000, [], entry("e", ["lamp"]))
    assert len(state.hits) == MOST_HITS


def test_a_tried_line_stands_in_the_place_of_the_player_s() -> None:
    call = sight("I wait.", [], [entry("e", ["lamp"])])
    assert [state.is_in for state in lore_states(call)] == [False]
    assert [state.is_in for state in lore_states(call, "The lamp.")] == [True]
    assert [state.is_in for state in lore_states(call, "")] == [False]


_LETTERS = st.sampled_from("lamp灯笼 ,İßΣς’'s_17.\n\ue000🔥\ud83d")
_TEXTS = st.text(_LETTERS, max_size=30)
_KEYS = st.lists(st.text(_LETTERS, max_size=5), max_size=3)


@given(line=_TEXTS, messages=st.lists(_TEXTS, max_size=5), keys=_KEYS, depth=st.integers(-1, 22))
def test_the_explanation_never_contradicts_the_assembler(
    line: str, messages: list[str], keys: list[str], depth: int
) -> None:
    call = sight(line, messages, [entry("e", keys, extra={"scanDepth": depth})])
    (state,) = lore_states(call)
    active = activate(wake(call).state, Wording.of(default_pack(), None)).contributions
    assert state.is_in is bool(active)
    assert state.is_in is bool(state.hits)
    assert state.nearest_miss is None or not state.is_in
    texts = {None: line, **{f"m{number}": text for number, text in enumerate(messages)}}
    for hit in state.hits:
        assert hit.back <= max(0, min(depth, 20))
        if not hit.crosses:
            # A capital sigma becomes another small one at the end of a word, and out of its word it has no end.
            found, key = (text.lower().replace("ς", "σ") for text in (texts[hit.row][hit.start : hit.end], hit.key))
            assert found == key
    if state.near is not None:
        assert 0 <= state.near.start <= state.near.end <= len(texts[state.near.row])


@given(line=_TEXTS, messages=st.lists(_TEXTS, max_size=6), key=st.text(_LETTERS, min_size=1, max_size=4))
def test_the_distance_of_a_far_key_is_the_depth_that_would_reach_it(line: str, messages: list[str], key: str) -> None:
    state = one_state(line, messages, entry("e", [key]))
    if state.near is None or state.near.back == 0:
        return
    reached = one_state(line, messages, entry("e", [key], extra={"scanDepth": state.near.back}))
    short = one_state(line, messages, entry("e", [key], extra={"scanDepth": state.near.back - 1}))
    assert reached.is_in
    assert not short.is_in or any(hit.crosses for hit in short.hits)
