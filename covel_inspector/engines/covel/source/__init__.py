"""Puts the rooms of the Covel engine together: rows and files in, listed and explained calls out."""

from covel_inspector.engines.covel.source.source import CovelSource, open_covel

__all__ = ["CovelSource", "open_covel"]
