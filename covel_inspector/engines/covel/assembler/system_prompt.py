"""The system prompt in its sections. Follows the reference on the assembler, section 5."""

from collections.abc import Iterable, Sequence

from covel_inspector.engines.covel.assembler.escaping import escape
from covel_inspector.engines.covel.assembler.extensions import Landing
from covel_inspector.engines.covel.assembler.params import ContextParams, LoreContribution, PromptSegment
from covel_inspector.engines.covel.assembler.pieces import Body, Events, Piece, Section, WorldLore
from covel_inspector.engines.covel.assembler.preamble import preamble_section
from covel_inspector.engines.covel.assembler.templates import fill
from covel_inspector.engines.covel.assembler.turn_data import activation_block
from covel_inspector.engines.covel.assembler.variables import Variables
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.assembler.world_lore import fit_lore, world_lore_block
from covel_inspector.engines.covel.javascript import is_blank, trim
from covel_inspector.engines.covel.records.naming import SENTINEL

GAP = "\n\n"
"""What stands between two sections."""


def system_sections(params: ContextParams, landing: Landing, wording: Wording) -> tuple[Section, ...]:
    """All seven sections in prompt order, empty ones included."""
    return (
        preamble_section(params, wording),
        Section("body", _body(params, wording), joiner="", mark="body"),
        Section("stable", _stable(params, landing.stable), mark="stable"),
        Section("lore-before", _lore(params, "before_plugin")),
        Section("session", _session_injects(params, wording), joiner="\n"),
        Section("lore-after", _lore(params, "after_plugin"), mark="lore"),
        Section("turn", _extensions(landing.turn_tail)),
    )


def render(sections: Iterable[Section]) -> str:
    """The prompt: the sections that hold text, each with the mark it carries, joined by a blank line."""
    return GAP.join([text + SENTINEL if mark else text for text, mark in _texts(sections)])


def framework_head(sections: Sequence[Section]) -> str:
    """Preamble and mark, or the empty string without a preamble."""
    text = sections[0].text
    return text + SENTINEL if text else ""


def _texts(sections: Iterable[Section]) -> Iterable[tuple[str, str]]:
    return [(text, section.mark) for section in sections if (text := section.text)]


def _body(params: ContextParams, wording: Wording) -> tuple[Piece, ...]:
    parts = fill(params.prompt_template, Variables(params, wording).text)
    text = "".join([part.text for part in parts])
    return (Piece(text, Body(parts)),) if text else ()


def _stable(params: ContextParams, segments: Iterable[PromptSegment]) -> tuple[Piece, ...]:
    pieces = [Piece(segment.content, segment) for segment in segments if segment.content]
    lore = params.session.world.get("lore") if params.session is not None and params.session.world else None
    if params.manifest.tells_story and isinstance(lore, str) and not is_blank(lore):
        fitted = fit_lore(lore)
        pieces.insert(0, Piece(world_lore_block(fitted), WorldLore(fitted.tokens, fitted.truncated, fitted.rest)))
    return tuple(pieces)


def _lore(params: ContextParams, position: str) -> tuple[Piece, ...]:
    if params.session is None:
        return ()
    return tuple(
        Piece(text, entry)
        for entry in sorted_lore(params.session.contributions, position)
        if (text := trim(entry.content))
    )


def sorted_lore(entries: Iterable[LoreContribution], position: str) -> list[LoreContribution]:
    """The entries of one position by order, ties as given."""
    return sorted((entry for entry in entries if entry.position == position), key=lambda entry: entry.order)


def _session_injects(params: ContextParams, wording: Wording) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    if params.manifest.advertise_events and params.event_catalog:
        instruction = wording.text("events.instruction")
        block = f"<available-events>\n{escape(params.event_catalog)}\n\n{instruction}\n</available-events>"
        pieces.append(Piece(block, Events()))
    if params.activation is not None and params.activation.source == "stage":
        pieces.append(activation_block(params.activation))
    return tuple(pieces)


def _extensions(segments: Iterable[PromptSegment]) -> tuple[Piece, ...]:
    """Turn segments: an empty one still takes part in the join."""
    return tuple(Piece(segment.content, segment) for segment in segments)
