"""Every break between two turns of the samples has a cause, and it names the segment that the truth files name."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.analysis.causes import Cause, CauseKind, Side, find_cause
from covel_inspector.domain import Call, Source
from covel_inspector.engines import open_source

DATA = Path(__file__).parents[1] / "data"
SAMPLES = ["emberwatch", "tidewater"]

Message = tuple[str, list[tuple[str, str]]]
"""A role, and stretches of the text with the name of what stands there (empty between segments)."""


@cache
def truth(sample: str) -> dict[str, dict[str, Any]]:
    """Calls of the truth file by the id of their row."""
    calls = json.loads((DATA / f"{sample}.truth.json").read_text(encoding="utf-8"))["calls"]
    return {call["event"]: call for call in calls}


@cache
def recorded(sample: str) -> dict[str, dict[str, Any]]:
    """Payloads by the id of their row."""
    uri = f"{(DATA / f'{sample}.db').as_uri()}?mode=ro&immutable=1"
    connection = sqlite3.connect(uri, uri=True)
    rows = connection.execute("SELECT id, payload FROM trace_events WHERE type = 'llm.calling'").fetchall()
    connection.close()
    return {row: json.loads(payload) for row, payload in rows}


def name_of(span: dict[str, Any]) -> str:
    """The key that a tree gives to what a span is."""
    kind = span["kind"]
    if kind in ("segment", "segment-depth", "pre-history", "post-history"):
        return f"segment:{span['provider']}/{span['id']}"
    if kind in ("lore", "lore-depth"):
        return f"lore:{span['entry']}" if span["owner"] == "world" else f"lore:{span['owner']}/{span['entry']}"
    named = {"history": "history:{row}", "picture-note": "note:{row}", "self-data": "own-data:{tag}"}
    if kind in named:
        return named[kind].format(**span)
    names = {"cache-mark": "", "current": "player-line", "available-events": "events", "runtime-inputs": "inputs"}
    return names.get(kind, kind)


def messages(sample: str, row: str) -> list[Message]:
    """The kernel messages of a call, cut where the truth file cuts them."""
    call = truth(sample)[row]
    found: list[Message] = []
    for message, told in zip(recorded(sample)[row]["messages"], call["messages"], strict=True):
        content = message["content"]
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        spans = call["system"] if told["kind"] == "system" else told.get("parts", [])
        pieces, position = [], 0
        # All characters of the samples' system prompts and turn contexts are one UTF-16 unit each.
        for span in spans:
            pieces += [(text[position : span["start"]], ""), (text[span["start"] : span["end"]], name_of(span))]
            position = span["end"]
        pieces.append((text[position:], "" if spans else name_of(told)))
        found.append((message["role"], pieces))
    return found


def first_names(sample: str, before: str, now: str) -> set[str]:
    """What stands, in either call, where their messages differ for the first time."""
    a, b = messages(sample, before), messages(sample, now)
    index = next((n for n, (one, two) in enumerate(zip(a, b, strict=False)) if joined(one) != joined(two)), None)
    if index is None:
        index = min(len(a), len(b))
    offset = 0
    if index < min(len(a), len(b)) and a[index][0] == b[index][0]:
        both = enumerate(zip(joined(a[index])[1], joined(b[index])[1], strict=False))
        offset = next(
            (n for n, (one, two) in both if one != two), min(len(joined(a[index])[1]), len(joined(b[index])[1]))
        )
    return {name_at(side, index, offset) for side in (a, b)}


def joined(message: Message) -> tuple[str, str]:
    return message[0], "".join(text for text, _ in message[1])


def name_at(call: list[Message], index: int, offset: int) -> str:
    """The name of what stands at a place, or of the next thing that has a name."""
    for _, pieces in call[index:]:
        end = 0
        for text, name in pieces:
            end += len(text)
            if name and end > offset:
                return name
        offset = -1
    return ""


def pairs_of(sample: str) -> Iterator[tuple[Source, Call, Call]]:
    """First calls of consecutive turns of each runtime, with the source."""
    source = open_source(str(DATA / f"{sample}.db"), str(DATA / "sample-root"))
    for session in source.sessions():
        firsts: dict[str, dict[str, Call]] = {}
        for call in source.calls(session.id):
            firsts.setdefault(call.address.runtime, {}).setdefault(call.turn_id, call)
        for calls in firsts.values():
            yield from ((source, before, now) for before, now in pairwise(calls.values()))
    source.close()


def causes(sample: str) -> Iterator[tuple[Call, Call, Cause]]:
    """The causes of all pairs of turns."""
    for source, before, now in pairs_of(sample):
        turns = {turn.number: turn for turn in source.turns(now.address.session)}
        sides = [Side(call, source.recorded(call.address), turns[call.address.turn]) for call in (before, now)]
        yield before, now, find_cause(*sides)


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        (
            "emberwatch",
            {
                CauseKind.LORE: 74,
                CauseKind.WINDOW: 15,
                CauseKind.HELD: 9,
                CauseKind.TURN_SEGMENT: 7,
                CauseKind.TURN_CONTEXT: 7,
                CauseKind.STABLE_SEGMENT: 3,
            },
        ),
        (
            "tidewater",
            {
                CauseKind.LORE: 12,
                CauseKind.VARIABLE: 4,
                CauseKind.CONCEALED: 4,
                CauseKind.TURN_SEGMENT: 1,
                CauseKind.HELD: 1,
            },
        ),
    ],
)
def test_no_break_is_without_a_cause(sample: str, expected: dict[CauseKind, int]) -> None:
    assert Counter(cause.kind for _, _, cause in causes(sample)) == expected


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_named_segment_is_the_one_of_the_truth_file(sample: str) -> None:
    wrong = []
    count = 0
    for before, now, cause in causes(sample):
        if cause.kind is CauseKind.CONCEALED:
            continue
        count += 1
        names = first_names(sample, before.row, now.row)
        if cause.key.startswith("variable:"):
            assert cause.kind is CauseKind.VARIABLE
            is_right = "body" in names
        else:
            is_right = cause.key in names
        if not is_right:
            wrong.append(f"{before.address} > {now.address}: {cause.kind} {cause.key}, truth: {sorted(names)}")
    assert wrong == []
    assert count == {"emberwatch": 115, "tidewater": 18}[sample]


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_kind_of_a_cause_fits_what_the_truth_file_says_of_the_segment(sample: str) -> None:
    volatility = {
        name_of(span): span["volatility"]
        for call in truth(sample).values()
        for span in call.get("system", [])
        if span["kind"] == "segment"
    }
    for _, now, cause in causes(sample):
        if cause.kind is CauseKind.TURN_SEGMENT:
            assert volatility[cause.key] == "turn", now.address
        elif cause.kind is CauseKind.STABLE_SEGMENT:
            assert volatility[cause.key] in ("stable", "session"), now.address
        elif cause.kind is CauseKind.LORE:
            assert cause.key.startswith("lore:"), now.address
        elif cause.kind in (CauseKind.HELD, CauseKind.WINDOW):
            assert cause.key.startswith(("history:", "note:")), now.address
