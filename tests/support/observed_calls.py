"""Made-up attributed calls for what is learned over a session: segments in places, runtimes with and without them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from covel_inspector.domain import (
    Boundary,
    Grade,
    Group,
    Kind,
    Observation,
    Origin,
    Part,
    Place,
    Request,
    Segment,
    SegmentTree,
    Setter,
    say,
)
from covel_inspector.domain import Field as PartField
from covel_inspector.engines.covel.attribution import CallMoment, SegmentObserving, SessionEvidence, index_session
from covel_inspector.engines.covel.records.manifests import (
    Checkout,
    FilePlace,
    Localized,
    PluginManifest,
    RuntimeManifest,
)
from covel_inspector.engines.covel.records.rows import SessionRow


@dataclass(frozen=True)
class Asked:
    """One call: its runtime (also its plugin), its turn, and texts of segments by name and place.

    A name that begins with ``?/`` is of a block whose plugin nobody knows; ``#2`` marks a second one of a name.
    """

    runtime: str
    turn: str
    kept: Mapping[str, str] = field(default_factory=dict)
    tail: Mapping[str, str] = field(default_factory=dict)
    context: Mapping[str, str] = field(default_factory=dict)
    message: Mapping[str, str] = field(default_factory=dict)
    unknown: str = ""
    has_world_lore: bool = False


def observed(
    asked: Iterable[Asked], plugin: str = "maker", stories: tuple[str, ...] = (), others: tuple[str, ...] = ()
) -> dict[str, Observation]:
    """Observations by name of segment. ``stories`` and ``others`` are runtimes whose manifests are at hand."""
    checkout = _checkout(stories, others) if stories or others else None
    index = index_session(SessionEvidence(SessionRow(id="s", active_plugins=()), checkout=checkout))
    observing = SegmentObserving(index)
    for one in asked:
        observing.see(_tree(one, plugin), CallMoment(f"turn-{one.turn}", one.runtime, one.runtime), one.turn)
    found = observing.observations()
    return {key.removeprefix("segment:").removeprefix(f"{plugin or '-'}/"): seen for key, seen in found.items()}


def _checkout(stories: Iterable[str], others: Iterable[str]) -> Checkout:
    kinds = {**dict.fromkeys(others, "plugin"), **dict.fromkeys(stories, "story")}
    place = FilePlace("PLUGIN.md")
    plugins = {
        name: PluginManifest(
            name, "1", name, place,
            runtimes=(RuntimeManifest(name, name, "agent", Localized({"": ""}), place, visibility=kind),),
        )
        for name, kind in kinds.items()
    }  # fmt: skip
    return Checkout("root", plugins)


def _tree(asked: Asked, plugin: str) -> SegmentTree:
    """A system prompt with its mark in the middle, a turn context, and messages."""
    system: list[Segment] = []
    if asked.has_world_lore:
        system.append(_leaf("world-lore", Kind.WORLD_LORE, "", "lore"))
    system += [_segment(name, text, plugin) for name, text in asked.kept.items()]
    system.append(_leaf("mark", Kind.MARK, "", "|"))
    marked = len(system)
    system += [_segment(name, text, plugin) for name, text in asked.tail.items()]
    if asked.unknown:
        system.append(_leaf("unknown:0", Kind.UNKNOWN, "", asked.unknown))
    head, leaves = _laid(0, system)
    texts, groups = [head], [_branch(Group.SYSTEM.value, Kind.GROUP, leaves)]
    told: list[Segment] = []
    if asked.context:
        text, inner = _laid(len(texts), [_segment(name, one, plugin) for name, one in asked.context.items()])
        texts.append(text)
        told.append(_branch("turn-context", Kind.TURN_CONTEXT, inner))
    for name, one in asked.message.items():
        text, inner = _laid(len(texts), [_segment(name, one, plugin)])
        texts.append(text)
        told += inner
    if told:
        groups.append(_branch(Group.MESSAGES.value, Kind.GROUP, told))
    parts = tuple(
        Part(Group.MESSAGES if number else Group.SYSTEM, number, 0, PartField.CONTENT, text, "system")
        for number, text in enumerate(texts)
    )
    end = leaves[marked - 1].place
    assert end is not None
    boundary = Boundary(1, Place(0, end.end, end.end), Setter.ENGINE, say("Cache mark"))
    tree = SegmentTree(Request(parts), tuple(groups), (boundary,))
    assert tree.gaps() == []
    return tree


def _segment(name: str, text: str, plugin: str) -> Segment:
    is_unknown = name.startswith("?/") or not plugin
    tag = name.removeprefix("?/").partition("#")[0]
    key = f"segment:{name}" if name.startswith("?/") else f"segment:{plugin or '-'}/{name}"
    leaf = _leaf(key, Kind.UNKNOWN if is_unknown else Kind.EXTENSION, tag, f"<{tag}>\n{text}\n</{tag}>")
    origin = Origin(segment=tag) if is_unknown else Origin(plugin=plugin, segment=tag)
    return Segment(leaf.key, leaf.kind, say("Segment · {name}", name=tag), leaf.text, origin=origin, grade=Grade.TAG)


def _leaf(key: str, kind: Kind, name: str, text: str) -> Segment:
    return Segment(key, kind, say("Segment · {name}", name=name), text)


def _branch(key: str, kind: Kind, children: Iterable[Segment]) -> Segment:
    return Segment(key, kind, say("Segment · {name}", name=key), children=tuple(children))


def _laid(part: int, segments: Iterable[Segment]) -> tuple[str, list[Segment]]:
    """The joined text and the segments at their places in it."""
    text, laid = "", []
    for one in segments:
        laid.append(
            Segment(
                one.key, one.kind, one.title, one.text, Place(part, len(text), len(text) + len(one.text)),
                origin=one.origin, grade=one.grade,
            )
        )  # fmt: skip
        text += one.text
    return text, laid
