"""What the Cache panel says: every headline, and figures that are named for what they are."""

from dataclasses import replace

import pytest
from fake_source import CHINESE, ENGLISH, fake_source

from covel_inspector.analysis.cache_report import cache_report
from covel_inspector.analysis.cache_rows import BoundaryReading, CacheReport, CacheRow, Cost, Prediction, RuntimeCache
from covel_inspector.analysis.causes import Cause, CauseKind
from covel_inspector.analysis.prefix import PairKind
from covel_inspector.app.panels.cache_content import FIGURES, CacheContent, cache_content, headings, same_cause
from covel_inspector.app.panels.cache_words import (
    boundaries_told,
    boundary_line,
    cause_name,
    cost,
    headline,
    measured,
    money,
    predicted,
    reported,
)
from covel_inspector.app.picking import Lists
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Address, Setter, Usage, plain

HERE = Address("watch", "12", "narrator", 0)


def row(because: CauseKind = CauseKind.LORE, **fields: object) -> CacheRow:
    """Turn 12 shares 3 079 of 8 214 tokens."""
    made = CacheRow(
        address=HERE,
        kind=PairKind.TURN,
        against=replace(HERE, turn="11"),
        model="m",
        provider="p",
        protocol="anthropic-messages-v1",
        started_at="",
        tokens=8214,
        shared=3079,
        cause=Cause(because, plain("A lorebook entry fired."), "lore:tide", plain("Lore · 潮汐表")),
    )
    return replace(made, **fields)  # type: ignore[arg-type]  # Fields of CacheRow by name, as a test gives them.


def english(text: str) -> str:
    return text.replace("\u202f", " ")


def test_the_headline_names_the_place_of_a_break() -> None:
    assert english(str(headline(row()))) == "Turn 12 breaks after 3 079 of 8 214 tokens, in Lore · 潮汐表"
    nameless = row(cause=Cause(CauseKind.UNKNOWN, plain("?")))
    assert english(str(headline(nameless))) == "Turn 12 breaks after 3 079 of 8 214 tokens"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (CauseKind.FIRST_CALL, "is the first request of narrator"),
        (CauseKind.HELD, "repeats the request before it and goes on"),
        (CauseKind.TURN_CONTEXT, "as meant"),
        (CauseKind.TOOL_LOOP, "breaks after"),
        (CauseKind.CONCEALED, "is concealed"),
        (CauseKind.MODEL, "no cache was there"),
        (CauseKind.EXPIRED, "no cache was there"),
        (CauseKind.RELAY, "no cache was there"),
        (CauseKind.HISTORY_EDITED, "breaks after"),
    ],
)
def test_every_class_of_cause_has_a_headline_of_its_own(kind: CauseKind, words: str) -> None:
    assert words in str(headline(row(kind)))


def test_a_cause_that_is_only_likely_says_so() -> None:
    guess = row(cause=replace(row().cause, is_guess=True))
    assert str(cause_name(guess)) == "lorebook entry, likely"


def test_a_later_call_is_named_by_its_number() -> None:
    step = row(CauseKind.HELD, kind=PairKind.STEP, address=replace(HERE, call=1))
    assert str(headline(step)).startswith("Turn 12, call 2 repeats")


def test_measured_reported_and_predicted_are_never_mixed() -> None:
    full = row(
        usage=Usage(8300, 200, 3072, 5142),
        predicted=Prediction(3079, 5100, 35, 0, plain("rule"), plain("why")),
        cost=Cost(0.025, 0.04, 0.014, "$", plain("reported"), plain("list")),
    )
    assert english(str(measured(full))) == "measured: 3 079 of 8 214 tokens shared (37 %, estimated)"
    assert english(str(reported(full))) == "reported by the provider: 3 072 read, 5 142 written, of 8 300"
    assert english(str(predicted(full))) == "predicted by its rules: 3 079 read, 5 100 written, 35 neither"
    assert english(str(cost(full))) == "price of the input: about 0.0250 $, of which 0.0140 $ for the break"
    concealed = row(CauseKind.CONCEALED, tokens=0, shared=0)
    assert str(measured(concealed)) == "measured: –"
    silent = row(usage=Usage(8300, 200))
    assert "reported nothing" in str(reported(silent))
    assert predicted(silent) is None
    assert cost(silent) is None
    assert str(reported(row(usage=Usage(cached=7)))) == "reported by the provider: 7 read"
    held = row(cost=Cost(0.02, 0.04, 0.0, "$", plain("x"), plain("list")))
    assert english(str(cost(held))) == "price of the input: about 0.0200 $, 0.0400 $ without a cache"
    dearer = row(cost=Cost(0.017, 0.0136, 0.0, "$", plain("x"), plain("list")))
    assert english(str(cost(dearer))).endswith("without a cache: writing into a cache costs more than plain input")


