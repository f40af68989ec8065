"""The system prompt's claims: which piece is what, and what stands in it. Follows the reference on attribution, 3."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from covel_inspector.domain import Boundary, Grade, Kind, Origin, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.blocks import Block, Blocks, ends_paragraph
from covel_inspector.engines.covel.attribution.body import Found, body_claim, find_body
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.attribution.dynamic import STABLE_PART, name_block
from covel_inspector.engines.covel.attribution.dynamic import TAIL as TAIL_PART
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.attribution.lore import AFTER, BEFORE, FoundLore, lore_claim, lore_in
from covel_inspector.engines.covel.attribution.pieces import (
    BODY,
    LORE,
    OPEN,
    PREAMBLE,
    STABLE,
    TAIL,
    Piece,
    boundary,
    cut,
    mark_claim,
)
from covel_inspector.engines.covel.attribution.preamble import preamble_claim, preamble_end
from covel_inspector.engines.covel.attribution.statics import statics_in
from covel_inspector.engines.covel.records.naming import TITLES

_EVENTS, _ACTIVATION, _WORLD_LORE = "available-events", "runtime-activation", "world-lore"
_BLOCK_REASON = say("a block that only the engine writes, where it writes it")


@dataclass(slots=True)
class _Reading:
    """One system prompt while it is being read."""

    text: str
    moment: CallMoment
    index: SessionIndex
    claims: list[Claim] = field(default_factory=list)
    used_lore: set[tuple[str, str]] = field(default_factory=set)
    body: Found | None = None
    lore: dict[int, list[FoundLore]] = field(default_factory=dict)
    blocks: dict[tuple[int, int], Blocks] = field(default_factory=dict)

    def blocks_of(self, start: int, end: int) -> Blocks:
        """The tagged blocks of a stretch, looked for once."""
        found = self.blocks.get((start, end))
        if found is None:
            found = self.blocks[start, end] = Blocks(self.text, start, end)
        return found

    def lore_of(self, start: int, end: int) -> list[FoundLore]:
        """The lorebook entries of a stretch, looked for once."""
        found = self.lore.get(start)
        if found is None:
            found = self.lore[start] = list(lore_in(self.index.lore, self.text, start, end))
        return found


def read_system_prompt(
    text: str, part: int, moment: CallMoment, index: SessionIndex
) -> tuple[list[Claim], list[Boundary]]:
    """Ordered claims on a system prompt, and the boundaries its cache marks draw. ``part`` is its number."""
    reading = _Reading(text, moment, index)
    pieces = cut(text)
    names = _recognise(reading, pieces)
    boundaries: list[Boundary] = []
    for number, (piece, name) in enumerate(zip(pieces, names, strict=True), 1):
        _READERS[name](reading, piece)
        if piece.mark >= 0:
            reading.claims.append(mark_claim(piece, name, number))
            boundaries.append(boundary(piece, name, number, part))
    reading.claims.sort(key=lambda claim: claim.start)
    return reading.claims, boundaries


def _recognise(reading: _Reading, pieces: list[Piece]) -> list[str]:
    """What each piece is. Count and content decide: empty segments leave no mark, and a value may hold one."""
    names = [OPEN] * len(pieces)
    rest = [number for number, piece in enumerate(pieces) if piece.mark >= 0]
    if not rest:
        return names
    head = preamble_claim(reading.text, pieces[0].start, pieces[0].end)
    has_head = head is not None
    if head is not None:
        reading.claims.append(head)
        names[0] = PREAMBLE
        rest = rest[1:]
    if rest and _is_body(reading, pieces[rest[0]], has_head):
        names[rest[0]] = BODY
        rest = rest[1:]
    elif not has_head:
        return names
    if rest and _holds_lore(reading, pieces[rest[-1]]):
        names[rest[-1]] = LORE
        rest = rest[:-1]
    if len(rest) == 1 and _holds_segments(reading, pieces[rest[0]]):
        names[rest[0]] = STABLE
    if pieces[-1].mark < 0:
        names[-1] = TAIL
    return names


def _is_body(reading: _Reading, piece: Piece, has_head: bool) -> bool:
    """With files: the template decides. Without: the piece behind the preamble, unless its content says otherwise."""
    if piece.is_empty:
        return False
    reading.body = _found_body(reading, piece.start, piece.end, bounded=True)
    if reading.body is not None:
        return True
    if not has_head or (reading.moment.turn_id, reading.moment.runtime_id) in reading.index.rewritten:
        return False
    starts_with_lore = reading.text.startswith(f"<{_WORLD_LORE}>\n", piece.start)
    return not starts_with_lore and not _holds_lore(reading, piece)


def _holds_lore(reading: _Reading, piece: Piece) -> bool:
    """True when an entry of the lorebook stands in the piece where entries of the system prompt stand."""
    return any(
        entry.position in (BEFORE, AFTER)
        for found in reading.lore_of(piece.start, piece.end)
        for entry in (found.entry, *found.others)
    )


def _holds_segments(reading: _Reading, piece: Piece) -> bool:
    """True when the piece begins with a tagged block, or holds a declared segment."""
    if reading.blocks_of(piece.start, piece.end).at(piece.start) is not None:
        return True
    statics = reading.index.statics.get(reading.moment.plugin_id, ())
    return any(True for _ in statics_in(statics, reading.text, piece.start, piece.end))


def _found_body(reading: _Reading, start: int, end: int, bounded: bool) -> Found | None:
    templates = reading.index.templates.get(reading.moment.runtime_id)
    if not templates:
        return None
    return find_body(templates, reading.text, start, end, bounded, lambda path: _expected(reading, path))


def _expected(reading: _Reading, path: str) -> str | None:
    world = reading.index.evidence.world
    values = {}
    if world is not None:
        values = {"world.name": world.name, "world.description": world.description, "world.id": world.id}
    if path == "player.message":
        rows = reading.index.player_rows.get(reading.moment.turn_id)
        return rows[0].row.content if rows else None
    return values.get(path) or None


def _read_nothing(reading: _Reading, piece: Piece) -> None:
    """Claimed when it was recognised."""


def _read_body(reading: _Reading, piece: Piece) -> None:
    if reading.body is not None:
        reading.claims.append(body_claim(reading.body))
        return
    moment = reading.moment
    label = Label(
        "body",
        Kind.BODY,
        TITLES[Kind.BODY],
        Grade.STRUCTURAL,
        say("stands between the preamble's cache mark and the next one"),
        Origin(plugin=moment.plugin_id, runtime=moment.runtime_id),
    )
    reading.claims.append(Claim(piece.start, piece.end, label))


def _read_stable(reading: _Reading, piece: Piece) -> None:
    text, start, end = reading.text, piece.start, piece.end
    blocks = reading.blocks_of(start, end)
    world = blocks.at(start)
    if world is not None and world.tag == _WORLD_LORE:
        lore_end = _world_lore(reading, world, end)
        start = lore_end + 2 if text.startswith("\n\n", lore_end, end) else lore_end
    _read_segments(reading, blocks, start, end, STABLE_PART)


def _world_lore(reading: _Reading, block: Block, end: int) -> int:
    """Claims the world's lore at the start of the stable part; gives its end, or its start when it is none."""
    text = reading.text
    opened = f"<{_WORLD_LORE}>\n"
    close = text.find(f"\n</{_WORLD_LORE}>", block.start + len(opened) - 1, end)
    if close < 0 or not text.startswith(opened, block.start):
        return block.start
    last = close + len(f"\n</{_WORLD_LORE}>")
    manifest = reading.index.runtime(reading.moment.runtime_id)
    if not ends_paragraph(text, last, end) or (manifest is not None and manifest.visibility not in ("", "story")):
        return block.start
    lore = text[block.start + len(opened) : close]
    origin = reading.index.world_lore.get(lore)
    notes: tuple[Sentence, ...] = ()
    grade, reason = Grade.EXACT, say("equal to the world's lore")
    if origin is None and lore.endswith("\n…"):
        kept = lore[: -len("\n…")]
        origin = next((of for whole, of in reading.index.world_lore.items() if whole.startswith(kept)), None)
        notes = (say("Shortened: the engine sends only the first lines of a long lore."),)
    if origin is None:
        grade, reason, notes = Grade.STRUCTURAL, _BLOCK_REASON, (say("No row holds this text now."),)
    label = Label(
        _WORLD_LORE,
        Kind.WORLD_LORE,
        TITLES[Kind.WORLD_LORE],
        grade,
        reason,
        origin or Origin(),
        Volatility.STABLE,
        notes=notes,
    )
    reading.claims.append(Claim(block.start, last, label))
    return last


