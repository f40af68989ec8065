"""Takes recorded calls apart the way the engine's own prefix report measures them. Pure."""

from covel_inspector.engines.covel.measure.reader import PartReader, TakenApart

__all__ = ["PartReader", "TakenApart"]
