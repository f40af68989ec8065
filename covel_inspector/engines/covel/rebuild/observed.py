"""What a recorded request shows that rows and files may not: read off its tree, unescaped and parsed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from covel_inspector.domain import Kind, Segment, SegmentTree
from covel_inspector.engines.covel.assembler.escaping import unescape
from covel_inspector.engines.covel.assembler.params import Activation

Json = Any


@dataclass(frozen=True, slots=True)
class Observed:
    """Pieces of a recorded request. ``own_data`` maps a tag to the unescaped lines of its block; ``variables``
    a template path to the text that was sent for it, as it stood."""

    preamble: str | None = None
    body: str = ""
    player_line: str = ""
    event_catalog: str = ""
    inputs: Mapping[str, Json] = field(default_factory=dict)
    exports: Mapping[str, Json] = field(default_factory=dict)
    activation: Activation | None = None
    own_data: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)


def observe(recorded: SegmentTree | None) -> Observed:
    """Read the pieces off a tree; an empty value where there is no recording."""
    if recorded is None:
        return Observed()
    first: dict[Kind, Segment] = {}
    own_data: dict[str, str] = {}
    variables: dict[str, str] = {}
    for segment in recorded.walk():
        first.setdefault(segment.kind, segment)
        if segment.kind is Kind.OWN_DATA:
            own_data[segment.key.removeprefix("own-data:")] = _inner(segment.whole_text)
        if segment.key.startswith("variable:") and segment.is_leaf:
            variables.setdefault(segment.key.removeprefix("variable:").partition("#")[0], segment.text)
    return Observed(
        preamble=_text(first.get(Kind.PREAMBLE)) if Kind.PREAMBLE in first else None,
        body=_text(first.get(Kind.BODY)),
        player_line=_text(first.get(Kind.PLAYER_LINE)),
        event_catalog=_catalog(_text(first.get(Kind.EVENTS))),
        inputs=_object(_text(first.get(Kind.INPUTS))),
        exports=_object(_text(first.get(Kind.EXPORTS))),
        activation=_activation(_object(_text(first.get(Kind.ACTIVATION)))),
        own_data=own_data,
        variables=variables,
    )


def _text(segment: Segment | None) -> str:
    return segment.whole_text if segment is not None else ""


def _inner(block: str) -> str:
    """What stands between the tags of a block, unescaped."""
    body = block.partition("\n")[2]
    return unescape(body.rpartition("\n")[0])


def _catalog(block: str) -> str:
    """The catalog of an event directory: without tags and the instruction that closes it."""
    body = block.partition("\n")[2].rpartition("\n")[0]
    return unescape(body.rpartition("\n\n")[0])


def _object(block: str) -> dict[str, Json]:
    try:
        value = json.loads(_inner(block)) if block else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _activation(value: Mapping[str, Json]) -> Activation | None:
    if "source" not in value:
        return None
    return Activation(str(value["source"]), bool(value.get("detached")), value.get("payload"), "payload" in value)
