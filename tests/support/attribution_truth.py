"""Attributed trees held against the samples' truth files: spans in UTF-16 units, kinds and sources."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sample_calls import DATA

from covel_inspector.domain import Grade, Kind, Segment, SegmentTree

_KINDS = {
    "preamble": {Kind.PREAMBLE},
    "body": {Kind.BODY},
    "cache-mark": {Kind.MARK},
    "world-lore": {Kind.WORLD_LORE},
    "segment": {Kind.EXTENSION},
    "segment-depth": {Kind.EXTENSION},
    "pre-history": {Kind.EXTENSION},
    "post-history": {Kind.EXTENSION},
    "lore": {Kind.LORE},
    "lore-depth": {Kind.LORE},
    "available-events": {Kind.EVENTS},
    "runtime-inputs": {Kind.INPUTS},
    "runtime-exports": {Kind.EXPORTS},
    "runtime-activation": {Kind.ACTIVATION},
    "self-data": {Kind.OWN_DATA},
    "summary": {Kind.SUMMARY},
    "history": {Kind.HISTORY},
    "picture-note": {Kind.NOTE},
    "pictures": {Kind.PICTURES},
    "current": {Kind.PLAYER_LINE},
    "story": {Kind.STORY},
    "cue": {Kind.CUE},
    "tool-call": {Kind.TOOL_CALL, Kind.REASONING, Kind.LOOP_NOTE},
    "tool-result": {Kind.TOOL_RESULT},
    "retry-hint": {Kind.RETRY_HINT},
    "prune-marker": {Kind.PRUNE_MARKER},
}


@dataclass(frozen=True)
class TrueSpan:
    """A span of one message, in UTF-16 units; ``end`` None = the whole message."""

    message: int
    start: int
    end: int | None
    kind: str
    facts: dict[str, Any]


def truth_of(name: str) -> dict[str, list[TrueSpan]]:
    """The true spans of every call of a sample by row id; concealed calls have none."""
    truth = json.loads((DATA / f"{name}.truth.json").read_text(encoding="utf-8"))
    return {call["event"]: list(_spans(call)) for call in truth["calls"]}


def _spans(call: dict[str, Any]) -> Iterator[TrueSpan]:
    for span in call.get("system", ()):
        yield TrueSpan(0, span["start"], span["end"], span["kind"], span)
    for number, message in enumerate(call.get("messages", ())):
        if message["kind"] == "turn-context":
            for part in message["parts"]:
                yield TrueSpan(number, part["start"], part["end"], part["kind"], part)
        elif message["kind"] != "system":
            yield TrueSpan(number, 0, None, message["kind"], message)


@dataclass
class Outcome:
    """Characters by runtime and grade, and the claims that contradict the truth."""

    wrong: list[str]
    shares: Counter[tuple[str, Grade]]

    def covered(self) -> float:
        """Share of characters that are not unknown."""
        total = sum(self.shares.values())
        unknown = sum(count for (_, grade), count in self.shares.items() if grade is Grade.UNKNOWN)
        return 1 - unknown / total

    def firm(self) -> float:
        """Share of characters with a grade better than a guess."""
        total = sum(self.shares.values())
        soft = sum(n for (_, grade), n in self.shares.items() if grade in (Grade.UNKNOWN, Grade.GUESS))
        return 1 - soft / total

    def of(self, runtime: str) -> "Outcome":
        """The characters of one runtime alone."""
        return Outcome([], Counter({key: count for key, count in self.shares.items() if key[0] == runtime}))

    def table(self) -> str:
        """Shares per runtime and grade, claimed and firm ones first, and of all runtimes together, as text."""
        lines = [
            f"{'runtime':28}{'characters':>11}{'claimed':>9}{'firm':>9}" + "".join(f"{g.value:>11}" for g in Grade)
        ]
        runtimes = sorted({runtime for runtime, _ in self.shares})
        lines.extend(self.of(runtime)._line(runtime) for runtime in runtimes)
        return "\n".join([*lines, self._line("all")])

    def _line(self, title: str) -> str:
        total = sum(self.shares.values())
        grades = Counter[Grade]()
        for (_, grade), count in self.shares.items():
            grades[grade] += count
        head = f"{title:28}{total:11}{self.covered():9.1%}{self.firm():9.1%}"
        return head + "".join(f"{grades[grade] / total:11.1%}" for grade in Grade)


def compare(tree: SegmentTree, spans: list[TrueSpan], runtime: str, outcome: Outcome) -> None:
    """Adds a call to the outcome: every claim must lie in one true span of its kind and source."""
    for leaf in tree.leaves():
        part = tree.request.parts[leaf.place.part] if leaf.place else None
        if part is None or part.group.value not in ("system", "messages") or leaf.kind is Kind.SEPARATOR:
            continue
        outcome.shares[runtime, leaf.grade] += len(leaf.text)
        if leaf.grade is Grade.UNKNOWN or not leaf.text:
            continue
        start = _units(part.text[: leaf.place.start])
        end = start + _units(leaf.text)
        holding = [s for s in spans if s.message == part.index and s.start <= start and (s.end is None or end <= s.end)]
        said = f"{runtime} message {part.index} {start}-{end} {leaf.key}"
        if len(holding) != 1:
            outcome.wrong.append(f"{said}: no true span holds it")
        elif problem := _contradiction(leaf, holding[0]):
            outcome.wrong.append(f"{said}: {problem}, truly {holding[0]}")


def _contradiction(leaf: Segment, span: TrueSpan) -> str:
    origin, facts = leaf.origin, span.facts
    if leaf.kind not in _KINDS[span.kind]:
        return f"kind {leaf.kind}"
    checks = {
        "provider": (origin.plugin, {facts.get("provider")}),
        "id": (origin.segment, {facts.get("id"), *_tags(leaf)}),
        "row": (",".join(origin.rows), {facts.get("row")}),
        "rows": (",".join(origin.rows), {"", *facts.get("rows", ()), ",".join(facts.get("rows", ()))}),
        "entry": (",".join(origin.rows), {facts.get("entry")}),
        "summary": (",".join(origin.rows), {"", facts.get("summary")}),
        "runtime": (origin.runtime, {facts.get("runtime")}),
        "tag": (origin.segment, {facts.get("tag")}),
    }
    for name, (said, allowed) in checks.items():
        if name == "id" and leaf.kind is not Kind.EXTENSION:
            continue
        if name in facts and said not in allowed:
            return f"{name} {said!r}"
    return ""


def _tags(leaf: Segment) -> set[str]:
    """The tag that encloses a segment names it as well, where its id is not known."""
    return {leaf.origin.segment} if leaf.text.startswith(f"<{leaf.origin.segment.partition(':')[0]}") else set()


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
