"""Limits of a call, from figures and never from words."""

import pytest

from covel_inspector.engines.covel.rebuild.limits import Target, known_limit, overflows, parse_overflow
from covel_inspector.engines.covel.records.manifests import SlotLimits
from covel_inspector.engines.covel.records.rows import TurnResultRow

TEXT = (
    "[provider: p, model: m-2, slot: story] overflow: narrator needs 2125 input tokens, limit 1280 "
    "(fixed=670, system=532, tools=122, responseFormat=0, messages=1455, toolResultSaved=0, summarySaved=0)"
)


def test_reads_the_figures_whatever_the_words() -> None:
    found = parse_overflow(TEXT)
    assert found is not None
    assert (found.slot, found.model, found.estimated, found.limit) == ("story", "m-2", 2125, 1280)
    other_words = TEXT.replace("needs 2125 input tokens, limit 1280", "上限 1280，估计 2125")
    again = parse_overflow(other_words)
    assert again is not None
    assert again.limit == 1280


@pytest.mark.parametrize(
    "text",
    [
        "",
        "context overflow",
        TEXT.replace("fixed=670", "fixed=671"),
        TEXT.replace("limit 1280", "limit"),
        TEXT.replace("limit 1280", "limit 3000"),
        TEXT.replace("[provider: p, model: m-2, slot: story]", ""),
        TEXT.replace("limit 1280", "limit 1280 of 1400"),
    ],
)
def test_doubtful_texts_name_no_limit(text: str) -> None:
    assert parse_overflow(text) is None


def test_files_come_before_overflows() -> None:
    result = TurnResultRow(id="r", session_id="s", turn_id="t", runtime_results=({"error": TEXT}, {"error": 5}, {}))
    seen = overflows([result])
    assert len(seen) == 1
    slots = {"story": SlotLimits("story", window=9000, reserve=1000)}
    from_files = known_limit(Target("story", "m-2", None), slots, seen)
    assert from_files is not None
    assert from_files.input_limit == 8000
    assert not from_files.taken
    recorded_reserve = known_limit(Target("story", "m-2", 500), slots, seen)
    assert recorded_reserve is not None
    assert recorded_reserve.input_limit == 8500
    from_text = known_limit(Target("story", "m-2", 700), {}, seen)
    assert from_text is not None
    assert from_text.input_limit == 1280
    assert known_limit(Target("story", "another", 700), {}, seen) is None
    assert known_limit(Target("fast", "m-2", 700), {}, seen) is None
