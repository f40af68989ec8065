"""Predictions of what a provider's cache reads, on requests made by hand."""

from dataclasses import replace

import pytest

from covel_inspector.analysis.cache import CacheSimulation, Forecast, seconds
from covel_inspector.analysis.provider_tables import CachingRule, Fit, ProviderTables, Strategy
from covel_inspector.domain import MeasuredPart, MeasuredRequest

ANY = Fit(models=("*",))
MARKS = CachingRule(ANY, Strategy.MARKS, "made up", "2026", minimum=100, lifetime=300, lookback=3)
PREFIX = CachingRule(ANY, Strategy.PREFIX, "made up", "2026", minimum=100, step=16, lifetime=600)

FORTY = "x" * 160
"""A text of 40 tokens by the estimate."""


def request(minute: float, *parts: str, model: str = "m", runtime: str = "narrator") -> MeasuredRequest:
    """A request at a minute of an hour; a text that ends with ``|`` has a cache mark there."""
    made = []
    for number, text in enumerate(parts, 1):
        bare = text.removesuffix("|")
        marks = (len(bare),) if text.endswith("|") else ()
        made.append(MeasuredPart(f"message {number} (user)", text, bare if marks else None, marks, "user"))
    whole = int(minute)
    at = f"2026-11-01T10:{whole:02}:{round((minute - whole) * 60):02}.000Z"
    return MeasuredRequest(
        "s", runtime, f"turn-{minute}", "row", started_at=at, model=model, provider="p", parts=tuple(made)
    )


def run(rule: CachingRule, *requests: MeasuredRequest) -> list[Forecast]:
    simulation = CacheSimulation(ProviderTables((rule,), ()))
    forecasts = [simulation.add(one) for one in requests]
    assert all(forecast is not None for forecast in forecasts)
    return [forecast for forecast in forecasts if forecast is not None]


def figures(forecasts: list[Forecast]) -> list[tuple[int, int, int]]:
    return [(forecast.whole, forecast.read, forecast.kept) for forecast in forecasts]


def test_what_stands_before_a_mark_is_kept_and_read_again() -> None:
    rules, more, last = FORTY + FORTY + FORTY + "|", FORTY, FORTY + "|"
    forecasts = run(MARKS, request(0, rules, more, last), request(1, rules, more, last, FORTY + "|"))
    assert figures(forecasts) == [(200, 0, 200), (240, 200, 240)]
    assert forecasts[1].pause == 60


def test_without_a_mark_near_enough_nothing_is_found() -> None:
    """The first request is kept up to its second part; the later one's mark is four parts behind that."""
    first = request(0, FORTY * 3, FORTY + "|")
    near = request(1, FORTY * 3, FORTY, "a", "b", "c|")
    far = request(1, FORTY * 3, FORTY, "a", "b", "c", "d|")
    assert run(MARKS, first, near)[1].read == 160
    assert run(MARKS, first, far)[1].read == 0


def test_a_change_before_the_mark_costs_everything_behind_it() -> None:
    first = request(0, FORTY * 3 + "|", FORTY, FORTY + "|")
    second = request(1, FORTY * 3 + "|", FORTY + "!", FORTY + "|")
    assert figures(run(MARKS, first, second))[1] == (200, 120, 200)


def test_what_is_shorter_than_the_minimum_is_not_kept() -> None:
    forecasts = run(MARKS, request(0, FORTY + "|", FORTY + "|"), request(1, FORTY + "|", FORTY + "|"))
    assert figures(forecasts) == [(80, 0, 0), (80, 0, 0)]
    assert "100" in str(forecasts[0].why)


def test_minimums_are_compared_in_the_providers_scale() -> None:
    """80 tokens by the estimate, but the provider counted 120."""
    simulation = CacheSimulation(ProviderTables((MARKS,), ()))
    forecast = simulation.add(request(0, FORTY + "|", FORTY + "|"), 120)
    assert forecast is not None
    assert forecast.kept == 80
    assert forecast.scaled(forecast.kept, 120) == 120


def test_what_is_kept_expires_unless_it_is_used() -> None:
    text = FORTY * 3 + "|"
    used = [request(minute, text) for minute in (0, 4, 8, 12)]
    assert [forecast.read for forecast in run(MARKS, *used)] == [0, 120, 120, 120]
    forecasts = run(MARKS, request(0, text), request(6, text))
    assert forecasts[1].read == 0
    assert "6 minutes" in str(forecasts[1].why)


