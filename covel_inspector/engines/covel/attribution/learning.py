"""The engine's fixed sentences, learned from attributed recorded calls. Keys as in the reference on the assembler, 4.

A rebuild that uses them has the wording of the engine that made the recording, not ours.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from covel_inspector.domain import Grade, Kind, Segment, SegmentTree
from covel_inspector.engines.covel.assembler.escaping import unescape
from covel_inspector.engines.covel.assembler.wording import language_name
from covel_inspector.engines.covel.attribution.completions import MANY, completion_texts, many_text
from covel_inspector.engines.covel.attribution.cuts import cut_marker
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.attribution.loop import RETRY
from covel_inspector.engines.covel.attribution.message_labels import WROTE_NOTHING
from covel_inspector.engines.covel.attribution.pictures import caption_of
from covel_inspector.engines.covel.attribution.stored_calls import stored_text
from covel_inspector.engines.covel.javascript.locales import instruction_language
from covel_inspector.engines.covel.textpack import TextPack

LearnedTexts = Mapping[str, Mapping[str, str]]
"""Text pack key -> instruction language (``en``, ``zh``) -> text; lines joined by LF."""

_NUMBER = re.compile(r"\d+")
_ONE_LINE = re.compile(r"<([^<>\n]+)>([^<\n]*)</\1>")


@dataclass(frozen=True, slots=True)
class Lesson:
    """An attributed recorded call to learn from, with the index it was attributed by."""

    tree: SegmentTree
    moment: CallMoment
    index: SessionIndex


def learn_pack(lessons: Iterable[Lesson]) -> LearnedTexts:
    """The fixed sentences seen in attributed calls, by key and instruction language.

    A sentence is only given when every call that shows it agrees on it.
    """
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for lesson in lessons:
        language = instruction_language(lesson.index.evidence.session.locale)
        for key, text in _texts_of(lesson):
            votes[key, language][text] += 1
    learned: dict[str, dict[str, str]] = defaultdict(dict)
    for (key, language), texts in votes.items():
        if len(texts) == 1:
            learned[key][language] = next(iter(texts))
    _settle_many(learned)
    return dict(learned)


def overlay(pack: TextPack, learned: LearnedTexts) -> TextPack:
    """The pack with every learned sentence in its place."""
    texts = {key: {language: (text,) for language, text in variants.items()} for key, variants in learned.items()}
    return pack.overlaid(TextPack(texts))


def _settle_many(learned: dict[str, dict[str, str]]) -> None:
    """A sentence seen with several tools gets its form from the sentence seen with one, where both are known."""
    for language, sentence in learned.pop(MANY, {}).items():
        for key, text in many_text(sentence, {name: texts.get(language, "") for name, texts in learned.items()}):
            learned.setdefault(key, {})[language] = text


def _texts_of(lesson: Lesson) -> Iterator[tuple[str, str]]:
    stories = {leaf.text for leaf in lesson.tree.leaves() if leaf.kind is Kind.STORY}
    for segment in lesson.tree.walk():
        if segment.kind is Kind.INPUTS:
            if segment.key == Kind.INPUTS:
                yield from _story_note(segment.whole_text, stories, lesson)
        elif segment.is_leaf:
            yield from _texts_of_leaf(segment, lesson)


def _texts_of_leaf(leaf: Segment, lesson: Lesson) -> Iterator[tuple[str, str]]:
    match leaf.kind:
        case Kind.PREAMBLE:
            yield from _preamble(leaf, lesson)
        case Kind.EVENTS:
            instruction = leaf.text.rpartition("\n\n")[2].rpartition("\n</")[0]
            if instruction:
                yield "events.instruction", instruction
        case Kind.LORE:
            yield from _lore_heading(leaf)
        case Kind.PICTURES:
            yield from _picture(leaf, lesson.index)
        case Kind.OWN_DATA if leaf.key.startswith("own-data:"):
            yield from _own_data(leaf.text)
        case Kind.TOOL_RESULT:
            yield from _shortened(leaf, lesson.index)
        case _:
            yield from _whole(leaf, lesson)


def _whole(leaf: Segment, lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Leaves that are one fixed sentence."""
    if leaf.kind is Kind.CUE:
        yield "story.cue", leaf.text
    elif leaf.kind is Kind.PRUNE_MARKER:
        yield "pruned.marker", leaf.text
    elif leaf.kind is Kind.RETRY_HINT:
        hint = RETRY.sub("", leaf.text, count=1)
        yield "retry.hint", hint.removeprefix(" ")
    elif leaf.key == "summary-note":
        yield "summary.note", leaf.text.removeprefix("\n")
    elif leaf.key == "player-line" and WROTE_NOTHING in leaf.notes:
        if lesson.moment.runtime_id in leaf.text:
            yield "turn.manualTrigger", leaf.text.replace(lesson.moment.runtime_id, "{runtimeId}")
        else:
            yield "turn.emptyInput", leaf.text


