"""The engine's own blocks in the system prompt: the world's lore, the event directory, a staged activation."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from covel_inspector.domain import Grade, Kind, Origin, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.blocks import Block, Blocks, ends_paragraph, paragraph_starts
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.records.manifests import RuntimeManifest
from covel_inspector.engines.covel.records.naming import TITLES

WORLD_LORE = "world-lore"
_EVENTS, _ACTIVATION = "available-events", "runtime-activation"
_BLOCK_REASON = say("a block that only the engine writes, where it writes it")
_NO_STORY = say("Only runtimes that tell the story are given it, and no row or file says that this one does.")
_BEHIND_OTHERS = say("It stands behind text that the engine puts behind it: it may be quoted.")
_TWICE = say("It stands in the system prompt twice, or behind the place where the engine writes it: it may be quoted.")
_SESSION_KINDS = (Kind.EVENTS, Kind.ACTIVATION)
_STAGED = re.compile(r"""\n\{"source":"stage"[,}]""")
_CUT = "\n…"


def world_lore_claim(
    text: str, start: int, end: int, lore_texts: dict[str, Origin], manifest: RuntimeManifest | None, tells: bool
) -> Claim | None:
    """The world's lore at the start of the stable part; None when none stands there.

    Only runtimes that tell the story are given it. ``tells``: rows say that this one does, which counts without files.
    """
    opened, closing = f"<{WORLD_LORE}>\n", f"\n</{WORLD_LORE}>"
    if not text.startswith(opened, start) or (manifest is not None and manifest.visibility not in ("", "story")):
        return None
    close = text.find(closing, start + len(opened) - 1, end)
    if close < 0 or not ends_paragraph(text, close + len(closing), end):
        return None
    claim = Claim(start, close + len(closing), _world_lore_label(text[start + len(opened) : close], lore_texts))
    return claim if manifest is not None or tells else _doubted(claim, _NO_STORY)


def _world_lore_label(lore: str, lore_texts: dict[str, Origin]) -> Label:
    origin = lore_texts.get(lore)
    notes: tuple[Sentence, ...] = ()
    grade, reason = Grade.EXACT, say("equal to the world's lore")
    if origin is None and lore.endswith(_CUT):
        kept = lore[: -len(_CUT)]
        origin = next((of for whole, of in lore_texts.items() if whole.startswith(kept)), None)
        notes = (say("Shortened: the engine sends only the first lines of a long lore."),)
    if origin is None:
        grade, reason, notes = Grade.STRUCTURAL, _BLOCK_REASON, (say("No row holds this text now."),)
    return Label(
        WORLD_LORE,
        Kind.WORLD_LORE,
        TITLES[Kind.WORLD_LORE],
        grade,
        reason,
        origin or Origin(),
        Volatility.STABLE,
        notes=notes,
    )


def may_hold_session_blocks(text: str, start: int, end: int) -> bool:
    """False when none of the session's blocks opens in the stretch."""
    return text.find(f"<{_EVENTS}>", start, end) >= 0 or text.find(f"<{_ACTIVATION}>", start, end) >= 0


def session_block_claims(
    text: str,
    blocks: Blocks,
    taken: Sequence[tuple[int, int]],
    start: int,
    end: int,
    manifest: RuntimeManifest | None,
    last: int,
) -> list[Claim]:
    """The event directory, and a staged activation behind it by one line feed; each stands at most once.

    ``taken`` are the stretches of lorebook entries, in order: what they quote is not read. Only such entries stand
    before these blocks: behind other text, or behind ``last``, they may be quoted. Without events, an activation
    there is none.
    """
    found = [
        (block, first_end)
        for first, first_end in _free(taken, start, end)
        for position in paragraph_starts(text, first, first_end)
        if (block := blocks.at(position)) is not None and block.tag in (_EVENTS, _ACTIVATION)
    ]
    written = [block for block, limit in found if _is_kernel(text, block, limit)]
    free = next((first for first, to in _free(taken, start, end) if text[first:to].strip()), end)
    events = [block for block in written if block.tag == _EVENTS]
    if len(events) > 1 or (manifest is not None and not manifest.advertise_events):
        events = []
    activations = [block for block in written if block.tag == _ACTIVATION]
    if events:
        behind = blocks.at(events[0].end + 1) if text.startswith("\n<", events[0].end, end) else None
        joined = behind is not None and behind.tag == _ACTIVATION and _is_kernel(text, behind, end)
        activations = [behind] if behind is not None and joined else []
    elif len(activations) != 1 or _first_text(text, activations[0], free, last):
        activations = []
    claims = [_kernel_claim(block, Kind.EVENTS, "events") for block in events]
    claims += [_kernel_claim(block, Kind.ACTIVATION, "activation") for block in activations]
    is_sure = not events or not _first_text(text, events[0], free, last)
    return claims if is_sure else [_doubted(claim, _BEHIND_OTHERS) for claim in claims]


def _first_text(text: str, block: Block, free: int, last: int) -> bool:
    """Whether something else stands before a block than entries that belong there."""
    return block.start > last or bool(text[free : block.start].strip())


def without_quoted_blocks(claims: Iterable[Claim], quoted_from: int) -> list[Claim]:
    """The claims on a system prompt; session blocks that stand there twice, or from ``quoted_from`` on, as guesses."""
    claims = list(claims)
    counts = Counter(claim.label.kind for claim in claims)
    return [
        _doubted(claim, _TWICE)
        if claim.label.kind in _SESSION_KINDS and (counts[claim.label.kind] > 1 or claim.start >= quoted_from)
        else claim
        for claim in claims
    ]


def _doubted(claim: Claim, doubt: Sentence) -> Claim:
    if claim.label.grade is Grade.GUESS:
        return claim
    return replace(claim, label=claim.label.doubted(doubt))


def _is_kernel(text: str, block: Block, end: int) -> bool:
    """The form that the engine gives its blocks: content on lines of its own, escaped, followed by a joint."""
    first, last = block.inner
    if block.tag == _EVENTS:
        instruction = text.rfind("\n\n", first, last)
        escaped = text[first : instruction if instruction >= 0 else last]
    else:
        escaped = text[first:last]
        if _STAGED.match(text, first) is None:
            return False
    if text[first : first + 1] != "\n" or text[last - 1 : last] != "\n" or "<" in escaped:
        return False
    return ends_paragraph(text, block.end, end) or text.startswith(f"\n<{_ACTIVATION}>\n", block.end, end)


def _kernel_claim(block: Block, kind: Kind, key: str) -> Claim:
    label = Label(key, kind, TITLES[kind], Grade.STRUCTURAL, _BLOCK_REASON, volatility=Volatility.SESSION)
    return Claim(block.start, block.end, label)


def _free(taken: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    for first, last in taken:
        if first > position:
            yield position, first
        position = last
    if position < end:
        yield position, end