def test_models_do_not_read_what_others_kept_but_runtimes_do() -> None:
    text = FORTY * 3 + "|"
    other_model = run(MARKS, request(0, text), request(1, text, model="n"))
    other_runtime = run(MARKS, request(0, text), request(1, text, runtime="guide"))
    assert (other_model[1].read, other_runtime[1].read) == (0, 120)
    assert other_runtime[1].pause is None, "the guide had no call before"


def test_a_body_without_marks_keeps_nothing() -> None:
    forecasts = run(MARKS, request(0, FORTY * 3), request(1, FORTY * 3))
    assert figures(forecasts)[1] == (120, 0, 0)
    assert "no cache mark" in str(forecasts[1].why)


def test_a_mark_inside_a_message() -> None:
    """Kept up to the mark in the middle of the part (100 of its 120 tokens)."""
    part = MeasuredPart("message 1 (user)", "", "y" * 480, (400,), "user")
    first, second = request(0, "z"), request(1, "z")
    changed = replace(part, unmarked="y" * 400 + "n" * 80)
    forecasts = run(MARKS, replace(first, parts=(part,)), replace(second, parts=(changed,)))
    assert figures(forecasts) == [(120, 0, 100), (120, 100, 100)]


def test_roles_are_part_of_the_prefix() -> None:
    first, second = request(0, FORTY * 3 + "|"), request(1, FORTY * 3 + "|")
    other = replace(second, parts=(replace(second.parts[0], role="assistant"),))
    assert run(MARKS, first, other)[1].read == 0


def test_pictures_count_as_tokens() -> None:
    first = request(0, FORTY * 3 + "|")
    pictured = replace(first, parts=(replace(first.parts[0], pictures=2),))
    assert run(MARKS, pictured)[0].whole == 120 + 2 * MARKS.picture_tokens


def test_a_common_beginning_is_read_in_whole_steps() -> None:
    """120 + 20 tokens are the same: 140, of which 8 steps of 16 are read."""
    first = request(0, FORTY * 3, "x" * 80 + "old")
    second = request(1, FORTY * 3, "x" * 80 + "new!")
    assert run(PREFIX, first, second)[1].read == 128


def test_the_longest_common_beginning_counts_if_it_is_recent() -> None:
    long, short = request(0, FORTY * 4), request(5, FORTY * 3)
    assert [forecast.read for forecast in run(PREFIX, long, short, request(6, FORTY * 4))] == [0, 112, 160]
    forecasts = run(PREFIX, long, short, request(13, FORTY * 4))
    assert forecasts[2].read == 112
    assert run(PREFIX, long, request(13, FORTY * 4))[1].read == 0


def test_an_old_beginning_is_told_to_be_old() -> None:
    forecasts = run(PREFIX, request(0, FORTY * 4), request(13, FORTY * 4))
    assert "older than the 10 minutes" in str(forecasts[1].why)


def test_a_beginning_below_the_minimum_is_not_read() -> None:
    forecasts = run(PREFIX, request(0, FORTY, "a"), request(1, FORTY, "b"))
    assert forecasts[1].read == 0
    assert "below 100" in str(forecasts[1].why)


def test_an_unknown_minimum_predicts_nothing() -> None:
    forecasts = run(replace(PREFIX, minimum=None), request(0, FORTY * 4), request(1, FORTY * 4))
    assert forecasts[1].read == 0
    assert "not known" in str(forecasts[1].why)


def test_a_model_without_a_cache() -> None:
    none = CachingRule(ANY, Strategy.NONE, "made up", "2026")
    assert figures(run(none, request(0, FORTY), request(1, FORTY)))[1] == (40, 0, 0)


def test_without_a_rule_or_a_time_there_is_no_forecast() -> None:
    assert CacheSimulation(ProviderTables((), ())).add(request(0, "a")) is None
    assert CacheSimulation(ProviderTables((MARKS,), ())).add(replace(request(0, "a"), started_at="")) is None


def test_an_empty_request() -> None:
    assert figures(run(MARKS, request(0), request(1)))[1] == (0, 0, 0)
    assert figures(run(PREFIX, request(0), request(1)))[1] == (0, 0, 0)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01"])
def test_times_that_are_none(text: str) -> None:
    assert seconds(text) is None
