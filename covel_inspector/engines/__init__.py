"""One folder an engine. They never import each other; the rest of the house knows them as a `Source`."""

from covel_inspector.engines.opening import open_source

__all__ = ["open_source"]
