"""Content of messages on the two OpenAI wires, late system messages as user messages included.

Follows the reference on the wire, section 3.
"""

from collections.abc import Callable
from typing import Any

from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.wire.drafts import Ledger, WireCall
from covel_inspector.engines.covel.wire.messages import ENVELOPE_CLOSE, ENVELOPE_OPEN, SYSTEM_ROLES, enveloped, leading
from covel_inspector.engines.covel.wire.pieces import Image, pieces
from covel_inspector.engines.covel.wire.texts import NOTHING, Text

Json = Any
PartWriter = Callable[[Text | Image, Ledger], dict[str, Json]]


def first_late(call: WireCall) -> int:
    """Index from which on system messages travel as user messages; beyond the last one when they never do."""
    count = len(call.messages)
    return leading(call.messages, SYSTEM_ROLES) if call.metadata.get("lateSystemAsUser") is True else count


def put_content(
    index: int, message: KernelMessage, is_late: bool, ledger: Ledger, whole: dict[str, Json], part: PartWriter
) -> None:
    """Set ``content``: a text, a list of parts, or None; in the envelope when it is a late system message."""
    content = message.content
    if isinstance(content, str) and not is_late:
        ledger.put_content(whole, "content", index, content)
        return
    found = pieces(index, message)
    if isinstance(content, list):
        around = (Text(ENVELOPE_OPEN), Text(ENVELOPE_CLOSE)) if is_late else None
        shown = (around[0], *found, around[1]) if around is not None else found
        whole["content"] = [part(piece, ledger) for piece in shown]
        return
    text = found[0] if found else None
    if is_late:
        ledger.put(whole, "content", enveloped(text if isinstance(text, Text) else NOTHING))
    elif isinstance(text, Text):
        ledger.put(whole, "content", text)
    else:
        whole["content"] = None
