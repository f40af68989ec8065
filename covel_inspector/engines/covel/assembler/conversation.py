"""History, current turn and depth items as one list of messages.

Follows the reference on the assembler, sections 11 to 14.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from covel_inspector.engines.covel.assembler.escaping import Json, escape
from covel_inspector.engines.covel.assembler.extensions import Landing
from covel_inspector.engines.covel.assembler.params import (
    ContextParams,
    HistoryRow,
    LoreContribution,
    PromptSegment,
    Summary,
)
from covel_inspector.engines.covel.assembler.pieces import (
    Cue,
    Pictures,
    Piece,
    PlacedMessage,
    PlayerLine,
    Story,
    TurnContextMessage,
    message,
)
from covel_inspector.engines.covel.assembler.system_prompt import GAP
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.javascript import WHITESPACE_CLASS, head, is_blank, length, trim

DEFAULT_LORE_DEPTH = 4
CAPTION_LIMIT = 600
"""UTF-16 units of a picture's caption."""

_BLANKS = re.compile(WHITESPACE_CLASS + "+")


@dataclass(frozen=True, slots=True)
class DepthItem:
    """Something inserted by depth: lore first, then segments."""

    depth: float
    order: float
    placed: PlacedMessage


@dataclass(frozen=True, slots=True)
class Conversation:
    """The final list, and where its parts begin.

    ``current`` is the index of the current message; ``history`` counts the messages before the turn context that
    came from pre-history segments, history and depth items.
    """

    messages: tuple[PlacedMessage, ...]
    current: int
    current_turn_user_messages: int
    turn_context: str
    depth_items: tuple[DepthItem, ...]


def converse(params: ContextParams, landing: Landing, turn_data: Sequence[Piece], wording: Wording) -> Conversation:
    """All messages of the request behind the system prompt, before any budget."""
    before = [*_segments(landing.before_history), *history_messages(params.message_history, params.summaries, wording)]
    behind = [_current_message(params, wording), *_story(params.execution_story, wording)]
    items = depth_items(params, landing)
    base, current = insert_by_depth([*before, *behind], len(before), items)
    context = _turn_context(turn_data, landing.turn_context)
    pictures = _pictures_message(params, wording)
    tail = [*base[current:], *_segments(landing.after_history)]
    inserted = [placed for placed in (context, pictures) if placed is not None]
    users = 1 + (pictures is not None) + sum(placed.is_user for placed in tail[1:])
    return Conversation(
        (*base[:current], *inserted, *tail),
        current + len(inserted),
        users,
        str(context.message.content) if context is not None else "",
        tuple(items),
    )


def history_messages(rows: Iterable[HistoryRow], summaries: Sequence[Summary], wording: Wording) -> list[PlacedMessage]:
    """History rows with envelopes in the place of the rows they stand for.

    A row that is marked as summarised is left out only where there are summaries.
    """
    if not summaries:
        return [PlacedMessage(message(row.role, row.content, row.name), row) for row in rows]
    rows = tuple(rows)
    referenced = {row.summary_id for row in rows if row.summary_id}
    known = {summary.id: summary for summary in summaries}
    placed = [_envelope_message(summary, wording) for summary in summaries if summary.id not in referenced]
    sent: set[str] = set()
    for row in rows:
        if not row.summary_id:
            placed.append(PlacedMessage(message(row.role, row.content, row.name), row))
        elif row.summary_id in known and row.summary_id not in sent:
            sent.add(row.summary_id)
            placed.append(_envelope_message(known[row.summary_id], wording))
    return placed


def envelope(summary: Summary, wording: Wording) -> str:
    """The text of a summary's envelope."""
    sections = ", ".join(map(escape, summary.focus_sections))
    return (
        f"<compacted_history>\n# sections: {sections}\n{escape(summary.content)}\n</compacted_history>\n"
        f"{wording.text('summary.note')}"
    )


def depth_items(params: ContextParams, landing: Landing) -> list[DepthItem]:
    """Lore by depth and order, then depth segments in segment order."""
    entries = params.session.contributions if params.session is not None else ()
    lore = [_lore_item(entry) for entry in entries if entry.position == "at_depth"]
    lore.sort(key=lambda item: (item.depth, item.order))
    segments = [
        DepthItem(segment.depth or 0, segment.order or 0, _segment_message(segment)) for segment in landing.by_depth
    ]
    return [item for item in lore if item.placed.message.content] + segments


