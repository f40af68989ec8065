"""The prompt cache key. Follows the reference on the wire, section 3."""

import hashlib

from covel_inspector.engines.covel.wire.drafts import WireCall

_OWN_HOST = "api.openai.com"
_DIGITS = 32


def prompt_cache_key(session_id: str, runtime_id: str) -> str:
    """The key under which a runtime's requests of a session are routed to the same cache."""
    units = f"{session_id}\n{runtime_id}".encode("utf-16-le", "surrogatepass")
    whole = units.decode("utf-16-le", "replace").encode()
    return f"covel-{hashlib.sha256(whole).hexdigest()[:_DIGITS]}"


def key_to_send(call: WireCall) -> str:
    """The key that an OpenAI wire sends; empty when the endpoint gets none."""
    decided = call.metadata.get("promptCacheKey")
    if not isinstance(decided, bool):
        decided = call.host == _OWN_HOST
    return call.prompt_cache_key if decided else ""
