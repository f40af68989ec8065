"""The system prompt's claims: which piece is what, and what stands in it. Follows the reference on attribution, 3."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from covel_inspector.domain import Absent, Boundary, Grade, Kind, Origin, Sentence, say
from covel_inspector.engines.covel.attribution.blocks import Blocks
from covel_inspector.engines.covel.attribution.body import Found, body_claim, empty_variables, find_body
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.attribution.dynamic import STABLE_PART, name_block
from covel_inspector.engines.covel.attribution.dynamic import TAIL as TAIL_PART
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.headings import (
    BEHIND_EDITED,
    BEHIND_UNKNOWN,
    FOREIGN_MARKS,
    OUT_OF_ORDER,
    doubted_behind,
    with_sure_headings,
)
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.attribution.kernel_blocks import (
    WORLD_LORE,
    may_hold_session_blocks,
    session_block_claims,
    without_quoted_blocks,
    world_lore_claim,
)
from covel_inspector.engines.covel.attribution.lore import (
    AFTER,
    BEFORE,
    FoundLore,
    constant_keys,
    edited_lore,
    heading_of,
    lore_claim,
    lore_in,
    without_twins,
)
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
    has_foreign_marks,
    mark_claim,
)
from covel_inspector.engines.covel.attribution.preamble import preamble_claim, preamble_end
from covel_inspector.engines.covel.attribution.statics import statics_in, without_copies
from covel_inspector.engines.covel.attribution.waking import Waking
from covel_inspector.engines.covel.records.naming import TITLES


@dataclass(slots=True)
class _Reading:
    """One system prompt while it is being read."""

    text: str
    moment: CallMoment
    index: SessionIndex
    claims: list[Claim] = field(default_factory=list)
    absent: list[Absent] = field(default_factory=list)
    used_lore: set[tuple[str, str]] = field(default_factory=set)
    doubts: list[tuple[int, Sentence]] = field(default_factory=list)
    """Behind which places entries may be parts of other texts, and why."""
    body: Found | None = None
    waking: Waking = field(init=False)
    lore: dict[int, list[FoundLore]] = field(default_factory=dict)
    blocks: dict[tuple[int, int], Blocks] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.waking = Waking(self.moment, self.index)

    def blocks_of(self, start: int, end: int) -> Blocks:
        """The tagged blocks of a stretch, looked for once."""
        found = self.blocks.get((start, end))
        if found is None:
            found = self.blocks[start, end] = Blocks(self.text, start, end)
        return found

    def claim_lore(self, found: FoundLore, positions: tuple[str, ...]) -> None:
        """Claim an entry where entries of some positions stand."""
        started = self.moment.started_at
        claim = lore_claim(found, positions, self.used_lore, started, self.waking.could_wake)
        if claim is not None:
            self.claims.append(claim)

    def lore_of(self, start: int, end: int) -> list[FoundLore]:
        """The lorebook entries of a stretch, looked for once."""
        found = self.lore.get(start)
        if found is None:
            entries = list(lore_in(self.index.lore, self.text, start, end))
            if entries:
                blocks = list(self.blocks_of(start, end).paragraphs(start, end))
                entries = [one for one in entries if not any(block.start < one.start < block.end for block in blocks)]
            found = self.lore[start] = entries
        return found


@dataclass(frozen=True, slots=True)
class SystemPrompt:
    """Ordered claims on a system prompt, the boundaries its cache marks draw, and variables that printed nothing."""

    claims: list[Claim]
    boundaries: list[Boundary]
    absent: list[Absent]


def read_system_prompt(text: str, part: int, moment: CallMoment, index: SessionIndex) -> SystemPrompt:
    """What stands in a system prompt; ``part`` is its number among the parts of the request."""
    reading = _Reading(text, moment, index)
    pieces = cut(text)
    names = _recognise(reading, pieces)
    boundaries: list[Boundary] = []
    for number, (piece, name) in enumerate(zip(pieces, names, strict=True), 1):
        _READERS[name](reading, piece)
        if piece.mark >= 0:
            reading.claims.append(mark_claim(piece, name, number))
            boundaries.append(boundary(piece, name, number, part))
    claims = _settled(reading, pieces, names)
    return SystemPrompt(claims, boundaries, reading.absent)


def _settled(reading: _Reading, pieces: list[Piece], names: list[str]) -> list[Claim]:
    """The claims in order, with the doubts that only all of them together give."""
    stretches = {name: (piece.start, piece.end) for name, piece in zip(names, pieces, strict=True)}
    is_foreign = has_foreign_marks(reading.text, pieces)
    stable, tail = (stretches.get(name, (0, 0)) for name in (STABLE, TAIL))
    claims = without_copies(reading.text, reading.claims, stable, tail, is_foreign)
    claims = without_quoted_blocks(claims, tail[0] if LORE in names and TAIL in names else len(reading.text))
    doubts = [(-1, FOREIGN_MARKS)] if is_foreign else reading.doubts
    constant = constant_keys(reading.index.lore) if doubts else frozenset()
    for place, why in doubts:
        claims = doubted_behind(claims, place, why, constant)
    claims = with_sure_headings(reading.text, without_twins(reading.text, claims))
    return sorted(claims, key=lambda claim: claim.start)


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
    starts_with_lore = reading.text.startswith(f"<{WORLD_LORE}>\n", piece.start)
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
    return bool(statics_in(statics, reading.text, piece.start, piece.end))


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
        reading.absent.extend(empty_variables(reading.body))
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
    manifest = reading.index.runtime(reading.moment.runtime_id)
    tells = reading.moment.runtime_id in reading.index.storytellers
    lore = world_lore_claim(text, start, end, reading.index.world_lore, manifest, tells)
    if lore is not None:
        reading.claims.append(lore)
        start = min(end, lore.end + 2)
    blocks = reading.blocks_of(piece.start, piece.end)
    _read_segments(reading, blocks, start, end, STABLE_PART)


def _read_segments(reading: _Reading, blocks: Blocks, start: int, end: int, where: str) -> None:
    """Declared segments first, then the tagged blocks between them."""
    text = reading.text
    statics = statics_in(reading.index.statics.get(reading.moment.plugin_id, ()), text, start, end)
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
    _edited_lore(reading, piece.start, piece.end)


def _read_tail(reading: _Reading, piece: Piece) -> None:
    """Behind the last mark: lore and the engine's blocks when no entry stands behind the body, then turn segments."""
    reached = _lore_part(reading, piece.start, piece.end)
    _edited_lore(reading, piece.start, reached)
    blocks = reading.blocks_of(reached, piece.end)
    _read_segments(reading, blocks, reached, piece.end, TAIL_PART)