def test_money_shows_the_figures_that_count() -> None:
    assert [english(money(amount, "CNY")) for amount in (0.0, 0.01374, 12.5)] == ["0.00 CNY", "0.0137 CNY", "12.50 CNY"]


def test_a_boundary_says_who_set_it_and_who_reads_it() -> None:
    reading = BoundaryReading(
        3, Setter.PROVIDER, 2911, plain("note"), is_read=True, readers=(replace(HERE, turn="13"),)
    )
    told = english(str(boundary_line(reading)))
    assert told == "Boundary 3: 2 911 tokens before it · provider · read by this call · readable by turn 13, call 1"
    alone = str(boundary_line(replace(reading, is_read=False, readers=())))
    assert "not read by this call · no later call begins like this" in alone


def test_boundaries_name_the_estimate_they_are_counted_by() -> None:
    reading = BoundaryReading(1, Setter.ENGINE, 5, plain("note"))
    report = CacheReport("s", (), plain("measured"), boundary_estimator="Covel estimate")
    told = [str(sentence) for sentence in boundaries_told(row(boundaries=(reading,)), report)]
    assert told == ["Boundaries, as Structure counts: Covel estimate", str(boundary_line(reading))]
    assert list(boundaries_told(row(), report)) == []


def content_of(session: str, runtime: str = "narrator") -> CacheContent:
    source = fake_source()
    found = next(one for one in source.sessions() if one.id == session)
    lists = Lists.of(found, source.turns(session), source.calls(session))
    return cache_content(cache_report(source, session), runtime, lists, Wording("en"))


def test_columns_are_turns_and_rows_are_requests() -> None:
    content = content_of(ENGLISH)
    assert [(column.turn, column.row is not None) for column in content.columns] == [
        ("1", True),
        ("2", True),
        ("3", False),
    ]
    assert content.column_of("2") == 1
    assert content.column_of("2+1") == -1
    assert content.columns[2].tip == "Turn 3: narrator made no call"
    assert "breaks after" in content.columns[1].tip
    assert [one.cells[0] for one in content.table] == ["Turn 1", "Turn 2", "Turn 2, call 2"]
    assert content.tallest == max(one.row.tokens for one in content.table)
    assert set(content.by_address) == {one.row.address for one in content.table}


def test_the_table_has_a_cell_for_each_heading() -> None:
    names = headings(Wording("en"))
    for one in content_of(CHINESE).table:
        assert len(one.cells) == len(names)
    shown = dict(zip(names, content_of(CHINESE).table[1].cells, strict=True))
    assert shown["Reported read"] == "640"
    assert shown["Predicted read"] == "–"
    assert shown["Cause"] == "lorebook entry"
    assert [name for number, name in enumerate(names) if number not in FIGURES] == ["Request", "Cause", "Segment"]


def test_a_retry_says_so_and_an_unknown_runtime_has_no_columns() -> None:
    again = row(kind=PairKind.RETRY, address=replace(HERE, call=1))
    source = fake_source()
    lists = Lists.of(source.sessions()[0], source.turns(ENGLISH), source.calls(ENGLISH))
    report = CacheReport("watch", (RuntimeCache("narrator", "p", (again,)),), plain("estimate"))
    assert cache_content(report, "narrator", lists, Wording("en")).table[0].cells[0] == "Turn 12, call 2 (again)"
    assert cache_content(report, "painter", lists, Wording("en")).columns == ()


def test_the_same_cause_is_the_same_class_and_segment() -> None:
    content = content_of(CHINESE)
    lore = content.table[1].row
    assert [one.row.address.turn for one in content.with_cause(same_cause(lore))] == ["2"]
