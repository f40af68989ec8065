"""Requests built of pieces whose source is known, so that every exact claim can be held against them."""

from dataclasses import dataclass
from typing import Any

from small_story import BODY, CONTEXT, PREAMBLE, Story

from covel_inspector.domain import Grade, Kind, Segment, SegmentTree
from covel_inspector.engines.covel.attribution import CallMoment, attribute, index_session
from covel_inspector.engines.covel.records.calls import RecordedCall
from covel_inspector.engines.covel.records.manifests import (
    Checkout,
    FilePlace,
    Localized,
    PluginManifest,
    RuntimeManifest,
    SelfData,
    StaticSegment,
)
from covel_inspector.engines.covel.records.naming import SENTINEL
from covel_inspector.engines.covel.records.rows import LorebookRow, PluginDataRow

LATER = "2026-01-01T09:00:00.000Z"
FILE = "plugins/narrator/PLUGIN.md"
RULE = "Be kind to strangers."
HOUSE = "<house>\nNobody dies at sea.\n</house>"
SUMMARY = "She came by boat."
ENVELOPE = f"<compacted_history>\n# sections: \n{SUMMARY}\n</compacted_history>"
NOTE = "The block above is background."
CUE = "Now do your task."
MARKER = "[... older messages are left out ...]"


@dataclass(frozen=True)
class Piece:
    """A stretch of one message and what it truly is. ``row`` or ``segment`` empty = it has none."""

    text: str
    kind: Kind
    row: str = ""
    segment: str = ""
    variable: str = ""


@dataclass(frozen=True)
class Sent:
    """One message of a request; its text is its pieces joined."""

    role: str
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def whole(role: str, text: str, kind: Kind, row: str = "", segment: str = "") -> Sent:
    return Sent(role, (Piece(text, kind, row, segment),))


def head(*pieces: Piece, body: tuple[Piece, ...] = (Piece(BODY, Kind.BODY),)) -> Sent:
    """The system prompt: preamble, body, then the given pieces with a mark behind each but none behind the last."""
    gap, mark = Piece("\n\n", Kind.SEPARATOR), Piece(SENTINEL, Kind.MARK)
    joined: list[Piece] = [Piece(PREAMBLE, Kind.PREAMBLE), mark, gap, *body, mark]
    for number, piece in enumerate(pieces, 1):
        joined += [gap, piece]
        if number < len(pieces):
            joined.append(mark)
    return Sent("system", tuple(joined))


def lore_row(entry: str, content: str, position: str = "after_plugin", **more: Any) -> LorebookRow:
    """An entry whose title is its id; its key is a letter that stands in nearly every line."""
    values: dict[str, Any] = {"id": entry, "session_id": "s", "owner": "world", "content": content}
    extra = {"title": entry, **more.pop("extra", {})}
    return LorebookRow.model_validate({**values, "position": position, "keys": ["i"], "extra": extra, **more})


def lore(entry: str, content: str, label: str = "") -> Piece:
    return Piece(f"[Lore: {label or entry}]\n{content}", Kind.LORE, entry)


def files(*segments: StaticSegment, body: str = BODY, self_data: tuple[SelfData, ...] = ()) -> Checkout:
    place = FilePlace(FILE, 1)
    narrator = RuntimeManifest(
        "narrator",
        "narrator",
        "agent",
        Localized({"": body}, {"": FilePlace(FILE, 9)}),
        place,
        visibility="story",
        self_data=self_data,
    )
    manifest = PluginManifest("narrator", "1", "Narrator", place, segments=segments, runtimes=(narrator,))
    return Checkout("root", {"narrator": manifest})


def past(story: Story) -> list[Sent]:
    """The committed turns."""
    sent: list[Sent] = []
    for number, (line, reply) in enumerate(zip(story.lines, story.replies, strict=True), 1):
        sent.append(whole("user", line, Kind.HISTORY, f"line-{number}"))
        sent.append(whole("assistant", reply, Kind.HISTORY, f"reply-{number}"))
    return sent


def now(story: Story) -> list[Sent]:
    """Turn context and current line."""
    return [
        whole("system", CONTEXT, Kind.INPUTS),
        whole("user", story.current, Kind.PLAYER_LINE, f"line-{len(story.lines) + 1}"),
    ]


def attributed(story: Story, sent: list[Sent]) -> SegmentTree:
    call = RecordedCall.model_validate({"messages": [{"role": one.role, "content": one.text} for one in sent]})
    moment = CallMoment(f"turn-{len(story.lines) + 1}", story.runtime, story.runtime, story.now, attempt=story.attempt)
    tree = attribute(call, moment, index_session(story.evidence()))
    assert tree.gaps() == []
    return tree


FIRM = (Grade.EXACT, Grade.TEMPLATE, Grade.STRUCTURAL, Grade.TAG)


def wrong_claims(tree: SegmentTree, sent: list[Sent], grades: tuple[Grade, ...] = (Grade.EXACT,)) -> list[str]:
    """Claims of these grades that no piece bears out."""
    wrong: list[str] = []
    for leaf in tree.leaves():
        if leaf.grade not in grades or leaf.place is None or not leaf.text:
            continue
        message = tree.request.parts[leaf.place.part].index
        problem = _problem(leaf, sent[message])
        if problem:
            wrong.append(f"message {message} {leaf.key} {leaf.text!r}: {problem}")
    return wrong


def _problem(leaf: Segment, sent: Sent) -> str:
    assert leaf.place is not None
    if leaf.kind in (Kind.SEPARATOR, Kind.MARK):
        return ""
    at = 0
    for piece in sent.pieces:
        if at <= leaf.place.start and leaf.place.end <= at + len(piece.text):
            return _contradiction(leaf, piece)
        at += len(piece.text)
    return "runs over several pieces"


def _contradiction(leaf: Segment, piece: Piece) -> str:
    if leaf.kind is not piece.kind:
        return f"truly {piece.kind}"
    if piece.row and leaf.origin.rows != (piece.row,):
        return f"rows {leaf.origin.rows}, truly {piece.row}"
    if piece.segment and leaf.origin.segment != piece.segment:
        return f"segment {leaf.origin.segment}, truly {piece.segment}"
    if piece.variable and leaf.origin.variable != piece.variable:
        return f"variable {leaf.origin.variable}, truly {piece.variable}"
    return ""


def exact_keys(tree: SegmentTree) -> set[str]:
    return {leaf.key for leaf in tree.leaves() if leaf.grade is Grade.EXACT}


RULE_ENTRY = lore("rule", RULE)


def told_story() -> Story:
    """The small story with a lore entry, a declared segment, the body's file and a row of own data."""
    story = Story()
    story.lore = (lore_row("rule", RULE),)
    house = StaticSegment("house", Localized({"": HOUSE}), "system")
    story.checkout = files(house, self_data=(SelfData("notes", "notes"),))
    row = PluginDataRow(
        id="d", session_id="s", plugin_id="narrator", namespace="notes", key="lamp", value={"text": "red"}
    )
    story.changes = {"plugin_data": (row,)}
    return story


def usual(story: Story) -> list[Sent]:
    return [head(Piece(HOUSE, Kind.EXTENSION, segment="house"), RULE_ENTRY), *past(story), *now(story)]
