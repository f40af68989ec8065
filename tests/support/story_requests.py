"""A narrator's request made to measure: every part of it can be changed, which is what causes are found in."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from covel_inspector.domain import (
    Address,
    Call,
    Event,
    Field,
    Grade,
    Group,
    Kind,
    Origin,
    Part,
    Place,
    Request,
    Segment,
    SegmentTree,
    Turn,
    Usage,
    Volatility,
    plain,
)
from covel_inspector.domain.building import branch

TOOLS = ("emit-event", "get-character")
HISTORY = (("h1", "user", "I climb the stairs."), ("h2", "assistant", "The lamp room is dark and cold."))


@dataclass(frozen=True)
class Narrator:
    """What the request holds, in wire order. Entries of ``lore`` and ``segments`` are (key, text[, volatility])."""

    tools: Sequence[str] = TOOLS
    tool_text: str = "Does {name}."
    preamble: str = "[RUNTIME] You are one part of an engine.\n\n"
    body: str = "You narrate. The player is "
    hero: str = '{"name":"Ines","hurt":false}'
    segments: Sequence[tuple[str, str, Volatility | None]] = (("style", "Plain words.\n\n", Volatility.STABLE),)
    lore: Sequence[tuple[str, str]] = (("harbour", "The harbour closes at dusk.\n\n"),)
    events: str = "- storm.rising\n\n"
    late: str = ""
    """A turn segment at the end of the system prompt."""
    marker: str = ""
    example: str = ""
    summary: str = ""
    history: Sequence[tuple[str, str, str]] = HISTORY
    depth_lore: str = ""
    """An entry before the last row of the history."""
    context: str = "<clock>dusk</clock>"
    pictures: str = ""
    line: str = "I light the lamp."
    loop: Sequence[tuple[Kind, str]] = ()
    unknown: str = ""
    """A text in the system prompt that nobody claims."""
    grade: Grade = Grade.EXACT

    def tree(self) -> SegmentTree:
        """The request as a tree that keeps the invariant."""
        return _Builder(self).tree()


@dataclass
class _Builder:
    narrator: Narrator
    parts: list[Part] = field(default_factory=list)

    def tree(self) -> SegmentTree:
        narrator = self.narrator
        tools = [
            self._message(Group.TOOLS, Kind.TOOL, f"tool:{name}", "", narrator.tool_text.format(name=name))
            for name in narrator.tools
        ]
        system = self._system()
        messages = self._messages()
        groups = [(Group.TOOLS, tools), (Group.SYSTEM, system), (Group.MESSAGES, messages)]
        return SegmentTree(
            Request(tuple(self.parts)),
            tuple(
                branch(Segment(group.value, Kind.GROUP, plain(group.value)), children)
                for group, children in groups
                if children
            ),
        )

    def _system(self) -> list[Segment]:
        narrator = self.narrator
        pieces = [
            Segment("preamble:runtime", Kind.PREAMBLE, plain("Preamble"), narrator.preamble),
            Segment("body:0", Kind.BODY, plain("Runtime body"), narrator.body),
            Segment(
                "variable:player.character",
                Kind.BODY,
                plain("player.character"),
                narrator.hero,
                origin=Origin(plugin="narrator", variable="player.character"),
            ),
            *(
                Segment(
                    f"segment:{key}",
                    Kind.EXTENSION,
                    plain(key),
                    text,
                    origin=Origin(plugin=key),
                    volatility=volatility,
                    grade=narrator.grade,
                )
                for key, text, volatility in narrator.segments
            ),
            *(Segment(f"lore:{key}", Kind.LORE, plain(key), text) for key, text in narrator.lore),
            Segment("events", Kind.EVENTS, plain("Events"), narrator.events),
            Segment("unknown:0", Kind.UNKNOWN, plain("Unknown"), narrator.unknown, grade=Grade.UNKNOWN),
            Segment("segment:late", Kind.EXTENSION, plain("late"), narrator.late, volatility=Volatility.TURN),
        ]
        pieces = [piece for piece in pieces if piece.text]
        number, position, placed = len(self.parts), 0, []
        for piece in pieces:
            end = position + len(piece.text)
            placed.append(replace(piece, place=Place(number, position, end), role="system"))
            position = end
        text = "".join(piece.text for piece in pieces)
        self.parts.append(Part(Group.SYSTEM, 0, 0, Field.CONTENT, text, "system"))
        return placed

    def _messages(self) -> list[Segment]:
        narrator = self.narrator
        messages: list[Segment] = []
        if narrator.example:
            messages.append(self._talk(Kind.EXTENSION, "segment:example", "user", narrator.example))
        if narrator.marker:
            messages.append(self._talk(Kind.PRUNE_MARKER, "prune-marker", "system", narrator.marker))
        if narrator.summary:
            messages.append(self._talk(Kind.SUMMARY, "summary:1", "user", narrator.summary))
        messages += self._history()
        if narrator.context:
            clock = self._talk(Kind.EXTENSION, "segment:clock", "system", narrator.context, Volatility.TURN)
            messages.append(branch(Segment("turn-context", Kind.TURN_CONTEXT, plain("Turn context")), [clock]))
        if narrator.pictures:
            messages.append(self._talk(Kind.PICTURES, "pictures", "user", narrator.pictures))
        messages.append(self._talk(Kind.PLAYER_LINE, "player-line", "user", narrator.line))
        messages += [
            self._talk(kind, f"loop:{number}", "assistant" if kind is Kind.TOOL_CALL else "tool", text)
            for number, (kind, text) in enumerate(narrator.loop)
        ]
        return messages

    def _history(self) -> list[Segment]:
        rows: list[Segment] = []
        for number, (key, role, text) in enumerate(self.narrator.history):
            if self.narrator.depth_lore and number == len(self.narrator.history) - 1:
                rows.append(self._talk(Kind.LORE, "lore:depth", "system", self.narrator.depth_lore))
            rows.append(self._talk(Kind.HISTORY, f"history:{key}", role, text))
        return [branch(Segment("history", Kind.HISTORY, plain("History")), rows)] if rows else []

    def _talk(self, kind: Kind, key: str, role: str, text: str, volatility: Volatility | None = None) -> Segment:
        return replace(self._message(Group.MESSAGES, kind, key, role, text), volatility=volatility)

    def _message(self, group: Group, kind: Kind, key: str, role: str, text: str) -> Segment:
        number = len(self.parts)
        name = key.removeprefix("tool:") if group is Group.TOOLS else ""
        self.parts.append(Part(group, number, 0, Field.CONTENT, text, role, name))
        return Segment(key, kind, plain(key), text, Place(number, 0, len(text)), role=role)


def call(turn: int, **fields: object) -> Call:
    """A call of a narrator on a model with cache marks."""
    made = Call(
        Address("s", str(turn), "narrator", 0),
        f"row-{turn}",
        f"turn-{turn}",
        model="claude-sonnet-4-6",
        provider="anthropic",
        usage=Usage(2000, 100, 1500, 100),
    )
    return replace(made, **fields)  # type: ignore[arg-type]  # Fields of Call by name, as a test gives them.


def turn_with(number: int, *events: Event) -> Turn:
    """A turn in which something happened."""
    return Turn("s", str(number), f"turn-{number}", events=events)
