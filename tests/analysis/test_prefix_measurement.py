"""The prefix measurement: values derived by hand, an independent count for random requests, and the samples."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covel_inspector.analysis.prefix import PairKind, PrefixEntry, Size, first_difference, measure, size_of
from covel_inspector.analysis.prefix_shelf import Shelf
from covel_inspector.domain import MeasuredPart, MeasuredRequest
from covel_inspector.engines import open_source

DATA = Path(__file__).parents[1] / "data"


def request(turn: str, *texts: str, runtime: str | None = "narrator", **fields: object) -> MeasuredRequest:
    parts = tuple(MeasuredPart(f"message {number} (user)", text) for number, text in enumerate(texts, 1))
    made = MeasuredRequest("s", runtime, turn, f"row-{turn}", parts=parts, execution=f"run-{turn}")
    return replace(made, **fields)  # type: ignore[arg-type]  # Fields by name, as a test gives them.


def only(requests: Sequence[MeasuredRequest], **options: bool) -> PrefixEntry:
    (entry,) = measure(requests, **options)
    return entry


# By hand.


def test_a_pair_that_grows() -> None:
    """Before: 6 + 7 characters. Now: the same and 5 more: 18, of which 13 are shared.

    No character is dense, so tokens are 18 / 4 = 4.5, rounded up to 5, and 13 / 4 = 3.25, rounded to 3. The later
    request has a part that the earlier one lacks: the difference is at its first character.
    """
    (pair,) = only([request("1", "Rules.", "Go in.\n"), request("2", "Rules.", "Go in.\n", "Wait.")]).pairs
    assert (pair.size, pair.tokens, pair.shared, pair.shared_tokens) == (18, 5, 13, 3)
    assert (pair.first_difference, pair.offset) == ("message 3 (user)", 0)
    assert (pair.was, pair.now) == ("(no such part)", "Wait.")


def test_a_pair_with_dense_text_and_a_difference_inside() -> None:
    """Now: "灯还亮着。" (5 characters; the full stop U+3002 is dense as well) and "ab🔥d" (5 units).

    Shared: 5 and then "ab" and the first half of the fire, which is the first half of the wave too: 8 units.
    Tokens: all 5 + (10 - 5) / 4 = 6.25 -> 6; shared 5 + (8 - 5) / 4 = 5.75 -> 6.
    Surroundings: everything, since 40 units before and 80 behind reach over both texts.
    """
    (pair,) = only([request("1", "灯还亮着。", "ab🔊"), request("2", "灯还亮着。", "ab🔥d")]).pairs
    assert (pair.size, pair.tokens, pair.shared, pair.shared_tokens) == (10, 6, 8, 6)
    assert (pair.first_difference, pair.offset) == ("message 2 (user)", 3)
    assert (pair.was, pair.now) == ("ab🔊", "ab🔥d")


def test_surroundings_are_cut_by_units() -> None:
    """100 equal units, then the difference. Shown from unit 60 (100 - 40), the second half of a fire, to 180."""
    same = "x" * 59 + "🔥" + "y" * 39
    (pair,) = only([request("1", same + "old" + "o" * 100), request("2", same + "new" + "n" * 100)]).pairs
    assert pair.offset == 100
    assert pair.was == "\udd25" + "y" * 39 + "old" + "o" * 77
    assert pair.now == "\udd25" + "y" * 39 + "new" + "n" * 77


def test_a_pair_that_is_the_same_and_one_that_ends_earlier() -> None:
    """Nothing differs in what the later request has, so there are no surroundings; 4 / 4 = 1 token each."""
    entry = only([request("1", "ab", "cd"), request("2", "ab", "cd"), request("3", "ab")])
    same, shorter = entry.pairs
    assert (same.first_difference, same.offset, same.shared, same.shared_tokens) == ("(identical)", 0, 4, 1)
    assert (shorter.first_difference, shorter.shared, shorter.shared_tokens) == ("(request ends earlier)", 2, 1)
    assert (same.was, same.now, shorter.was, shorter.now) == (None, None, None, None)


def test_labels_are_not_compared_and_borders_count() -> None:
    """The joined texts are the same, but the first parts are not: 2 units are shared, as in "ab" and "abc"."""
    (pair,) = only([request("1", "ab", "cd"), request("2", "abc", "d")]).pairs
    assert (pair.shared, pair.first_difference, pair.offset) == (2, "message 1 (user)", 2)


def test_a_turn_opens_when_its_id_is_not_the_last_one() -> None:
    entry = only([request(turn, "x" * size) for turn, size in (("A", 1), ("A", 2), ("B", 4), ("A", 8))])
    assert (entry.turns, entry.calls, entry.total_chars, entry.first_request_chars) == (3, 4, 15, [1, 4, 8])
    assert [pair.shared for pair in entry.pairs] == [1, 4], "only first requests of turns are compared"


def test_entries_come_in_order_of_first_appearance_and_may_have_no_name() -> None:
    entries = measure([request("1", "a", runtime="b"), request("1", "a", runtime=None), request("2", "a", runtime="b")])
    assert [(entry.runtime, entry.calls) for entry in entries] == [("b", 2), (None, 1)]


def test_requests_inside_a_turn_are_pairs_of_their_own() -> None:
    requests = [
        request("1", "a"),
        request("1", "a", "b", row="step"),
        request("1", "a", "b", "c", row="retry", attempt=1),
        request("1", "a", row="rerun", execution="another"),
        request("2", "a", "d"),
    ]
    entry = only(requests, with_inner=True)
    assert [(pair.kind, pair.row_before, pair.row) for pair in entry.inner] == [
        (PairKind.STEP, "row-1", "step"),
        (PairKind.RETRY, "step", "retry"),
        (PairKind.RERUN, "retry", "rerun"),
    ]
    assert [(pair.row_before, pair.row) for pair in entry.pairs] == [("row-1", "row-2")]
    assert only(requests).inner == []


def test_marks_count_as_text_unless_they_are_left_out() -> None:
    marked = MeasuredPart("message 1 (user)", '{"t":"a","cache_control":{}}', '{"t":"a"}', (9,))
    before = request("1", parts=(marked,))
    now = request("2", '{"t":"a"}', "b")
    assert only([before, now]).pairs[0].offset == 8
    pair = only([before, now], ignore_marks=True).pairs[0]
    assert (pair.first_difference, pair.shared, pair.size) == ("message 2 (user)", 9, 10)


@pytest.mark.parametrize(
    ("text", "units", "dense"),
    [
        ("", 0, 0),
        ("abc", 3, 0),
        ("é", 1, 0),
        ("\u2e7f\u2e80\u9fff\ua000", 4, 2),
        ("\uabff\uac00\ud7af\ud7b0", 4, 2),
        ("\uf8ff\uf900\ufaff\ufb00", 4, 2),
        ("\uff01", 1, 0),
        ("𠮷🔥", 4, 0),
        ("\ud83d中", 2, 1),
    ],
)
def test_what_is_dense(text: str, units: int, dense: int) -> None:
    assert size_of(text) == Size(units, dense)


# Against an independent count, unit by unit.

texts = st.text(st.sampled_from("ab中。🔥🔊𠮷\ud83d\u2e80\u2e7f\ud7b0é"), max_size=8)
rows = st.lists(st.lists(texts, max_size=4), min_size=2, max_size=5)


def units_of(text: str) -> list[int]:
    data = text.encode("utf-16-be", "surrogatepass")
    return [data[index] << 8 | data[index + 1] for index in range(0, len(data), 2)]


def tokens_of(units: Sequence[int]) -> int:
    text = b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be", "surrogatepass")
    dense = sum(
        1 for one in text if "\u2e80" <= one <= "\u9fff" or "\uac00" <= one <= "\ud7af" or "\uf900" <= one <= "\ufaff"
    )
    return int(dense + (len(units) - dense) / 4 + 0.5)


def counted(before: Sequence[str], now: Sequence[str]) -> tuple[int, int]:
    """Shared units, and the offset in the part where they end."""
    shared = 0
    for number, text in enumerate(now):
        old, new = units_of(before[number]) if number < len(before) else [], units_of(text)
        same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        if old == new and number < len(before):
            shared += same
            continue
        return shared + same, same
    return shared, 0


@given(rows)
def test_figures_are_those_of_a_plain_count(requests: list[list[str]]) -> None:
    # JSON joins halves that stand side by side before anything is measured.
    whole = [
        [text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") for text in row] for row in requests
    ]
    entry = only([request(str(turn), *row) for turn, row in enumerate(whole)])
    assert entry.first_request_chars == [sum(len(units_of(text)) for text in row) for row in whole]
    for before, now, pair in zip(whole, whole[1:], entry.pairs, strict=False):
        joined = [unit for text in now for unit in units_of(text)]
        shared, offset = counted(before, now)
        assert (pair.shared, pair.offset) == (shared, offset)
        assert (pair.size, pair.tokens, pair.shared_tokens) == (
            len(joined),
            tokens_of(joined),
            tokens_of(joined[:shared]),
        )
        assert (pair.was is None) == (pair.first_difference in ("(identical)", "(request ends earlier)"))


@given(rows)
def test_shared_text_is_no_longer_than_either_request_and_a_request_shares_all_of_itself(
    requests: list[list[str]],
) -> None:
    for before, now in pairwise(requests):
        sizes = [size_of(text) for text in now]
        found = first_difference(before, now, sizes)
        assert found.shared <= min(sum(size.units for size in sizes), sum(size_of(text).units for text in before))
        assert first_difference(now, now, sizes).index is None


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(texts, max_size=3)), max_size=12), st.integers(0, 10))
def test_a_shelf_gives_back_what_was_put_there(puts: list[tuple[int, list[str]]], limit: int) -> None:
    shelf, expected = Shelf(limit), {}
    for key, row in puts:
        shelf.put(key, tuple(row), sum(map(len, row)))
        expected[key] = tuple(row)
    assert {key: shelf.get(key) for key in expected} == expected
    assert shelf.get("never") == ()


# The samples.


@pytest.fixture(params=["emberwatch", "tidewater"])
def sample(request: pytest.FixtureRequest) -> Iterator[tuple[Path, list[PrefixEntry]]]:
    path = DATA / f"{request.param}.db"
    source = open_source(str(path))
    yield path, measure(source.measured())
    source.close()


def plain_parts(payload: dict[str, Any]) -> list[str]:
    """The parts of the two protocols of the samples, written down once more and without anything clever."""
    requests = payload.get("providerRequests") or []
    body = next((one["body"] for one in requests if one.get("body")), {})
    elements = [*(body.get("tools") or payload["tools"]), *(body.get("system") or [])]
    texts = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in elements]
    for message in body.get("messages") or payload["messages"]:
        content = message["content"]
        texts.append(
            content if isinstance(content, str) else json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        )
    return texts


def test_samples_agree_with_a_plain_reading_of_the_database(sample: tuple[Path, list[PrefixEntry]]) -> None:
    path, entries = sample
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    statement = (
        "SELECT session_id, turn_id, payload FROM trace_events WHERE type = 'llm.calling' ORDER BY created_at, seq"
    )
    requests: dict[tuple[str, str], list[tuple[str, list[str]]]] = {}
    for session, turn, text in connection.execute(statement):
        payload = json.loads(text)
        requests.setdefault((session, payload["runtimeId"]), []).append((turn, plain_parts(payload)))
    connection.close()
    assert [(entry.session, entry.runtime) for entry in entries] == list(requests)
    for entry, calls in zip(entries, requests.values(), strict=True):
        firsts = [parts for number, (turn, parts) in enumerate(calls) if not number or calls[number - 1][0] != turn]
        assert entry.calls == len(calls)
        assert entry.total_chars == sum(len(units_of(text)) for _, parts in calls for text in parts)
        assert entry.first_request_chars == [sum(len(units_of(text)) for text in parts) for parts in firsts]
        for before, now, pair in zip(firsts, firsts[1:], entry.pairs, strict=False):
            joined = [unit for text in now for unit in units_of(text)]
            assert (pair.shared, pair.offset) == counted(before, now)
            assert (pair.tokens, pair.shared_tokens) == (tokens_of(joined), tokens_of(joined[: pair.shared]))


def entry_of(name: str, runtime: str) -> PrefixEntry:
    source = open_source(str(DATA / f"{name}.db"))
    found = next(entry for entry in measure(source.measured()) if entry.runtime == runtime)
    source.close()
    return found


def test_the_ledger_of_tidewater_by_hand() -> None:
    """Turn 2: four tools of 356, 220, 273 and 212 units (1061), the system prompt (992) and the example (73) are the
    same: 2126. The next message was the turn context and is now the player's old line: nothing of it is shared.
    The later request has 9 messages: 1061 + 992 + 73 + 60 + 332 + 251 + 66 + 317 + 97 + 31 = 3280 units, all Latin:
    820 tokens, and 2126 / 4 = 531.5 -> 532 of them shared.

    Turn 3: the lorebook entry "storm" comes in at unit 872 of the system prompt: 1061 + 872 = 1933 are shared,
    1933 / 4 = 483.25 -> 483 tokens. All: 1061 + 1087 + 73 + 66 + 317 + 25 + 302 + 92 + 307 + 97 + 31 = 3458,
    and 3458 / 4 = 864.5 -> 865.
    """
    first, second = entry_of("tidewater", "harbor-clerk/ledger").pairs[:2]
    assert (first.size, first.tokens, first.shared, first.shared_tokens) == (3280, 820, 2126, 532)
    assert (first.first_difference, first.offset) == ("message 3 (user)", 0)
    assert first.now == "I climb the harbor stair and knock on the chalk office door."
    assert (second.size, second.tokens, second.shared, second.shared_tokens) == (3458, 865, 1933, 483)
    assert (second.first_difference, second.offset) == ("message 1 (system)", 872)


def test_the_narrator_of_emberwatch_by_hand() -> None:
    """Turn 2: tools of 181 + 205 + 212 = 598 units and four system blocks of 203 + 352 + 483 + 421 = 1459 are the same,
    and two more units: the fifth block of the system prompt began with {" too: 2059.

    Turn 3 repeats the player's first line as well (72 units, unmarked in both): 2129 = 598 + 1459 + 72. Then the
    story's first answer (229 units with its mark, which is behind its text) is the same up to the mark: 189 units
    more, so 2318; the mark itself, now gone, is the difference.
    """
    first, second = entry_of("emberwatch", "narrator").pairs[:2]
    assert (first.shared, first.first_difference, first.offset) == (2059, "message 1 (user)", 2)
    assert (second.shared, second.first_difference, second.offset) == (2318, "message 2 (assistant)", 189)
    assert second.was is not None
    assert second.now is not None
    assert second.was.endswith('"cache_control":{"type":"ephemeral"}}]}')
    assert second.now.endswith('"}]}')


def test_without_marks_the_narrators_story_is_shared() -> None:
    """As above without marks: 598 + 1459 - 74 (two marks of 37 units) + 72 + 192 (the answer) = 2247.

    The next message was the turn context and is now the player's second line; both begin with
    {"role":"user","content":[{"type":"text","text":" and then differ.
    """
    source = open_source(str(DATA / "emberwatch.db"))
    entry = next(one for one in measure(source.measured(), ignore_marks=True) if one.runtime == "narrator")
    source.close()
    beginning = '{"role":"user","content":[{"type":"text","text":"'
    assert (entry.pairs[1].first_difference, entry.pairs[1].offset) == ("message 3 (user)", len(beginning))
    assert entry.pairs[1].shared == 2247 + len(beginning)
