"""What the calls of a session tell together: never against the truth, and nothing where the evidence is thin."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

import pytest
from attribution_truth import TrueSpan, truth_of
from observed_calls import Asked, observed
from sample_calls import SAMPLES, read_sample, sample_root

from covel_inspector.domain import Observation, Segment, SegmentTree, Standing, Volatility
from covel_inspector.engines.covel.attribution import SegmentObserving, attribute

TRUTH = {"emberwatch": "emberwatch", "tidewater": "tidewater", "driftwood-old-schema": "tidewater"}
KEPT = (Volatility.STABLE, Volatility.SESSION)
NAMED = {
    ("emberwatch", True): (12, 12, 8),
    ("emberwatch", False): (10, 10, 8),
    ("tidewater", True): (13, 11, 7),
    ("tidewater", False): (7, 7, 3),
    ("driftwood-old-schema", True): (7, 3, 2),
    ("driftwood-old-schema", False): (4, 2, 0),
}
"""Observations of all sessions, and how many of them name a volatility and an audience."""


@cache
def observations(name: str, with_files: bool) -> tuple[dict[str, Observation], dict[str, set[tuple[str, str]]]]:
    """What is observed in a sample by session and key, and the true volatilities and audiences of the same."""
    sample, truth = read_sample(name), truth_of(TRUTH[name])
    indexes = sample.indexes(sample_root() if with_files else None)
    observing = {session: SegmentObserving(index) for session, index in indexes.items()}
    true: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for call in sample.calls:
        tree = attribute(call.call, call.moment, indexes[call.session])
        observing[call.session].see(tree, call.moment, call.moment.turn_id)
        for leaf in tree.leaves():
            if leaf.key.startswith("segment:"):
                facts = true_facts(tree, leaf, truth[call.row])
                true[f"{call.session} {leaf.key}"].add((facts["volatility"], facts["audience"]))
    seen = {
        f"{session} {key}": observation
        for session, one in observing.items()
        for key, observation in one.observations().items()
    }
    return seen, dict(true)


def true_facts(tree: SegmentTree, leaf: Segment, spans: Iterable[TrueSpan]) -> dict[str, str]:
    """What the truth says of the span that holds a leaf."""
    assert leaf.place is not None
    part = tree.request.parts[leaf.place.part]
    start, end = (len(part.text[:at].encode("utf-16-le")) // 2 for at in (leaf.place.start, leaf.place.end))
    for span in spans:
        if span.message == part.index and span.start <= start and (span.end is None or end <= span.end):
            return span.facts
    raise AssertionError(f"no true span holds {leaf.key}")


@pytest.mark.parametrize("with_files", [False, True], ids=["rows", "rows and files"])
@pytest.mark.parametrize("name", SAMPLES)
def test_no_observation_contradicts_the_truth(name: str, with_files: bool, capsys: pytest.CaptureFixture[str]) -> None:
    seen, true = observations(name, with_files)

    counts = (
        len(seen),
        sum(bool(one.volatilities) for one in seen.values()),
        sum(bool(one.audience) for one in seen.values()),
    )
    with capsys.disabled():
        print(
            f"\n{name}, {'with' if with_files else 'without'} files: {counts[0]} segments observed, "
            f"{counts[1]} volatilities and {counts[2]} audiences named"
        )
    assert set(seen) == set(true)
    wrong = [
        f"{key}: {'/'.join(seen[key].volatilities)} {seen[key].audience}, truly {volatility} {audience}"
        for key, facts in true.items()
        for volatility, audience in facts
        if (seen[key].volatilities and volatility not in seen[key].volatilities)
        or seen[key].audience not in ("", audience)
    ]
    assert wrong == []
    assert counts == NAMED[name, with_files]


def of_emberwatch(segment: str, with_files: bool = True) -> Observation:
    seen, _ = observations("emberwatch", with_files)
    return next(one for key, one in seen.items() if key.endswith(f" segment:{segment}"))


def test_a_segment_of_the_session_is_counted_over_its_turns() -> None:
    notes = of_emberwatch("character-blueprint/character-notes")

    assert (notes.seen, notes.turns, notes.texts, notes.changes, notes.steps) == (24, 24, 2, 1, 23)
    assert (notes.standing, notes.volatilities, notes.audience) == (
        Standing.KEPT, (Volatility.SESSION,), "story",
    )  # fmt: skip
    assert len(notes.changed) == 1
    assert notes.missing == ()


def test_a_block_that_nobody_could_name_counts_for_the_one_it_must_be() -> None:
    memory = of_emberwatch("memory/memory-block:story")

    assert of_emberwatch("?/memory-block:story") is memory
    assert (memory.seen, memory.unnamed, len(memory.missing)) == (21, 5, 3)
    assert (memory.origin.plugin, memory.audience, memory.audience_is_guess) == ("memory", "story", True)


def test_an_audience_that_two_rules_explain_is_not_named() -> None:
    # The narrator is the only runtime that tells the story, so "story" and "self" look the same for its segments.
    assert of_emberwatch("narrator/player-character").audience == ""
    assert of_emberwatch("char-creator/character-fields").audience == "self"


# Made-up sessions


def test_the_same_text_before_the_mark_is_stable_or_of_the_session() -> None:
    seen = observed(Asked("narrator", turn, kept={"a": "same"}) for turn in "123")
    assert seen["a"].volatilities == KEPT
    assert seen["a"].never_changed


def test_two_turns_suggest_nothing() -> None:
    seen = observed(Asked("narrator", turn, kept={"a": "same"}, tail={"b": turn}) for turn in "12")
    assert [seen[name].volatilities for name in "ab"] == [(), ()]
    assert (seen["a"].seen, seen["b"].changes) == (2, 1)


def test_place_and_text_must_agree() -> None:
    seen = observed(Asked("narrator", turn, kept={"a": turn}, tail={"b": "same", "c": turn}) for turn in "12345")
    assert (seen["a"].standing, seen["a"].volatilities, seen["a"].changes) == (Standing.KEPT, (), 4)
    assert (seen["b"].standing, seen["b"].volatilities, seen["b"].changes) == (Standing.END, (), 0)
    assert seen["c"].volatilities == (Volatility.TURN,)
    assert seen["c"].changed == ("2", "3", "4", "5")


def test_the_turn_context_is_a_place_of_the_turn() -> None:
    seen = observed(Asked("narrator", turn, context={"a": turn}) for turn in "123")
    assert (seen["a"].standing, seen["a"].volatilities) == (Standing.TURN, (Volatility.TURN,))


def test_a_message_of_its_own_needs_more_turns() -> None:
    few = observed(Asked("narrator", turn, message={"a": "same"}) for turn in "1234")
    more = observed(Asked("narrator", turn, message={"a": "same"}) for turn in "12345")
    always = observed(Asked("narrator", turn, message={"a": turn}) for turn in "12345")
    often = observed(Asked("narrator", turn, message={"a": turn if turn < "4" else "same"}) for turn in "12345")
    assert [one["a"].volatilities for one in (few, more, always, often)] == [(), KEPT, (Volatility.TURN,), ()]


def test_a_text_that_was_gone_in_between_did_not_stay() -> None:
    seen = observed(Asked("narrator", turn, kept={} if turn == "3" else {"a": "same"}) for turn in "12345")
    assert (seen["a"].seen, seen["a"].turns, seen["a"].missing) == (4, 5, ("3",))
    assert Volatility.STABLE not in seen["a"].volatilities


def test_a_text_that_comes_later_may_stay() -> None:
    seen = observed(Asked("narrator", turn, kept={"a": "same"} if turn > "2" else {}) for turn in "12345")
    assert (seen["a"].missing, seen["a"].volatilities) == (("1", "2"), KEPT)


def test_a_segment_in_two_kinds_of_places_suggests_nothing() -> None:
    asked = [Asked("narrator", turn, kept={"a": turn}) for turn in "12"]
    asked += [Asked("narrator", turn, tail={"a": turn}) for turn in "345"]
    seen = observed(asked)
    assert (seen["a"].standing, seen["a"].volatilities) == (Standing.MIXED, ())


def test_another_text_in_the_same_turn_is_a_change() -> None:
    seen = observed(Asked("narrator", turn, tail={"a": text}) for turn in "123" for text in ("one", "two"))
    assert (seen["a"].texts, seen["a"].changes, seen["a"].steps) == (2, 2, 2)


def test_each_runtime_has_a_text_of_its_own() -> None:
    seen = observed(Asked(runtime, turn, kept={"a": runtime}) for turn in "123" for runtime in ("one", "two"))
    assert (seen["a"].texts, seen["a"].changes, seen["a"].steps) == (2, 0, 4)
    assert seen["a"].runtimes == ("one", "two")


def test_two_blocks_of_one_name_are_not_compared() -> None:
    seen = observed(Asked("narrator", turn, tail={"a": turn, "a#2": "same"}) for turn in "123")
    assert (seen["a"].is_doubled, seen["a"].volatilities, seen["a"].never_changed) == (True, (), False)


# Audiences


def both(having: str, lacking: str, plugin: str = "maker") -> dict[str, Observation]:
    """Three turns in which one runtime has a segment of a plugin and another does not."""
    return observed(
        (one for turn in "123" for one in (Asked(having, turn, kept={"a": "x"}), Asked(lacking, turn))),
        plugin=plugin,
        stories=("narrator", "second"),
        others=("maker", "codex"),
    )


def test_only_runtimes_of_its_own_plugin_have_it() -> None:
    assert both("maker", "codex")["a"].audience == "self"


def test_only_runtimes_that_tell_the_story_have_it() -> None:
    assert both("narrator", "codex")["a"].audience == "story"


def test_a_story_runtime_of_its_own_plugin_may_be_either() -> None:
    assert both("narrator", "codex", plugin="narrator")["a"].audience == ""


def test_a_story_runtime_without_it_speaks_against_story() -> None:
    assert both("narrator", "second")["a"].audience == ""
    assert both("narrator", "second", plugin="narrator")["a"].audience == "self"


def test_story_runtimes_of_different_plugins_have_it() -> None:
    asked = [
        one
        for turn in "123"
        for one in (*(Asked(name, turn, kept={"a": "x"}) for name in ("narrator", "second")), Asked("codex", turn))
    ]
    seen = observed(asked, plugin="", stories=("narrator", "second"), others=("codex",))
    assert seen["a"].audience == "story"


def test_what_every_runtime_has_tells_nothing_of_its_audience() -> None:
    asked = [Asked(name, turn, kept={"a": "x"}) for turn in "123" for name in ("narrator", "codex")]
    assert observed(asked, stories=("narrator",), others=("codex",))["a"].audience == ""


def test_a_runtime_that_was_called_seldom_speaks_for_nothing() -> None:
    asked = [Asked("maker", turn, kept={"a": "x"}) for turn in "12345"] + [Asked("codex", turn) for turn in "12"]
    assert observed(asked, plugin="maker", others=("maker", "codex"))["a"].audience == ""


def test_a_runtime_whose_unknown_text_may_hold_it_is_not_without_it() -> None:
    asked = [
        one
        for turn in "123"
        for one in (Asked("maker", turn, kept={"a": "x"}), Asked("codex", turn, unknown="So:\n<a>\nx\n</a>"))
    ]
    assert observed(asked, plugin="maker", others=("maker", "codex"))["a"].audience == ""


def test_without_files_a_runtime_that_may_tell_the_story_leaves_it_open() -> None:
    asked = [one for turn in "123" for one in (Asked("maker", turn, kept={"a": "x"}), Asked("codex", turn))]
    assert observed(asked, plugin="maker")["a"].audience == ""


def test_world_lore_shows_who_tells_the_story_without_files() -> None:
    asked = [
        one
        for turn in "123"
        for one in (Asked("narrator", turn, kept={"a": "x"}, has_world_lore=True), Asked("codex", turn))
    ]
    seen = observed(asked, plugin="maker")
    assert (seen["a"].audience, seen["a"].may_be_contract) == ("story", True)


def test_an_unnamed_block_beside_the_named_one_is_another() -> None:
    asked = [Asked("narrator", turn, tail={"a": turn, "?/a": "x"}) for turn in "123"]
    seen = observed(asked)
    assert seen["a"] is not seen["?/a"]
    assert (seen["a"].seen, seen["?/a"].seen, seen["a"].unnamed) == (3, 3, 0)


def test_an_unnamed_block_elsewhere_is_another() -> None:
    asked = [Asked("narrator", turn, tail={"a": turn}) for turn in "123"]
    asked += [Asked("narrator", turn, kept={"?/a": "x"}) for turn in "456"]
    assert observed(asked)["a"].seen == 3


def test_an_unnamed_block_in_another_runtime_is_another() -> None:
    asked = [Asked(name, turn, tail={tag: turn}) for turn in "123" for name, tag in (("one", "a"), ("two", "?/a"))]
    seen = observed(asked)
    assert (seen["a"].runtimes, seen["?/a"].runtimes) == (("one",), ("two",))


def test_nothing_seen_is_nothing_observed() -> None:
    assert observed([]) == {}
    assert observed([Asked("narrator", turn) for turn in "123"]) == {}
