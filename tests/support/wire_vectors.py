"""The vectors of the wire: JSON cases in files that hold lists, and the pack they were made with."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from covel_inspector.domain import Request
from covel_inspector.engines.covel.evaluate.wire import wire_call
from covel_inspector.engines.covel.records.flatten import request_of
from covel_inspector.engines.covel.textpack import TextPack, default_pack
from covel_inspector.engines.covel.wire import Draft, WireCall, WireTexts, build

FOLDER = Path(__file__).parents[1] / "data" / "vectors" / "wire"
REQUESTS = ("anthropic-messages", "openai-chat", "openai-responses", "google-generative-ai")
OTHERS = ("usage", "cache-key", "observe")


@cache
def wire_pack() -> TextPack:
    """The text pack that the expected bodies were made with."""
    return default_pack().overlaid(TextPack.load(FOLDER / "texts.json"))


@cache
def wire_cases() -> dict[str, dict[str, Any]]:
    """All cases by their names."""
    files = [json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in (*REQUESTS, *OTHERS)]
    return {case["name"]: case for cases in files for case in cases}


def bodies() -> list[str]:
    """Names of the cases that give a body."""
    return [name for name, case in wire_cases().items() if "path" in case["expected"]]


def built(name: str) -> tuple[WireCall, Draft, Request]:
    """The call of a case, its body, and the request of the same messages and tools."""
    call = wire_call(wire_cases()[name])
    draft = build(call, WireTexts.of(wire_pack()))
    return call, draft, request_of(call.messages, call.tools, call.response_format)
