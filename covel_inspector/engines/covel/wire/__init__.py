"""Kernel messages become a provider's request body, for four protocols. Pure; follows the reference on the wire."""

from covel_inspector.engines.covel.wire.building import build
from covel_inspector.engines.covel.wire.drafts import Draft, WireCall, WireError, WireTexts
from covel_inspector.engines.covel.wire.tracing import wire_body

__all__ = ["Draft", "WireCall", "WireError", "WireTexts", "build", "wire_body"]
