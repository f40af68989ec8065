"""A recorded request becomes a segment tree. Pure: values in, values out. Follows the reference on attribution."""

from covel_inspector.engines.covel.attribution.attribute import attribute
from covel_inspector.engines.covel.attribution.evidence import CallMoment, SessionEvidence
from covel_inspector.engines.covel.attribution.index import SessionIndex, index_session
from covel_inspector.engines.covel.attribution.learning import LearnedTexts, Lesson, learn_pack, overlay
from covel_inspector.engines.covel.attribution.observing import SegmentObserving

__all__ = [
    "CallMoment",
    "LearnedTexts",
    "Lesson",
    "SegmentObserving",
    "SessionEvidence",
    "SessionIndex",
    "attribute",
    "index_session",
    "learn_pack",
    "overlay",
]
