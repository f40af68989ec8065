"""Two turns of an invented story as hand-built trees, in the shape the sources give them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

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
    Sentence,
    Setter,
    Volatility,
    plain,
    say,
)


@dataclass(frozen=True)
class Piece:
    """A segment to be: a leaf when it has text, else a branch. A branch ``together`` is one message."""

    key: str
    kind: Kind
    title: Sentence
    text: str = ""
    children: tuple["Piece", ...] = ()
    together: bool = False
    role: str = ""
    more: dict[str, Any] = field(default_factory=dict)


def leaf(key: str, kind: Kind, title: str, text: str, role: str = "", **more: Any) -> Piece:
    return Piece(key, kind, plain(title), text, role=role, more={"grade": Grade.EXACT, **more})


def branch(key: str, kind: Kind, title: str, *children: Piece, together: bool = False, role: str = "") -> Piece:
    return Piece(key, kind, plain(title), children=children, together=together, role=role)


class _Builder:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.parts: list[Part] = []

    def group(self, group: Group, pieces: Sequence[Piece]) -> Segment:
        titles = {
            Group.TOOLS: say("Tools"),
            Group.SYSTEM: say("System prompt"),
            Group.MESSAGES: say("Messages"),
            Group.RESPONSE_FORMAT: say("Response format"),
        }
        one_part = group is Group.SYSTEM
        if one_part:
            self._open(group, 0, "system")
        children = tuple(self._segment(piece, group, one_part) for piece in pieces)
        return Segment(group.value, Kind.GROUP, titles[group], children=children)

    def _open(self, group: Group, index: int, role: str) -> None:
        self.parts.append(Part(group, index, 0, Field.CONTENT, "", role))

    def _segment(self, piece: Piece, group: Group, inside: bool) -> Segment:
        if piece.children:
            if piece.together and not inside:
                self._open(group, len(self.parts), piece.role)
            children = tuple(self._segment(child, group, inside or piece.together) for child in piece.children)
            return Segment(piece.key, piece.kind, piece.title, children=children, role=piece.role, **piece.more)
        if not inside:
            self._open(group, len(self.parts), piece.role)
        number = len(self.parts) - 1
        start = len(self.parts[number].text)
        self.parts[number] = replace(self.parts[number], text=self.parts[number].text + piece.text)
        place = Place(number, start, start + len(piece.text))
        return Segment(piece.key, piece.kind, piece.title, text=piece.text, place=place, role=piece.role, **piece.more)


def tree(
    groups: Sequence[tuple[Group, Sequence[Piece]]],
    boundaries_after: Sequence[tuple[str, Setter, str]] = (),
    absent: Sequence[Absent] = (),
) -> SegmentTree:
    """A tree whose boundaries stand behind the leaves (or branches) with the given keys."""
    builder = _Builder()
    segments = tuple(builder.group(group, pieces) for group, pieces in groups)
    ends: dict[str, int] = {}
    for top in segments:
        for segment in top.walk():
            *_, last = segment.leaves()
            assert last.place is not None
            ends[segment.key] = last.place.part, last.place.end
    boundaries = tuple(
        Boundary(number, Place(ends[key][0], ends[key][1], ends[key][1]), setter, plain(note))
        for number, (key, setter, note) in enumerate(boundaries_after, start=1)
    )
    built = SegmentTree(Request(tuple(builder.parts)), segments, boundaries, tuple(absent))
    assert built.gaps() == []
    return built


SHEET_11 = "姓名:伊兰　体力 7/10　位置:石阶\n随身:火绒、旧罗盘\n「灯在,路就在。」"
SHEET_12 = "姓名:伊兰　体力 6/10　位置:水边\n随身:火绒、旧罗盘、半截绳子\n「灯在,路就在。」"


def _turn(number: int) -> SegmentTree:
    later = number > 11
    lines = ["把灯芯剪短,往下看", "问老人那只船的事", "沿石阶下到水边", "趁退潮去找那只断了桅的船", "等天亮"]
    history = []
    for turn in range(6, number):
        history.append(leaf(f"history:p{turn}", Kind.HISTORY, f"turn {turn} · player", lines[turn % 5], role="user"))
        history.append(
            leaf(
                f"history:s{turn}",
                Kind.HISTORY,
                f"turn {turn} · story",
                f"第{turn}回。雾从海面上爬上来,灯塔的光扫过去又扫回来。老人没有抬头,只把缆绳又绕了一圈。\n" * 6,
                role="assistant",
            )
        )
    lore = [
        leaf(
            "lore:lamp",
            Kind.LORE,
            "Lore · 灯塔 before",
            "灯塔由三代守夜人看守。" * 14,
            origin=Origin(table="lorebook_entries", rows=("lamp",)),
            reason=say("key {key}", key="灯塔"),
        )
    ]
    if later:
        lore.append(
            leaf(
                "lore:tide",
                Kind.LORE,
                "Lore · 潮汐表 after",
                "退潮时露出三级石阶,守夜人每夜记两次潮位。" * 5,
                reason=say("key {key} in player line", key="退潮"),
            )
        )
    system = [
        leaf(
            "preamble",
            Kind.PREAMBLE,
            "Preamble",
            "You are one runtime of a story engine. " * 12,
            volatility=Volatility.STABLE,
        ),
        leaf("mark:preamble", Kind.MARK, "Cache mark", "\ue000COVEL_CACHE_BREAK\ue000"),
        leaf(
            "body",
            Kind.BODY,
            "Runtime body",
            "你是叙事者。以第二人称写,短句,不替玩家做决定。\n" * 60,
            origin=Origin(plugin="narrator", file="plugins/narrator/PLUGIN.zh-CN.md", line=12),
        ),
        leaf("mark:body", Kind.MARK, "Cache mark", "\ue000COVEL_CACHE_BREAK\ue000"),
        leaf("world-lore", Kind.WORLD_LORE, "World lore", "盐滩之外没有地图。" * 60, origin=Origin(plugin="world")),
        leaf("separator:0", Kind.SEPARATOR, "Blank between segments", "\n\n"),
        leaf(
            "segment:character-blueprint/notes",
            Kind.EXTENSION,
            "Character notes",
            "玛拉:摆渡人,左手缺一指。" * 30,
            origin=Origin(plugin="character-blueprint"),
        ),
        *lore,
    ]
    context = [
        leaf(
            "segment:character-sheets/player",
            Kind.TURN_CONTEXT,
            "Player sheet",
            SHEET_12 if later else SHEET_11,
            origin=Origin(plugin="character-sheets", table="characters", rows=("player",)),
        ),
        leaf(
            "segment:world-init/dimensions",
            Kind.TURN_CONTEXT,
            "World dimensions",
            "潮位:低\n风:东北\n" * 14,
            origin=Origin(plugin="world-init"),
        ),
        leaf(
            "segment:memory/notes",
            Kind.TURN_CONTEXT,
            "Memory",
            "他欠老人一次。" * (30 if later else 24),
            origin=Origin(plugin="memory"),
        ),
    ]
    messages = [
        leaf(
            "summary:s1",
            Kind.SUMMARY,
            "Summary · turns 1–6",
            "前六回:灯塔换了守夜人,旧罗盘一直指着南方。" * 20,
            role="user",
            origin=Origin(plugin="history-compaction"),
        ),
        branch("history", Kind.HISTORY, f"History · {len(history)} messages", *history),
        branch("turn-context", Kind.TURN_CONTEXT, "Turn context", *context, together=True, role="user"),
        leaf("player-line", Kind.PLAYER_LINE, "Player line", lines[number % 5], role="user"),
    ]
    tools = [
        leaf(f"tool:{name}", Kind.TOOL, f"Tool · {name}", f'{{"type":"function","function":{{"name":"{name}"}}}}' * 4)
        for name in ("roll", "remember", "move", "give", "draw", "ask")
    ]
    absent = (
        ()
        if later
        else (
            Absent(
                "lore:tide",
                Kind.LORE,
                plain("Lore · 潮汐表 after"),
                AbsenceReason.NO_KEY,
                say("no key matched"),
                text="退潮时露出三级石阶。",
                after="lore:lamp",
            ),
        )
    )
    return tree(
        [(Group.TOOLS, tools), (Group.SYSTEM, system), (Group.MESSAGES, messages)],
        [
            ("mark:preamble", Setter.ENGINE, "written by the engine"),
            ("mark:body", Setter.ENGINE, "written by the engine"),
            ("history", Setter.PROVIDER, "next turn can read to here"),
            ("player-line", Setter.PROVIDER, "this turn's tool steps"),
        ],
        absent,
    )


TURN_11 = _turn(11)
TURN_12 = _turn(12)
