"""The engine's fixed sentences, learned from attributed recorded calls."""

from collections.abc import Iterable, Mapping

from covel_inspector.domain import SegmentTree

LearnedTexts = Mapping[str, Mapping[str, str]]
"""Text pack key -> instruction language (``en``, ``zh``) -> text; lines joined by LF."""


def learn_pack(trees: Iterable[SegmentTree], language: str) -> LearnedTexts:  # noqa: ARG001 - being built
    """The fixed sentences seen in attributed recorded calls of one instruction language (``en`` or ``zh``).

    A sentence is only given when all calls agree on it.
    """
    return {}


def overlay(texts: LearnedTexts, learned: LearnedTexts) -> LearnedTexts:
    """``texts`` with every learned sentence in its place."""
    keys = dict.fromkeys([*texts, *learned])
    return {key: {**texts.get(key, {}), **learned.get(key, {})} for key in keys}