def _preamble(leaf: Segment, lesson: Lesson) -> Iterator[tuple[str, str]]:
    if leaf.key == "preamble:runtime":
        yield "preamble.runtime", leaf.text
    elif leaf.key == "preamble:language":
        name, _ = language_name(lesson.index.evidence.session.locale)
        if leaf.text.count(name) == 1:
            yield "preamble.language", leaf.text.replace(name, "{languageName}")
    elif leaf.key == "preamble:completion":
        yield from completion_texts(leaf.text, lesson.tree, lesson.index.runtime(lesson.moment.runtime_id))


def _story_note(text: str, stories: set[str], lesson: Lesson) -> Iterator[tuple[str, str]]:
    """The sentence that stands for a story which the conversation shows anyway."""
    runtimes = {leaf.origin.runtime for leaf in lesson.tree.leaves() if leaf.kind is Kind.STORY}
    inner = text.partition("\n")[2].rpartition("\n")[0]
    try:
        slots = json.loads(unescape(inner))
    except (ValueError, RecursionError):
        return
    for slot in slots.values() if isinstance(slots, dict) else ():
        if not isinstance(slot, dict) or slot.get("cardinality") != "one":
            continue
        source, value = slot.get("source"), slot.get("value")
        told = isinstance(source, dict) and source.get("runtimeId") in runtimes
        if told and isinstance(value, str) and value not in stories:
            yield "inputs.storyNote", value


def _lore_heading(leaf: Segment) -> Iterator[tuple[str, str]]:
    label = str(leaf.title.values.get("label", ""))
    heading = leaf.text.partition("\n")[0]
    if label and heading.count(label) == 1:
        yield "lore.heading", heading.replace(label, "{label}")


def _picture(leaf: Segment, index: SessionIndex) -> Iterator[tuple[str, str]]:
    if leaf.key == "pictures:heading":
        yield "pictures.heading", leaf.text
    number = leaf.key.removeprefix("pictures:item:")
    if number == leaf.key or not leaf.origin.rows:
        return
    caption = next((caption_of(row.row.ui) for row in index.rows if row.row.id == leaf.origin.rows[0]), "")
    head = leaf.text.removesuffix(caption)
    if caption and head != leaf.text and head.count(number) == 1:
        yield "pictures.item", head.replace(number, "{index}") + "{caption}"


def _own_data(text: str) -> Iterator[tuple[str, str]]:
    single = _ONE_LINE.fullmatch(text)
    if single is not None:
        yield "plugindata.none", single[2]
        return
    lines = text.split("\n")[1:-1]
    shown = sum(1 for line in lines if line.startswith("- "))
    numbers = _NUMBER.findall(lines[-1]) if lines and not lines[-1].startswith("- ") else []
    if sorted(numbers) != sorted(set(numbers)) or len(numbers) != 2 or str(shown) not in numbers:
        return
    yield (
        "plugindata.more",
        _NUMBER.sub(lambda found: "{shown}" if found[0] == str(shown) else "{total}", lines[-1]),
    )


def _shortened(leaf: Segment, index: SessionIndex) -> Iterator[tuple[str, str]]:
    if leaf.grade is not Grade.TEMPLATE or leaf.origin.table != "tool_calls":
        return
    row = next((call for call in index.evidence.tool_calls if call.id == leaf.origin.rows[0]), None)
    marker = cut_marker(leaf.text, stored_text(row.output)) if row is not None else ""
    if marker:
        yield "truncation.toolResult", marker
