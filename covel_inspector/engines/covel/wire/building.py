"""One door to the four wires."""

from covel_inspector.domain import Protocol
from covel_inspector.engines.covel.wire.anthropic import anthropic_body
from covel_inspector.engines.covel.wire.drafts import Draft, WireCall, WireTexts
from covel_inspector.engines.covel.wire.google import google_body
from covel_inspector.engines.covel.wire.openai_chat import chat_body
from covel_inspector.engines.covel.wire.openai_responses import responses_body

_BUILDERS = {
    Protocol.ANTHROPIC: anthropic_body,
    Protocol.OPENAI_CHAT: chat_body,
    Protocol.OPENAI_RESPONSES: responses_body,
    Protocol.GOOGLE: google_body,
}


def build(call: WireCall, texts: WireTexts) -> Draft:
    """The body of a call, keys in the order in which they are sent. Raises WireError when the adapter refuses it."""
    return _BUILDERS[call.protocol](call, texts)
