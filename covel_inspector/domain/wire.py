"""A request as it goes to a provider: the JSON body, and for each text in it the place in the request it is from."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from covel_inspector.domain.request import Place
from covel_inspector.domain.sentence import Sentence
from covel_inspector.domain.story import Usage

JsonPath = tuple[str | int, ...]
"""Keys and indexes from the root of a body down to a value."""


class Protocol(StrEnum):
    """The wire protocols whose bodies can be built and read."""

    ANTHROPIC = "anthropic-messages-v1"
    OPENAI_CHAT = "openai-chat-v1"
    OPENAI_RESPONSES = "openai-responses-v1"
    GOOGLE = "google-generative-ai-v1"


class BodySource(StrEnum):
    """Where a body is from."""

    RECORDED = "recorded"
    BUILT_FROM_RECORDED = "built-from-recorded"
    BUILT_FROM_REBUILT = "built-from-rebuilt"


@dataclass(frozen=True, slots=True)
class WireTrace:
    """Code points ``start`` to ``end`` of the string value at ``path`` are those at ``place`` of the request."""

    path: JsonPath
    start: int
    end: int
    place: Place


@dataclass(frozen=True, slots=True)
class WireMark:
    """A cache mark that the body carries: on the block at ``path``, whose text ends at ``place.end`` of its part."""

    number: int
    path: JsonPath
    place: Place | None
    note: Sentence


@dataclass(frozen=True, slots=True)
class WireBody:
    """A body, its keys in the order in which they are sent.

    ``body`` is decoded JSON and never changed. Texts that have no trace (fixed sentences of the wire, parameters) come
    from no segment. ``notes`` say what is not known of it, such as fields that a trace leaves out.
    """

    protocol: Protocol
    source: BodySource
    body: Any
    path: str = ""
    """Path and query of the address it is sent to; empty when unknown."""
    traces: tuple[WireTrace, ...] = ()
    marks: tuple[WireMark, ...] = ()
    notes: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredPart:
    """A part of a request as the prefix measurement counts it; ``label`` names it by its place.

    A part that carries cache marks has ``unmarked``, its text without them, and ``marks``: code points of that text
    behind which a mark stands. Without marks ``unmarked`` is None. ``role`` is the message's, empty for others;
    ``pictures`` counts the pictures in it, whose bytes are not recorded.
    """

    label: str
    text: str
    unmarked: str | None = None
    marks: tuple[int, ...] = ()
    role: str = ""
    pictures: int = 0

    @property
    def bare(self) -> str:
        """The text without cache marks."""
        return self.text if self.unmarked is None else self.unmarked


@dataclass(frozen=True, slots=True)
class MeasuredRequest:
    """One recorded call taken apart for the prefix measurement, in provider hash order.

    ``runtime`` is None when the record names none. ``turn`` is the turn's number where known.
    """

    session: str
    runtime: str | None
    turn_id: str
    row: str
    turn: str = ""
    call: int = 0
    started_at: str = ""
    model: str = ""
    provider: str = ""
    protocol: str = ""
    parts: tuple[MeasuredPart, ...] = field(default=())
    attempt: int = 0
    """0 for the first attempt of a step."""
    execution: str = ""
    """Names the run of the runtime that made the call: a turn that is resumed or retried by hand has several."""
    parameters: tuple[tuple[str, str], ...] = ()
    """What the body says beside the parts (tool choice, sampling …): names and compact JSON."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A model call that a plugin's own function made: its prompt is not recorded, only what it cost.

    Counts are the provider's, None when not reported.
    """

    session: str
    turn_id: str
    runtime: str
    row: str
    model: str = ""
    provider: str = ""
    usage: Usage | None = None