def _lore_part(reading: _Reading, start: int, end: int) -> int:
    """Claims lore and session blocks; gives where the last of them ends (behind its blank line)."""
    found = reading.lore_of(start, end)
    kernel: list[Claim] = []
    if may_hold_session_blocks(reading.text, start, end):
        taken = [(entry.start, entry.end) for entry in found]
        manifest = reading.index.runtime(reading.moment.runtime_id)
        behind = (one.start for one in found if all(of.position != BEFORE for of in (one.entry, *one.others)))
        blocks, last = reading.blocks_of(start, end), next(behind, end)
        kernel = session_block_claims(reading.text, blocks, taken, start, end, manifest, last)
    border = kernel[0].start if kernel else None
    for entry in found:
        if border is None:
            positions: tuple[str, ...] = (BEFORE, AFTER)
        else:
            positions = (BEFORE,) if entry.start < border else (AFTER,)
        reading.claim_lore(entry, positions)
    orders = [(one.entry.position != BEFORE, one.entry.row.insertion_order) for one in found]
    if orders != sorted(orders):
        reading.doubts.append((found[0].start - 1, OUT_OF_ORDER))
    reading.claims.extend(kernel)
    ends = [entry.end for entry in found] + [claim.end for claim in kernel]
    if not ends:
        return start
    return min(end, max(ends) + 2)


def _edited_lore(reading: _Reading, start: int, end: int) -> None:
    """Entries whose row changed after the call, between what is claimed from ``start`` to ``end``."""
    text = reading.text
    known = reading.lore.get(start, [])
    claimed = sorted((claim for claim in reading.claims if start <= claim.start < end), key=lambda claim: claim.start)
    free = [(first, last) for first, last in _between(claimed, start, end) if text[first:last].strip()]
    reading.doubts.extend((first, BEHIND_UNKNOWN) for first, _ in free[:1])
    heading = next((form for entry in known if (form := heading_of(text, entry)) is not None), None)
    if heading is None:
        return
    edited = [
        claim
        for first, last in free
        for claim in edited_lore(reading.index.lore_labels, text, first, last, heading, reading.moment.started_at)
    ]
    reading.claims.extend(edited)
    # The better reason first: who is doubted already stays so.
    reading.doubts[:0] = [(claim.start, BEHIND_EDITED) for claim in edited[:1]]


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
            reading.absent.extend(empty_variables(found))
            start = min(end, found.end + 2)
    statics = statics_in(reading.index.statics.get(reading.moment.plugin_id, ()), text, start, end)
    reading.claims.extend(statics)
    for entry in lore_in(reading.index.lore, text, start, end):
        if all(entry.end <= claim.start or entry.start >= claim.end for claim in statics):
            reading.claim_lore(entry, (BEFORE, AFTER))


_READERS = {
    PREAMBLE: _read_nothing,
    BODY: _read_body,
    STABLE: _read_stable,
    LORE: _read_lore,
    TAIL: _read_tail,
    OPEN: _read_open,
}