def insert_by_depth(
    base: Sequence[PlacedMessage], current: int, items: Sequence[DepthItem]
) -> tuple[list[PlacedMessage], int]:
    """The base list with the items in it, and the new index of the current message.

    An item of depth n goes in front of the last n messages of the base list; other items do not count.
    """
    count = len(base)
    at: dict[int, list[PlacedMessage]] = {}
    for item in items:
        index = count if item.depth <= 0 else 0 if item.depth >= count else int(count - item.depth)
        at.setdefault(index, []).append(item.placed)
    if not at:
        return list(base), current
    result: list[PlacedMessage] = []
    moved = current
    for index in range(count + 1):
        result.extend(at.get(index, ()))
        if index == current:
            moved = len(result)
        if index < count:
            result.append(base[index])
    return result, moved


def _lore_item(entry: LoreContribution) -> DepthItem:
    depth = DEFAULT_LORE_DEPTH if entry.depth is None else entry.depth
    return DepthItem(depth, entry.order, PlacedMessage(message("system", trim(entry.content)), entry))


def _segment_message(segment: PromptSegment) -> PlacedMessage:
    return PlacedMessage(message(segment.role or "system", segment.content), segment)


def _segments(segments: Iterable[PromptSegment]) -> list[PlacedMessage]:
    return [_segment_message(segment) for segment in segments]


def _envelope_message(summary: Summary, wording: Wording) -> PlacedMessage:
    return PlacedMessage(message("user", envelope(summary, wording)), summary)


def _current_message(params: ContextParams, wording: Wording) -> PlacedMessage:
    turn = params.turn_input
    if not is_blank(turn.player_message):
        return PlacedMessage(message("user", turn.player_message), PlayerLine("typed"))
    if turn.manual_runtime_id is not None:
        text = wording.text("turn.manualTrigger", runtimeId=turn.manual_runtime_id)
        return PlacedMessage(message("user", text), PlayerLine("manual"))
    return PlacedMessage(message("user", wording.text("turn.emptyInput")), PlayerLine("empty"))


def _story(rows: Iterable[HistoryRow], wording: Wording) -> list[PlacedMessage]:
    told = [row for row in rows if row.content]
    placed = [
        PlacedMessage(message("assistant", row.content, row.name), Story(row, number))
        for number, row in enumerate(told, 1)
    ]
    if told:
        placed.append(PlacedMessage(message("user", wording.text("story.cue")), Cue()))
    return placed


def _turn_context(turn_data: Sequence[Piece], segments: Sequence[PromptSegment]) -> PlacedMessage | None:
    """Turn data joined by line feeds, then the segments joined by blank lines; None when both are empty."""
    pieces: list[Piece] = list(turn_data)
    gaps: list[str] = ["\n"] * (len(pieces) - 1)
    extensions = [Piece(segment.content, segment) for segment in segments]
    if not GAP.join([piece.text for piece in extensions]):
        extensions = []
    if pieces and extensions:
        gaps.append(GAP)
    gaps.extend([GAP] * (len(extensions) - 1))
    pieces.extend(extensions)
    if not pieces:
        return None
    text = pieces[0].text + "".join([gap + piece.text for gap, piece in zip(gaps, pieces[1:], strict=True)])
    return PlacedMessage(message("system", text), TurnContextMessage(tuple(pieces), tuple(gaps)))


def _pictures_message(params: ContextParams, wording: Wording) -> PlacedMessage | None:
    limit = params.picture_attachments
    if limit <= 0:
        return None
    shown = [(row, picture) for row in params.message_history if (picture := _picture(row)) is not None][-limit:]
    if not shown:
        return None
    parts: list[Json] = [{"type": "text", "text": wording.text("pictures.heading")}]
    for index, (_, picture) in enumerate(shown, 1):
        caption = picture_caption(picture)
        text = (
            wording.text("pictures.item", index=index, caption=caption)
            if caption
            else wording.text("pictures.item.plain", index=index)
        )
        parts.append({"type": "text", "text": text})
        parts.append({"type": "media", "ref": picture.get("ref")})
    return PlacedMessage(message("user", parts), Pictures(tuple(row for row, _ in shown)))


def has_picture(row: HistoryRow) -> bool:
    """True for a row that shows a picture."""
    return _picture(row) is not None


def _picture(row: HistoryRow) -> Mapping[str, Json] | None:
    """The data of the row's first picture block, None without one."""
    if not isinstance(row.ui, list):
        return None
    for block in row.ui:
        if isinstance(block, Mapping) and block.get("type") == "asset.generate":
            data = block.get("data")
            if isinstance(data, Mapping) and data.get("modality") == "image":
                return data
    return None


def picture_caption(picture: Mapping[str, Json]) -> str:
    """Caption or prompt of a picture in one line; empty when it has neither."""
    meta = picture.get("meta")
    if not isinstance(meta, Mapping):
        return ""
    for name in ("caption", "prompt"):
        text = meta.get(name)
        if isinstance(text, str) and (line := trim(_BLANKS.sub(" ", text))):
            return line if length(line) <= CAPTION_LIMIT else head(line, CAPTION_LIMIT)
    return ""
