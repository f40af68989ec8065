"""The sample root: everything its README says is found there, and nothing to complain about."""

from pathlib import Path

import pytest

from covel_inspector.engines.covel.checkout import read_checkout
from covel_inspector.engines.covel.records.locales import choose_variant
from covel_inspector.engines.covel.records.manifests import Checkout, FilePlace, SelfData

SAMPLE = Path(__file__).parents[3] / "data" / "sample-root"


@pytest.fixture(scope="module")
def sample() -> Checkout:
    return read_checkout(str(SAMPLE))


def test_everything_is_found_without_a_problem(sample: Checkout) -> None:
    assert sample.problems == ()
    assert len(sample.plugins) == len([path for path in (SAMPLE / "plugins").iterdir() if path.is_dir()])
    assert set(sample.worlds) == {"emberwatch", "tidewater"}
    assert sample.slots == {}
    assert sample.shadowed == ()


def test_an_inline_runtime(sample: Checkout) -> None:
    narrator = sample.runtime("narrator")
    assert narrator is not None
    assert (narrator.type, narrator.stage, narrator.visibility, narrator.slot) == (
        "agent",
        "narrative",
        "story",
        "story",
    )
    assert narrator.output_contract == "narrative-engine@2"
    assert narrator.record_as == "narrative"
    assert narrator.advertise_events
    assert narrator.max_turns is None
    assert narrator.tools == ("get-character", "world-dimension-get", "emit-event")
    assert narrator.place == FilePlace("plugins/narrator/PLUGIN.md", 20)


def test_the_body_of_a_locale_begins_where_it_says(sample: Checkout) -> None:
    narrator = sample.runtime("narrator")
    assert narrator is not None
    chosen = choose_variant(narrator.body, "zh-CN")
    assert chosen is not None
    place = narrator.body.places[chosen.tag]
    lines = (SAMPLE / place.path).read_text(encoding="utf-8").split("\n")
    assert lines[place.line - 1 :] == [*chosen.text.split("\n"), ""]
    assert chosen.text.endswith("用 emit-event 报告。")


def test_a_runtime_with_its_own_file(sample: Checkout) -> None:
    tracker = sample.runtime("world-init/dimension-tracker")
    assert tracker is not None
    assert tracker.plugin == "world-init"
    assert (tracker.max_turns, tracker.include_summaries) == (1, False)
    assert tracker.require_tool_use
    assert tracker.complete_after_tools == ("update-dimensions",)
    assert (tracker.reasoning_effort, tracker.tool_choice) == ("disabled", "required")
    assert [(slot.name, slot.source, slot.cardinality, slot.scope) for slot in tracker.inputs] == [
        ("narrative", {"contract": "narrative-engine@2"}, "one", "turn")
    ]
    assert set(tracker.body.variants) == {"", "zh-CN"}


def test_own_data_history_and_schema(sample: Checkout) -> None:
    codex, guide, ledger = (sample.runtime(name) for name in ("codex", "guide", "harbor-clerk/ledger"))
    assert codex is not None
    assert guide is not None
    assert ledger is not None
    assert codex.self_data == (SelfData("entries", "<codex-entries>", "summary", 50),)
    assert ledger.self_data == (SelfData("lines", "<ledger-lines>", "summary", 20),)
    assert codex.max_turns == 0
    assert (guide.max_turns, guide.include_summaries) == (2, True)
    assert guide.output_schema["required"] == ["suggestions", "recap"]
    assert ledger.tools == ("suspend", "runtime-done", "ledger-write", "ledger-find")


def test_static_segments_with_their_lines(sample: Checkout) -> None:
    style, closing = sample.plugins["narrator"].segments
    assert (style.id, style.position, style.role) == ("narrative-style", "pre-history", "")
    assert (closing.id, closing.position, closing.role) == ("closing-reminder", "post-history", "system")
    assert set(style.content.variants) == {"zh-CN", "en-US"}
    assert style.place == FilePlace("plugins/narrator/PLUGIN.md", 10)
    assert style.content.places["zh-CN"] == FilePlace("plugins/narrator/PLUGIN.md", 11)
    pair, tail = sample.plugins["harbor-clerk"].segments
    assert (pair.position, pair.role) == ("pre-history", "user")
    assert tail.content.variants == {"": "Write lines only for this turn."}


def test_what_plugins_may_do_in_code(sample: Checkout) -> None:
    assert ("world.dimensions@1", "dimensions") in sample.plugins["world-init"].extensions
    assert sample.plugins["world-ir"].hooks == ("PostContextAssembly",)
    assert sample.plugins["narrator"].provides == ("narrative-engine@2",)
    concealed = sample.runtime("omens/quiet")
    assert concealed is not None
    assert concealed.concealed
    assert concealed.trigger == {"type": "scheduled", "interval": 2}
    function = sample.runtime("gossip/weaver")
    assert function is not None
    assert (function.type, function.body.variants) == ("function", {})


def test_worlds(sample: Checkout) -> None:
    ember = sample.worlds["emberwatch"]
    assert ember.default_locale == "zh-CN"
    assert ember.metadata["name"] == "余烬守望"
    assert ember.lore is not None
    assert ember.lore.variants[""].startswith("# 北岬与守望台\n")
    assert [entry["id"] for entry in ember.lorebook][:2] == ["ember-stone", "three-rules"]
    assert ember.lorebook[3]["keys"] == ["雾市", "裴九", "行商"]


def test_an_unknown_runtime_is_none(sample: Checkout) -> None:
    assert sample.runtime("narrator/other") is None
    assert sample.runtime("nobody") is None
    assert sample.copies("narrator") == (sample.plugins["narrator"],)
    assert sample.copies("nobody") == ()
