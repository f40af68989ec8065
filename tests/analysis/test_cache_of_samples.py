"""The cache report on the samples: predictions beside what the samples report, causes, boundaries, money."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from covel_inspector.analysis.cache_report import CacheReport, CacheRow, cache_report
from covel_inspector.analysis.causes import CauseKind
from covel_inspector.analysis.counters import engine_counter
from covel_inspector.analysis.prefix import PairKind
from covel_inspector.analysis.provider_tables import ProviderTables, default_tables
from covel_inspector.analysis.token_table import TokenTable, request_tokens
from covel_inspector.domain import Setter
from covel_inspector.engines import open_source

DATA = Path(__file__).parents[1] / "data"


@cache
def report(sample: str, runtime: str | None = None) -> CacheReport:
    source = open_source(str(DATA / f"{sample}.db"), str(DATA / "sample-root"))
    made = cache_report(source, source.sessions()[0].id, runtime)
    source.close()
    return made


def rows(sample: str) -> list[CacheRow]:
    return [row for runtime in report(sample).runtimes for row in runtime.rows]


def row_at(sample: str, runtime: str, turn: str, call: int = 0) -> CacheRow:
    return next(
        row
        for row in rows(sample)
        if (row.address.runtime, row.address.turn, row.address.call) == (runtime, turn, call)
    )


def test_predictions_for_emberwatch_are_within_one_boundary_of_what_is_reported() -> None:
    steps = [row.predicted.steps for row in rows("emberwatch") if row.predicted is not None]
    assert len(steps) == 163
    assert all(step is not None for step in steps)
    within = sum(1 for step in steps if step is not None and step <= 1)
    assert within / len(steps) >= 0.95
    exact = sum(1 for step in steps if step == 0)
    assert (within, exact) == (163, 162)


def test_the_one_prediction_that_is_a_boundary_off_is_a_depth_entrys() -> None:
    """In turn 17 a lorebook entry inside the history moves the mark in front of it: the sample counts up to this mark,
    the rule only up to what an earlier request had kept, which ends a message before."""
    (row,) = [row for row in rows("emberwatch") if row.predicted is not None and row.predicted.steps == 1]
    assert (row.address.runtime, row.address.turn) == ("narrator", "17")
    assert row.predicted is not None
    assert row.usage is not None
    assert row.usage.cached is not None
    assert 0 < row.usage.cached - row.predicted.cached < 50
    assert row.disagreement is None


def test_outliers_of_tidewater_are_explained() -> None:
    outliers = [row for row in rows("tidewater") if row.predicted is not None and (row.predicted.steps or 0) > 1]
    assert [(row.address.runtime, row.address.turn) for row in outliers] == [
        ("harbor-clerk/ledger", "2"),
        ("harbor-clerk/ledger", "4"),
    ]
    assert all("near the minimum" in str(row.disagreement) for row in outliers)
    assert all(row.disagreement is None for row in rows("tidewater") if row not in outliers)


def test_predictions_add_up_to_the_whole_input() -> None:
    for sample in ("emberwatch", "tidewater"):
        for row in rows(sample):
            if row.predicted is not None and row.usage is not None and row.usage.input:
                parts = (row.predicted.cached, row.predicted.written, row.predicted.uncached)
                assert min(parts) >= 0
                assert sum(parts) == row.usage.input, row.address


def test_each_call_has_a_row_and_first_requests_are_compared_with_the_turn_before() -> None:
    source = open_source(str(DATA / "emberwatch.db"))
    calls = source.calls(source.sessions()[0].id)
    source.close()
    assert {row.address for row in rows("emberwatch")} == {call.address for call in calls}
    narrator = next(one for one in report("emberwatch").runtimes if one.runtime == "narrator")
    turns = narrator.turns
    assert [row.address.turn for row in turns] == [str(number) for number in range(1, 25)]
    assert turns[0].against is None
    assert all(row.against == before.address for before, row in pairwise(turns))
    inner = [row for row in narrator.rows if row.kind is not PairKind.TURN]
    assert all(row.against is not None and row.against.turn == row.address.turn for row in inner)


def test_a_report_of_one_runtime_has_the_same_rows() -> None:
    whole = next(one for one in report("emberwatch").runtimes if one.runtime == "narrator")
    (alone,) = report("emberwatch", "narrator").runtimes
    assert alone == whole


def test_a_pause_and_a_short_request_are_told() -> None:
    assert row_at("emberwatch", "narrator", "21").cause.kind is CauseKind.EXPIRED
    assert row_at("emberwatch", "codex", "2").cause.kind is CauseKind.BELOW_MINIMUM
    lore = row_at("emberwatch", "narrator", "4")
    assert lore.cause.kind is CauseKind.LORE
    assert any("expired" in str(note) for note in lore.cause.notes)


def test_a_break_of_a_request_that_is_too_short_costs_nothing() -> None:
    row = row_at("emberwatch", "world-init/dimension-tracker", "7")
    assert (row.cause.kind, row.cause.tokens_lost) == (CauseKind.LORE, 0)
    assert row.cost is not None
    assert row.cost.lost == 0


def test_money_follows_what_was_reported() -> None:
    """Turn 2: 1513 tokens, 1091 read at $0.30, 422 written at $3.75 a million; nothing else."""
    cost = row_at("emberwatch", "narrator", "2").cost
    assert cost is not None
    assert cost.paid == pytest.approx((1091 * 0.30 + 422 * 3.75) / 1_000_000)
    assert cost.without_cache == pytest.approx(1513 * 3.00 / 1_000_000)
    assert cost.lost == 0
    broken = row_at("emberwatch", "narrator", "8").cost
    assert broken is not None
    assert broken.lost > 0


def test_without_prices_there_is_no_money_and_it_is_said() -> None:
    source = open_source(str(DATA / "tidewater.db"))
    tables = ProviderTables(default_tables().rules, ())
    made = cache_report(source, source.sessions()[0].id, "tide-narrator", tables=tables)
    source.close()
    assert all(row.cost is None for row in made.runtimes[0].rows)
    assert any("No price is known for gpt-5.2" in str(note) for note in made.notes)


def test_boundaries_and_their_readers() -> None:
    """Turn 4 of the narrator has two calls; marks on the preamble, the lorebook, the history's end and the end."""
    first, second = row_at("emberwatch", "narrator", "4"), row_at("emberwatch", "narrator", "4", 1)
    marks = [boundary for boundary in first.boundaries if boundary.setter is Setter.PROVIDER]
    assert len(marks) == 4
    assert [[(reader.turn, reader.call) for reader in boundary.readers] for boundary in marks] == [
        [("4", 1), ("5", 0)],
        [("4", 1), ("5", 0)],
        [("4", 1), ("5", 0)],
        [("4", 1)],
    ]
    assert not any(boundary.is_read for boundary in first.boundaries), "the cache had expired"
    assert [boundary.is_read for boundary in second.boundaries][:-1] == [True] * (len(second.boundaries) - 1)
    assert all(a.tokens <= b.tokens for a, b in pairwise(first.boundaries))


