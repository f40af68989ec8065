"""The body of a call as JSON.

With everything that is known of it, an object:

- ``address``, ``source`` (``recorded``, ``built-from-recorded``, ``built-from-rebuilt``), ``protocol``
- ``path``: path and query of the address it is sent to, empty when unknown
- ``notes``: sentences on what is not known, or how it is known
- ``marks``: the provider's cache marks: ``number, path, part, offset, note``; ``path`` leads to the marked block,
  ``part`` and ``offset`` (code points) say behind which text of the request it stands, null when that is unknown
- ``traces``: ``path, start, end, part, offset``: the code points ``start`` to ``end`` of the text at ``path`` are those
  from ``offset`` of the request's part
- ``body``: keys in the order in which they are sent
"""

from typing import Any

from covel_inspector.domain import WireBody, say
from covel_inspector.report.terminal import one_line
from covel_inspector.report.wording import Catalogue


def wire_object(address: str, wire: WireBody, words: Catalogue) -> dict[str, Any]:
    """The JSON form of a body (see the module's text)."""
    return {
        "address": address,
        "source": wire.source.value,
        "protocol": wire.protocol.value,
        "path": wire.path,
        "notes": [words.text(note) for note in wire.notes],
        "marks": [
            {
                "number": mark.number,
                "path": list(mark.path),
                "part": mark.place.part if mark.place is not None else None,
                "offset": mark.place.end if mark.place is not None else None,
                "note": words.text(mark.note),
            }
            for mark in wire.marks
        ],
        "traces": [
            {
                "path": list(trace.path),
                "start": trace.start,
                "end": trace.end,
                "part": trace.place.part,
                "offset": trace.place.start,
            }
            for trace in wire.traces
        ],
        "body": wire.body,
    }


def body_line(address: str, wire: WireBody, words: Catalogue) -> str:
    """What a reader of the bare body should know: where it is from and goes to."""
    sources = {
        "recorded": say("recorded"),
        "built-from-recorded": say("built from the recorded messages"),
        "built-from-rebuilt": say("built from the rebuilt request"),
    }
    head = [address, words.text(sources[wire.source.value]), wire.protocol.value, wire.path]
    return one_line(" · ".join(filter(None, head)))
