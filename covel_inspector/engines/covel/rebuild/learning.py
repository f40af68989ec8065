"""The engine's own sentences, read off recorded requests.

A sentence counts as learned only when every request that shows it agrees. Where it stands is known by structure
(a leaf's kind), never by wording. Follows the reference on the assembler, section 4.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from covel_inspector.domain import Field, Kind, Segment, SegmentTree
from covel_inspector.engines.covel.assembler.preamble import completion_kind
from covel_inspector.engines.covel.assembler.wording import language_name
from covel_inspector.engines.covel.attribution import SessionEvidence
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.rebuild.facts import RuntimeFacts
from covel_inspector.engines.covel.rebuild.observed import unescape

_INTEGER = re.compile(r"\d+")
_RETRY = re.compile(r"\[retry \d+\] ")
_LEAST_OVERLAP = 32
"""UTF-16 units or more that head and tail of a cut text must share with the whole one; see the reference on
attribution, section 5."""

Learned = Iterator[tuple[str, str]]
"""Pairs of text pack key and text."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A recorded request to learn from, with what is known of its runtime."""

    tree: SegmentTree
    facts: RuntimeFacts


def learn(lessons: Iterable[Lesson], evidence: SessionEvidence) -> dict[str, str]:
    """Text pack key → sentence, for the one instruction language of a session."""
    seen: dict[str, set[str]] = defaultdict(set)
    captions = _captions(evidence)
    outputs = [stringify(call.output) for call in evidence.tool_calls]
    for lesson in lessons:
        for key, text in _all(lesson, evidence.session.locale, captions, outputs):
            seen[key].add(text)
    return {key: next(iter(texts)) for key, texts in seen.items() if len(texts) == 1}


def _all(lesson: Lesson, locale: str, captions: Sequence[str], outputs: Sequence[str]) -> Learned:
    yield from _preamble(lesson, locale)
    story = [segment.whole_text for segment in lesson.tree.walk() if segment.kind is Kind.STORY and segment.is_leaf]
    for segment in lesson.tree.walk():
        teach = _TEACHERS.get(segment.kind)
        if teach is not None:
            yield from teach(segment)
        elif segment.kind is Kind.INPUTS:
            yield from _story_note(segment, story)
        elif segment.kind is Kind.TOOL_RESULT and segment.is_leaf:
            yield from _cut_marker(segment.text, outputs)
    yield from _pictures(lesson.tree, captions)


def _preamble(lesson: Lesson, locale: str) -> Learned:
    parts = {
        leaf.key.removeprefix("preamble:"): leaf.text for leaf in lesson.tree.leaves() if leaf.kind is Kind.PREAMBLE
    }
    if "runtime" in parts:
        yield "preamble.runtime", parts["runtime"]
    if "language" in parts:
        name, _ = language_name(locale)
        if name in parts["language"]:
            yield "preamble.language", parts["language"].replace(name, "{languageName}")
    if "completion" in parts and lesson.facts.declared is not None:
        yield from _completion(lesson.facts, parts["completion"])


def _completion(facts: RuntimeFacts, text: str) -> Learned:
    kind = completion_kind(facts.manifest)
    key = f"preamble.completion.{kind}"
    if kind == "runtime-done":
        first, _, second = text.partition("\n")
        yield key, first
        yield f"{key}.{'record' if facts.manifest.require_tool_use else 'quiet'}", second
    elif kind == "completing-tool":
        tools = facts.manifest.complete_after_tools
        name = f"`{tools[0]}`"
        # How several names are joined to a phrase can only be learned where several stand.
        if len(tools) == 1 and name in text:
            yield key, text.replace(name, "{tool}")
            yield f"{key}.one", "{name}"
    else:
        yield key, text


def _events(segment: Segment) -> Learned:
    body = segment.whole_text.rpartition("\n")[0]
    catalog, divider, instruction = body.rpartition("\n\n")
    if divider and catalog:
        yield "events.instruction", instruction


def _cue(segment: Segment) -> Learned:
    yield "story.cue", segment.whole_text


def _summary(segment: Segment) -> Learned:
    _, close, note = segment.whole_text.rpartition("</compacted_history>\n")
    if close:
        yield "summary.note", note