def test_boundaries_count_as_the_tree_does() -> None:
    row = row_at("emberwatch", "narrator", "13")
    source = open_source(str(DATA / "emberwatch.db"))
    tree = source.recorded(row.address)
    assert tree is not None
    table = TokenTable(tree, engine_counter(source.estimator_name, source.estimate), has_fixed=True)
    source.close()
    assert [one.tokens for one in row.boundaries] == [table.before(one.place) for one in tree.boundaries]
    assert row.boundaries[-1].tokens == request_tokens(tree, source.estimate)


def test_the_strip_is_as_long_as_its_blocks_and_shares_a_part() -> None:
    for row in rows("emberwatch"):
        total = sum(block.tokens for block in row.strip)
        assert 0 <= row.strip_shared <= total
        assert row.strip_shared == 0 or row.against is not None
    growing = row_at("emberwatch", "narrator", "4", 1)
    assert growing.strip_shared > 0.9 * sum(block.tokens for block in growing.strip)


def test_concealed_calls_are_rows_without_a_tree() -> None:
    row = row_at("tidewater", "omens/quiet", "4")
    assert (row.cause.kind, row.strip, row.boundaries, row.predicted) == (CauseKind.CONCEALED, (), (), None)


def test_progress_is_told_after_each_request_and_can_stop_the_work() -> None:
    class StoppedError(Exception):
        pass

    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 3:
            raise StoppedError

    source = open_source(str(DATA / "tidewater.db"))
    session = source.sessions()[0].id
    total = len(source.calls(session))
    with pytest.raises(StoppedError):
        cache_report(source, session, progress=stop)
    source.close()
    assert seen == [(1, total), (2, total), (3, total)]
