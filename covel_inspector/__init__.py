"""covel-inspector: what a story engine's model saw, why, and what its provider could keep in cache."""

__version__ = "0.1.0"