def _lore(segment: Segment) -> Learned:
    label = str(segment.title.values.get("label", ""))
    heading = segment.whole_text.partition("\n")[0]
    if label and heading.count(label) == 1:
        yield "lore.heading", heading.replace(label, "{label}")


def _marker(segment: Segment) -> Learned:
    yield "pruned.marker", segment.whole_text


def _own_data(segment: Segment) -> Learned:
    text = segment.whole_text
    if "\n" not in text:
        yield "plugindata.none", text.partition(">")[2].rpartition("</")[0]
        return
    lines = text.split("\n")[1:-1]
    shown = sum(1 for line in lines if line.startswith("- "))
    last = lines[-1] if lines else ""
    numbers = _INTEGER.findall(last)
    if last and not last.startswith("- ") and len(set(numbers)) == len(numbers) == 2 and str(shown) in numbers:
        total = next(number for number in numbers if number != str(shown))
        yield "plugindata.more", last.replace(total, "{total}").replace(str(shown), "{shown}")


def _retry(segment: Segment) -> Learned:
    match = _RETRY.match(segment.whole_text)
    if match is not None:
        yield "retry.hint", segment.whole_text[match.end() :]


def _story_note(segment: Segment, stories: Sequence[str]) -> Learned:
    """With a story in the request, a single input that is not the story itself is the note that points to it."""
    if not stories:
        return
    try:
        slots = json.loads(unescape(segment.whole_text.partition("\n")[2].rpartition("\n")[0]))
    except ValueError:
        return
    if not isinstance(slots, dict) or len(slots) != 1:
        return
    slot = next(iter(slots.values()))
    value = slot.get("value") if isinstance(slot, dict) and slot.get("cardinality") == "one" else None
    if isinstance(value, str) and value and not any(value in story or story in value for story in stories):
        yield "inputs.storyNote", value


def _cut_marker(text: str, outputs: Sequence[str]) -> Learned:
    """A tool result that is the head and the tail of a recorded output around a middle of its own."""
    if text in outputs:
        return
    for output in outputs:
        head = _common_prefix(text, output)
        tail = _common_prefix(text[::-1], output[::-1])
        if head < _LEAST_OVERLAP or tail < _LEAST_OVERLAP or head + tail > len(text) or len(output) <= len(text):
            continue
        middle = text[head : len(text) - tail]
        if middle.startswith("\n") and middle.endswith("\n"):
            yield "truncation.toolResult", middle


def _common_prefix(a: str, b: str) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _captions(evidence: SessionEvidence) -> list[str]:
    found: list[str] = []
    for row in evidence.rows:
        for block in row.ui if isinstance(row.ui, list) else ():
            data = block.get("data") if isinstance(block, dict) else None
            meta = data.get("meta") if isinstance(data, dict) else None
            if isinstance(meta, dict):
                found.extend(value for name in ("caption", "prompt") if isinstance(value := meta.get(name), str))
    return sorted(filter(None, found), key=len, reverse=True)


def _pictures(tree: SegmentTree, captions: Sequence[str]) -> Learned:
    """A heading, then a numbered line for each picture; one without a known caption is not learned from."""
    with_media = {part.index for part in tree.request.parts if part.field is Field.MEDIA_PART}
    lines = [part.text for part in tree.request.parts if part.field is Field.TEXT_PART and part.index in with_media]
    if not lines:
        return
    yield "pictures.heading", lines[0]
    for number, line in enumerate(lines[1:], 1):
        caption = next((text for text in captions if line.endswith(text)), "")
        front = line.removesuffix(caption) if caption else ""
        if front.count(str(number)) == 1:
            yield "pictures.item", front.replace(str(number), "{index}") + "{caption}"


_TEACHERS: dict[Kind, Callable[[Segment], Learned]] = {
    Kind.EVENTS: _events,
    Kind.CUE: _cue,
    Kind.SUMMARY: _summary,
    Kind.LORE: _lore,
    Kind.PRUNE_MARKER: _marker,
    Kind.OWN_DATA: _own_data,
    Kind.RETRY_HINT: _retry,
}
