"""Requests of two made-up stories as trees that keep the invariant: what the fake source shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from covel_inspector.domain import (
    AbsenceReason,
    Absent,
    Boundary,
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
    Setter,
    Volatility,
    plain,
    say,
)
from covel_inspector.domain.building import branch, tile

DANGEROUS = "A red \x1b[31mlantern\x1b[0m, a torn \ud83d half, a bell\a and a rare 𠮷 · 🔥"
"""Escape sequence, lone surrogate, control character, two characters above U+FFFF."""

Message = tuple[str, Sequence[Segment]]
"""A role and the segments (with texts, without places) that make up one message."""


def piece(key: str, kind: Kind, title: str, text: str, **fields: object) -> Segment:
    """A segment that has a text and no place yet."""
    made = Segment(key=key, kind=kind, title=plain(title), text=text, grade=Grade.EXACT, reason=plain("as declared"))
    return replace(made, **fields)  # type: ignore[arg-type]  # Fields of Segment by name, as a test gives them.


def tree(messages: Sequence[Message], tools: Sequence[str] = (), absent: Sequence[Absent] = ()) -> SegmentTree:
    """A tree that keeps the invariant: the first ``system`` message is the system prompt."""
    parts = [
        Part(Group.TOOLS, number, 0, Field.DEFINITION, _tool(name), name=name) for number, name in enumerate(tools)
    ]
    tool_leaves = [
        piece(f"tool:{name}", Kind.TOOL, f"Tool · {name}", part.text, place=Place(number, 0, len(part.text)))
        for number, (name, part) in enumerate(zip(tools, parts, strict=True))
    ]
    leaves: list[tuple[Group, Segment]] = [(Group.TOOLS, leaf) for leaf in tool_leaves]
    boundaries: list[Boundary] = []
    for index, (role, pieces) in enumerate(messages):
        group = Group.SYSTEM if index == 0 and role == "system" else Group.MESSAGES
        number = len(parts)
        parts.append(Part(group, index, 0, Field.CONTENT, "".join(one.text for one in pieces), role))
        claims, position = [], 0
        for one in pieces:
            end = position + len(one.text)
            claims.append(replace(one, place=Place(number, position, end), role=role))
            position = end
        leaves.extend((group, leaf) for leaf in tile(parts, number, claims))
        if group is Group.SYSTEM:
            boundaries.append(
                Boundary(1, Place(number, position, position), Setter.ENGINE, plain("behind the system prompt"))
            )
    groups = tuple(_group(group, [leaf for of, leaf in leaves if of is group]) for group in _groups(leaves))
    return SegmentTree(Request(tuple(parts)), groups, tuple(boundaries), tuple(absent))


def _tool(name: str) -> str:
    return f'{{"name":"{name}","description":"Do {name}.","parameters":{{"type":"object"}}}}'


def _groups(leaves: Sequence[tuple[Group, Segment]]) -> Iterator[Group]:
    present = {group for group, _ in leaves}
    return (group for group in Group if group in present)


def _group(group: Group, leaves: Sequence[Segment]) -> Segment:
    children: list[Segment] = []
    for history, run in groupby(leaves, lambda leaf: leaf.kind is Kind.HISTORY):
        members = list(run)
        if history:
            children.append(branch(piece("history", Kind.HISTORY, f"History · {len(members)} messages", ""), members))
        else:
            children.extend(members)
    title = {Group.TOOLS: "Tools", Group.SYSTEM: "System prompt", Group.MESSAGES: "Messages"}.get(group, group.value)
    return branch(Segment(key=group.value, kind=Kind.GROUP, title=plain(title)), children)


@dataclass(frozen=True, slots=True)
class Script:
    """The texts of one made-up story."""

    preamble: str
    body: str
    lore: str
    night: str
    clock: str
    lines: tuple[str, ...]
    answers: tuple[str, ...]


TIDE = Script(
    preamble="You are one runtime of a story engine.\n\n",
    body="# Narrator\n\nTell what the player sees. Two short paragraphs, no lists.\n\n",
    lore="The harbour of Tidewater closes at dusk. Nobody rows out after the second bell.\n\n",
    night="The night watch carries red lanterns.\n\n",
    clock="<dimensions>\nhour: {hour}\ntide: {tide}\n</dimensions>",
    lines=("I walk down to the quay.", "I ask the clerk about the red lantern.", "I row out after the second bell."),
    answers=("The boards are wet and the bell has not rung.", DANGEROUS),
)
WATCH = Script(
    preamble="你是故事引擎里的一个运行体。\n\n",
    body="# 叙事者\n\n写玩家看见的东西。两段短文，不列清单。\n\n",
    lore="烬望塔的火不能熄。守夜人每隔一个时辰添一次柴。\n\n",
    night="夜里有人敲门时，先问名字，再开门。\n\n",
    clock="<dimensions>\n时辰：{hour}\n火势：{tide}\n</dimensions>",
    lines=("我走上塔顶。", "我听见敲门声，问来人是谁。", "我打开门。"),
    answers=("风很大，火苗压得很低。", "门外的人说：“阿箬。” 𠮷字旗在他身后。"),
)


def narrator(script: Script, turn: int, clock: bool = True, loop: bool = False) -> SegmentTree:
    """The narrator's request in a turn: history grows, lore about the night is there from turn 2 on."""
    system = [
        piece("preamble:runtime", Kind.PREAMBLE, "Preamble", script.preamble, volatility=Volatility.STABLE),
        piece(
            "body",
            Kind.BODY,
            "Runtime body",
            script.body,
            volatility=Volatility.STABLE,
            origin=Origin(plugin="narrator", runtime="narrator", file="plugins/narrator/PLUGIN.md", line=12),
        ),
        piece("world-lore", Kind.WORLD_LORE, "World lore", script.lore, volatility=Volatility.SESSION),
    ]
    absent = []
    night = piece(
        "lore:night",
        Kind.LORE,
        "Lore · night",
        script.night,
        origin=Origin(table="lorebook_entries", rows=("night",)),
        notes=(plain("matched by a key in the player line"),),
    )
    if turn > 1:
        system.append(night)
    else:
        absent.append(
            Absent("lore:night", Kind.LORE, night.title, AbsenceReason.NO_KEY, plain("no key matched"), script.night)
        )
    messages: list[Message] = [("system", system)]
    for earlier in range(1, turn):
        said, told = script.lines[earlier - 1], script.answers[earlier - 1]
        messages.append(("user", [piece(f"history:{earlier}u", Kind.HISTORY, f"Turn {earlier} · user", said)]))
        messages.append(("assistant", [piece(f"history:{earlier}a", Kind.HISTORY, f"Turn {earlier} · story", told)]))
    if clock:
        text = script.clock.format(hour=turn + 17, tide="低" if script is WATCH else "ebb") + "\n\n"
        clock_piece = piece("segment:dimensions/dimensions", Kind.EXTENSION, "Segment · dimensions", text)
        messages.append(("user", [replace(clock_piece, volatility=Volatility.TURN)]))
    messages.append(("user", [piece("player-line", Kind.PLAYER_LINE, "Player line", script.lines[turn - 1])]))
    if loop:
        asked, answered = '{"name":"roll_dice","arguments":"{}"}', '{"data":{"roll":4}}'
        messages.append(("assistant", [piece("tool-call:0", Kind.TOOL_CALL, "Tool call · roll_dice", asked)]))
        messages.append(("tool", [piece("tool-result:0", Kind.TOOL_RESULT, "Tool result · roll_dice", answered)]))
    return tree(messages, ("roll_dice",), absent)


def clerk(script: Script, turn: int) -> SegmentTree:
    """A small request without tools, whose last lines nobody claims."""
    system = [piece("body", Kind.BODY, "Runtime body", script.body)]
    unknown = Segment("unknown:0", Kind.UNKNOWN, say("Unknown"), f"({turn})", grade=Grade.UNKNOWN)
    line = piece("player-line", Kind.PLAYER_LINE, "Player line", script.lines[turn - 1])
    return tree([("system", system), ("user", [line, unknown])])