def _read_segments(reading: _Reading, blocks: Blocks, start: int, end: int, where: str) -> None:
    """Declared segments first, then the tagged blocks between them."""
    text = reading.text
    statics = sorted(
        statics_in(reading.index.statics.get(reading.moment.plugin_id, ()), text, start, end),
        key=lambda claim: claim.start,
    )
    reading.claims.extend(statics)
    for first, last in _between(statics, start, end):
        for block in blocks.paragraphs(first, last):
            label = name_block(text, block, where, reading.moment, reading.index)
            reading.claims.append(Claim(block.start, block.end, label))


def _between(claims: list[Claim], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches that ordered claims leave free, without the blank line at their ends."""
    position = start
    for claim in claims:
        if claim.start > position:
            yield position, max(position, claim.start - 2)
        position = max(position, min(claim.end + 2, end))
    if position < end:
        yield position, end


def _read_lore(reading: _Reading, piece: Piece) -> None:
    """Entries before the body, the engine's own blocks, entries behind it: lore can stand nowhere else."""
    _lore_part(reading, piece.start, piece.end)


def _read_tail(reading: _Reading, piece: Piece) -> None:
    """Behind the last mark: lore and the engine's blocks when no entry stands behind the body, then turn segments."""
    reached = _lore_part(reading, piece.start, piece.end)
    blocks = reading.blocks_of(reached, piece.end)
    _read_segments(reading, blocks, reached, piece.end, TAIL_PART)


def _lore_part(reading: _Reading, start: int, end: int) -> int:
    """Claims lore and session blocks; gives where the last of them ends (behind its blank line)."""
    found = reading.lore_of(start, end)
    kernel = _session_blocks(reading, found, start, end)
    border = kernel[0].start if kernel else None
    for entry in found:
        if border is None:
            positions: tuple[str, ...] = (BEFORE, AFTER)
        else:
            positions = (BEFORE,) if entry.start < border else (AFTER,)
        reading.claims.append(lore_claim(entry, positions, reading.used_lore))
    reading.claims.extend(kernel)
    ends = [entry.end for entry in found] + [claim.end for claim in kernel]
    if not ends:
        return start
    return min(end, max(ends) + 2)


def _session_blocks(reading: _Reading, found: list[FoundLore], start: int, end: int) -> list[Claim]:
    """The event directory, and an activation of the stage behind it by one line feed. Each stands at most once."""
    text = reading.text
    if text.find(f"<{_EVENTS}>", start, end) < 0 and text.find(f"<{_ACTIVATION}>", start, end) < 0:
        return []
    taken = [(entry.start, entry.end) for entry in found]
    manifest = reading.index.runtime(reading.moment.runtime_id)
    blocks = reading.blocks_of(start, end)
    candidates: list[Block] = []
    for first, last in _free(taken, start, end):
        for position in (first, *(at for at in _starts(text, first, last) if at != first)):
            block = blocks.at(position)
            if block is not None and block.tag in (_EVENTS, _ACTIVATION) and _is_kernel(text, block, last):
                candidates.append(block)
    events = [block for block in candidates if block.tag == _EVENTS]
    if len(events) > 1 or (manifest is not None and not manifest.advertise_events):
        events = []
    claims = [_kernel_claim(block, Kind.EVENTS, "events") for block in events]
    activations = [block for block in candidates if block.tag == _ACTIVATION]
    if events:
        behind = blocks.at(events[0].end + 1) if text.startswith("\n<", events[0].end, end) else None
        if behind is not None and behind.tag == _ACTIVATION and ends_paragraph(text, behind.end, end):
            activations = [behind]
        else:
            activations = []
    if len(activations) == 1:
        claims.append(_kernel_claim(activations[0], Kind.ACTIVATION, "activation"))
    return claims


def _is_kernel(text: str, block: Block, end: int) -> bool:
    """The form that the engine gives its blocks: content on lines of its own, escaped, followed by a joint."""
    first, last = block.inner
    if block.tag == _EVENTS:
        instruction = text.rfind("\n\n", first, last)
        escaped = text[first : instruction if instruction >= 0 else last]
    else:
        escaped = text[first:last]
    if text[first : first + 1] != "\n" or text[last - 1 : last] != "\n" or "<" in escaped:
        return False
    return ends_paragraph(text, block.end, end) or text.startswith(f"\n<{_ACTIVATION}>\n", block.end, end)


def _kernel_claim(block: Block, kind: Kind, key: str) -> Claim:
    label = Label(key, kind, TITLES[kind], Grade.STRUCTURAL, _BLOCK_REASON, volatility=Volatility.SESSION)
    return Claim(block.start, block.end, label)


def _free(taken: list[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    for first, last in taken:
        if first > position:
            yield position, first
        position = last
    if position < end:
        yield position, end


def _starts(text: str, start: int, end: int) -> Iterator[int]:
    position = text.find("\n\n", start, end)
    while position >= 0:
        yield position + 2
        position = text.find("\n\n", position + 1, end)


def _read_open(reading: _Reading, piece: Piece) -> None:
    """A piece that is not recognised, or a prompt without marks: only what is equal to rows and files counts."""
    text, start, end = reading.text, piece.start, piece.end
    if start == 0 and piece.mark < 0:
        head = preamble_end(text)
        claim = preamble_claim(text, 0, head) if head else None
        if claim is not None:
            reading.claims.append(claim)
            start = min(end, head + 2) if text.startswith("\n\n", head) else head
        found = _found_body(reading, start, end, bounded=False)
        if found is not None and found.end > found.start:
            reading.claims.append(body_claim(found))
            start = min(end, found.end + 2)
    claims = list(statics_in(reading.index.statics.get(reading.moment.plugin_id, ()), text, start, end))
    for entry in lore_in(reading.index.lore, text, start, end):
        if all(entry.end <= claim.start or entry.start >= claim.end for claim in claims):
            claims.append(lore_claim(entry, (BEFORE, AFTER), reading.used_lore))
    reading.claims.extend(claims)


_READERS = {
    PREAMBLE: _read_nothing,
    BODY: _read_body,
    STABLE: _read_stable,
    LORE: _read_lore,
    TAIL: _read_tail,
    OPEN: _read_open,
}
