"""Lorebook entries in the text that was sent: a heading line that names the entry, then its content.

The heading's wording belongs to the engine; only the entry's label inside it is relied on.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from covel_inspector.domain import Grade, Kind, Origin, say
from covel_inspector.domain.listing import enumerated
from covel_inspector.engines.covel.attribution.blocks import ends_paragraph, paragraph_starts
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.attribution.headings import has_sure_heading, odd_heading
from covel_inspector.engines.covel.records.naming import lore_key, lore_title
from covel_inspector.engines.covel.records.rows import LorebookRow

BEFORE, AFTER, DEPTH = "before_plugin", "after_plugin", "at_depth"
_POSITIONS = {"before_plugin": BEFORE, "after_plugin": AFTER, "at_depth": DEPTH}
_LONGEST_HEADING = 400
_MOST_RIVALS = 20
"""Entries of the same content that are told apart for one place."""
_SHARED = say("Another entry has the same heading and content; order decided.")
_SWITCHED_OFF = say("It is switched off now; its row was changed after the call.")
_ASLEEP = say("None of its keys stands in the player's line or the last 20 messages, so it may be a copy of its text.")
_MADE_LATER = say("heading and content equal a lorebook entry, but its row was made after the call")
_TWINS = say("The same text stands in other places or entries too: which one this is cannot be told.")


CouldWake = Callable[[LorebookRow], bool]
"""Whether anything could have put an entry into the request."""


@dataclass(frozen=True, slots=True)
class IndexedLore:
    """An entry: ``rest`` is its content behind the first line, trimmed at the end; ``rank`` its order.

    ``said`` is the label of a stretch that equals it where its row says it stands.
    """

    row: LorebookRow
    label: str
    first: str
    rest: str
    position: str
    depth: int
    rank: tuple[int, str]
    said: Label


def by_label(lore: dict[str, list[IndexedLore]]) -> dict[str, list[IndexedLore]]:
    """The same entries by their label."""
    found: dict[str, list[IndexedLore]] = defaultdict(list)
    for entries in lore.values():
        for entry in entries:
            found[entry.label].append(entry)
    return dict(found)


def index_lore(entries: Iterable[LorebookRow]) -> dict[str, list[IndexedLore]]:
    """Entries with content by the first line of their content: the longest first, those of one length in the engine's
    order.

    Those that are switched off are there too: they may have been on when a call was made.
    """
    found: dict[str, list[IndexedLore]] = defaultdict(list)
    for row in entries:
        content = row.content.rstrip()
        if not content:
            continue
        first, _, _ = content.partition("\n")
        extra = _extra(row)
        position, depth = _coordinate(row, extra)
        title = extra.get("title")
        label = title if isinstance(title, str) and title else next(iter(row.keys), row.id)
        said = _said(row, label, position, depth)
        rank = (row.insertion_order, row.id)
        found[first].append(IndexedLore(row, label, first, content[len(first) :], position, depth, rank, said))
    for entries_of_line in found.values():
        entries_of_line.sort(key=lambda entry: (-len(entry.rest), not entry.row.enabled, entry.rank))
    return dict(found)


def _extra(row: LorebookRow) -> dict[str, object]:
    extra = row.extra
    if not isinstance(extra, dict):
        return {}
    inner = extra.get("extra")
    return inner if isinstance(inner, dict) else extra


def _coordinate(row: LorebookRow, extra: dict[str, object]) -> tuple[str, int]:
    coordinate = extra.get("coordinate")
    given = coordinate if isinstance(coordinate, dict) else {}
    named = given.get("position")
    position = _POSITIONS.get((named if isinstance(named, str) else row.position).replace("-", "_"), AFTER)
    depth = given.get("depth")
    return position, max(0, int(depth + 0.5)) if isinstance(depth, int | float) and abs(depth) < 1e9 else 4


@dataclass(frozen=True, slots=True)
class FoundLore:
    """An entry that stands at ``start`` to ``end`` with its heading; ``others`` have the same content, and a label that
    stands in the heading too."""

    start: int
    end: int
    entry: IndexedLore
    others: tuple[IndexedLore, ...] = ()


def lore_in(lore: dict[str, list[IndexedLore]], text: str, start: int, end: int) -> Iterator[FoundLore]:
    """The entries that stand in a stretch, each between blank lines, in order, without overlap."""
    reached = start
    for position in paragraph_starts(text, start, end):
        if position < reached:
            continue
        found = lore_at(lore, text, position, end)
        if found is not None:
            yield found
            reached = found.end


def lore_at(lore: dict[str, list[IndexedLore]], text: str, start: int, end: int) -> FoundLore | None:
    """The entry whose heading line begins at ``start`` and whose text ends with a paragraph."""
    heading_end = text.find("\n", start, min(end, start + _LONGEST_HEADING))
    if heading_end < 0:
        return None
    line_end = text.find("\n", heading_end + 1, end)
    first = text[heading_end + 1 : end if line_end < 0 else line_end]
    candidates = lore.get(first) or lore.get(first.rstrip())
    if not candidates:
        return None
    heading = text[start:heading_end]
    reached = -1
    best: list[IndexedLore] = []
    for entry in candidates:
        if len(best) == _MOST_RIVALS or (best and len(entry.rest) < len(best[0].rest)):
            break
        if entry.label in heading and (at := _content_end(text, heading_end + 1, end, entry)) >= 0:
            reached = at
            best.append(entry)
    if not best:
        return None
    best.sort(key=lambda entry: (not entry.row.enabled, -len(entry.label)))
    return FoundLore(start, reached, best[0], tuple(best[1:]))


def _content_end(text: str, start: int, end: int, entry: IndexedLore) -> int:
    at = start + len(entry.first)
    if entry.rest:
        if not text.startswith(entry.rest, at, end):
            return -1
        at += len(entry.rest)
    return at if ends_paragraph(text, at, end) else -1


@dataclass(frozen=True, slots=True)
class Heading:
    """How the engine writes headings, seen on an entry that is known: what stands around the label."""

    before: str
    after: str

    def label_of(self, line: str) -> str:
        """The label in a line that has this form; empty when it has not."""
        if len(line) <= len(self.before) + len(self.after):
            return ""
        if not (line.startswith(self.before) and line.endswith(self.after)):
            return ""
        return line[len(self.before) : len(line) - len(self.after)]


def heading_of(text: str, found: FoundLore) -> Heading | None:
    """The form of the heading of an entry that was found; None when the label stands in it more than once."""
    line = text[found.start : text.find("\n", found.start)]
    before, label, after = line.partition(found.entry.label)
    return Heading(before, after) if label and found.entry.label not in after and (before or after) else None


def edited_lore(
    labels: dict[str, list[IndexedLore]], text: str, start: int, end: int, heading: Heading, started_at: str
) -> Iterator[Claim]:
    """Entries of which only the heading is as it was: the row was edited after the call, so its content differs.

    ``start`` to ``end`` is a stretch of lore that nobody claims. An entry reaches to the next heading.
    """
    begins = [
        (at, label)
        for at in paragraph_starts(text, start, end)
        if (label := heading.label_of(text[at : _line_end(text, at, end)]))
    ]
    for number, (at, label) in enumerate(begins):
        stop = begins[number + 1][0] if number + 1 < len(begins) else end
        edited = [entry for entry in labels.get(label, ()) if entry.row.updated_at > started_at > ""]
        last = at + len(text[at:stop].rstrip("\n"))
        if len(edited) == 1 and last > at:
            said = edited[0].said
            reason = say("its heading names the lorebook entry {entry}, which was edited later", entry=label)
            yield Claim(at, last, replace(said, grade=Grade.GUESS, reason=reason))


def constant_keys(lore: Mapping[str, Iterable[IndexedLore]]) -> frozenset[str]:
    """Keys of the entries that are always in."""
    return frozenset(
        entry.said.key for entries in lore.values() for entry in entries if entry.row.strategy == "constant"
    )


def _line_end(text: str, start: int, end: int) -> int:
    found = text.find("\n", start, end)
    return end if found < 0 else found


def lore_claim(
    found: FoundLore, positions: tuple[str, ...], used: set[tuple[str, str]], started_at: str, could_wake: CouldWake
) -> Claim | None:
    """What is said about an entry found where entries of ``positions`` stand; None when all are switched off.

    Of several entries with the same heading and content, the k-th place belongs to the k-th one in the engine's
    order; ``used`` remembers which had their place. An entry that was made or switched off after the call, or that
    nothing could wake, can only be guessed.
    """
    there = [entry for entry in (found.entry, *found.others) if entry.row.enabled or entry.row.updated_at > started_at]
    if not there:
        return None
    candidates = [
        entry
        for entry in there
        if not entry.row.created_at > started_at > ""
        and entry.position in positions
        and (entry.row.owner, entry.row.id) not in used
    ]
    entry = candidates[0] if candidates else there[0]
    used.add((entry.row.owner, entry.row.id))
    label = lore_label(entry, entry.position in positions, len(candidates) > 1)
    if entry.row.created_at > started_at > "":
        label = replace(entry.said, grade=Grade.GUESS, reason=_MADE_LATER)
    elif not entry.row.enabled:
        label = label.doubted(_SWITCHED_OFF)
    elif not could_wake(entry.row):
        label = label.doubted(_ASLEEP)
    return Claim(found.start, found.end, label)


def depth_label(lore: dict[str, list[IndexedLore]], text: str, started_at: str, could_wake: CouldWake) -> Label | None:
    """The label of a whole message that is an entry which stands inside the conversation; None for any other."""
    found = lore_at(lore, text, 0, len(text))
    claim = (
        lore_claim(found, (DEPTH,), set(), started_at, could_wake)
        if found is not None and found.end == len(text)
        else None
    )
    if claim is None:
        return None
    label = claim.label
    if _SHARED in label.notes:
        return as_guess(label)
    return label if has_sure_heading(text, label) else odd_heading(label)


def without_twins(text: str, claims: Iterable[Claim]) -> list[Claim]:
    """The claims on a text, those of an entry as guesses where more or fewer places than entries have its words."""
    claims = list(claims)
    twins: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.label.kind is Kind.LORE and claim.label.grade is Grade.EXACT:
            twins[text[claim.start : claim.end]].append(claim)
    doubtful = {
        claim.start
        for found in twins.values()
        if len(found) > len({claim.label.key for claim in found}) or _SHARED in found[-1].label.notes
        for claim in found
    }
    return [replace(claim, label=as_guess(claim.label)) if claim.start in doubtful else claim for claim in claims]


def as_guess(label: Label) -> Label:
    """The label of a text that stands in more than one place: only one of them can be the right one."""
    notes = (_TWINS, *(note for note in label.notes if note != _SHARED))
    return replace(label, grade=Grade.GUESS, notes=notes)


def lore_label(entry: IndexedLore, fits: bool, shared: bool = False) -> Label:
    """The label of an entry. ``fits``: it stands where its row says; ``shared``: another one has the same text."""
    if fits and not shared:
        return entry.said
    notes = list(entry.said.notes)
    if shared:
        notes.insert(0, _SHARED)
    if not fits:
        notes.insert(0, say("Its row says {position}, but it stands elsewhere.", position=entry.position))
    return replace(entry.said, grade=Grade.EXACT if fits else Grade.GUESS, notes=tuple(notes))


def _said(row: LorebookRow, label: str, position: str, depth: int) -> Label:
    active = (
        say("A constant entry: it is always in.")
        if row.strategy == "constant"
        else say("It comes in when one of its keys is found: {keys}", keys=enumerated(row.keys))
    )
    return Label(
        lore_key(row.id, row.owner),
        Kind.LORE,
        lore_title(label),
        Grade.EXACT,
        say("heading and content equal the lorebook entry {entry}", entry=label),
        Origin(plugin=_owner_plugin(row.owner), segment=row.id, table="lorebook_entries", rows=(row.id,)),
        position=f"depth {depth}" if position == DEPTH else position,
        order=row.insertion_order,
        notes=(active,),
    )


def _owner_plugin(owner: str) -> str:
    return owner.removeprefix("plugin:") if owner.startswith("plugin:") else ""
