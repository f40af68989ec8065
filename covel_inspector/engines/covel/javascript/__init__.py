"""The rules of the engine's own language that change bytes. Follows the reference on the assembler, section 1."""

from covel_inspector.engines.covel.javascript.json_text import stringify

__all__ = ["stringify"]
