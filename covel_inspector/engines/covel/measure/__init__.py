"""Takes a recorded call apart the way the engine's own prefix report measures it. Pure."""

from covel_inspector.engines.covel.measure.parts import body_of, measured_parts, parameters_of

__all__ = ["body_of", "measured_parts", "parameters_of"]
