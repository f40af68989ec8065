"""The system message before the current line: turn data by the engine, then turn segments.

Turn data are blocks joined by one line feed, in a fixed order; segments follow behind a blank line. Follows the
reference on the assembler, section 8, and the reference on attribution, steps e, f and j.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from covel_inspector.domain import Grade, Kind, Origin, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.blocks import Block, Blocks
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.attribution.dynamic import TURN_CONTEXT, name_block
from covel_inspector.engines.covel.attribution.evidence import CallMoment
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.attribution.own_data import ShownRows, shown_rows
from covel_inspector.engines.covel.attribution.slots import SlotReader
from covel_inspector.engines.covel.attribution.tags import TWICE
from covel_inspector.engines.covel.records.manifests import SelfData
from covel_inspector.engines.covel.records.naming import TITLES, own_data_title

_KERNEL: dict[str, tuple[int, Kind]] = {
    "runtime-inputs": (1, Kind.INPUTS),
    "runtime-exports": (2, Kind.EXPORTS),
    "runtime-activation": (3, Kind.ACTIVATION),
}
_ACTIVATED = re.compile(r"""\n\{"source":"(?!stage")[^"]*","detached":""")
"""How an activation begins, unless by a stage: the engine writes that one into the system prompt."""
_KERNEL_REASON = say("a block that only the engine writes, at the head of the turn context")
_NO_INPUTS = say("The manifest declares no inputs: this may be another text, or the files are of another time.")
_DECLARED_EQUAL_REASON = say("equal to rows of its own plugin, with the tag that its manifest declares")
_DECLARED_REASON = say("the tag that its manifest declares for its own rows")
_EQUAL_REASON = say("every line equals a row of its own plugin")
_KEYS_REASON = say("its lines begin with keys of its own plugin's rows")
_SHARED = say("Rows of another namespace fit as well: which of them are meant cannot be told.")

CONTEXT = Label(
    "turn-context",
    Kind.TURN_CONTEXT,
    TITLES[Kind.TURN_CONTEXT],
    Grade.STRUCTURAL,
    say("the system message before the current line"),
    volatility=Volatility.TURN,
)


@dataclass(frozen=True, slots=True)
class _Data:
    """A block of turn data: ``rank`` gives its place in the fixed order."""

    rank: int
    claim: Claim


def read_turn_context(
    text: str, moment: CallMoment, index: SessionIndex, told: Collection[str] = ()
) -> list[Claim] | None:
    """Ordered claims on a turn context; None when nothing in the text says that it is one.

    ``told``: the texts that the conversation shows as stories of this turn.
    """
    if "<" not in text:
        return None
    blocks = Blocks(text)
    data = _turn_data(text, blocks, moment, index, told)
    start = 0
    if data:
        start = data[-1].claim.end
        if text.startswith("\n\n", start):
            start += 2
    claims = [item.claim for item in data]
    segments = list(blocks.paragraphs(start, len(text)))
    seen: dict[str, int] = {}
    for block in segments:
        seen[block.label] = seen.get(block.label, 0) + 1
    for block in segments:
        label = name_block(text, block, TURN_CONTEXT, moment, index)
        if seen[block.label] > 1 and label.grade is Grade.GUESS:
            label = _doubtful(label)
        claims.append(Claim(block.start, block.end, label))
    covered = sum(block.end - block.start for block in segments)
    if data or covered * 2 > len(text) - start:
        return claims
    return None


def _doubtful(label: Label) -> Label:
    """A block whose tag occurs twice: one of them may be quoted text, so neither is believed."""
    return Label(
        label.key.partition(":")[0] + f":?/{label.origin.segment}",
        Kind.UNKNOWN,
        label.title,
        Grade.UNKNOWN,
        say("a tagged block that no file and no row explains"),
        Origin(segment=label.origin.segment),
        label.volatility,
        label.position,
        notes=(TWICE,),
    )


def _turn_data(
    text: str, blocks: Blocks, moment: CallMoment, index: SessionIndex, told: Collection[str]
) -> list[_Data]:
    """The run of blocks at the head that are joined by single line feeds, as far as they are turn data."""
    run: list[Block] = []
    position = 0
    while (block := blocks.at(position)) is not None:
        run.append(block)
        if not text.startswith("\n<", block.end):
            break
        position = block.end + 1
    kernel = [number for number, block in enumerate(run) if block.tag in _KERNEL and _is_kernel(text, block)]
    data: list[_Data] = []
    for number, block in enumerate(run):
        before_kernel = bool(kernel) and number < kernel[0]
        if number in kernel:
            item: _Data | None = _kernel(text, block, moment, index, told)
        else:
            item = _inject(text, block, before_kernel, moment, index)
        if item is None or (data and (item.rank < data[-1].rank or 0 < item.rank == data[-1].rank)):
            break
        data.append(item)
    if data and not _closes(text, data[-1].claim.end):
        data.pop()
    return data


def _closes(text: str, end: int) -> bool:
    return end == len(text) or text.startswith("\n", end)


def _is_kernel(text: str, block: Block) -> bool:
    first, last = block.inner
    if block.tag == "runtime-activation" and _ACTIVATED.match(text, first) is None:
        return False
    return text.startswith("\n{", first) and text.startswith("}\n", last - 2) and text.find("<", first, last) < 0


def _doubted(claim: Claim) -> Claim:
    label = claim.label.doubted(_NO_INPUTS)
    return replace(claim, label=label, inner=tuple(map(_doubted, claim.inner)))


def _kernel(text: str, block: Block, moment: CallMoment, index: SessionIndex, told: Collection[str]) -> _Data:
    rank, kind = _KERNEL[block.tag]
    label = Label(kind.value, kind, TITLES[kind], Grade.STRUCTURAL, _KERNEL_REASON, volatility=Volatility.TURN)
    if kind is Kind.ACTIVATION:
        return _Data(rank, Claim(block.start, block.end, label))
    claim = Claim(block.start, block.end, label, SlotReader(moment, index, told).claims(text, block, kind))
    manifest = index.runtime(moment.runtime_id)
    return _Data(rank, _doubted(claim) if manifest is not None and not manifest.inputs else claim)


def _inject(text: str, block: Block, before_kernel: bool, moment: CallMoment, index: SessionIndex) -> _Data | None:
    """A block of own data or of another runtime's field; None when nothing but its tag speaks for it."""
    inner = text[block.inner[0] : block.inner[1]]
    if "<" in inner:
        return None
    declared = _declared(block.tag, moment, index)
    shown = shown_rows(inner, declared, index.own_data.get(moment.plugin_id, {}), moment.started_at)
    if declared and shown.is_shared:
        grade, reason = Grade.GUESS, _KEYS_REASON
    elif declared:
        grade = Grade.EXACT if shown.is_equal else Grade.TAG
        reason = _DECLARED_EQUAL_REASON if shown.is_equal else _DECLARED_REASON
    elif before_kernel and shown.rows:
        # With files the manifest would name the tag: then it is another's text, or the files are of another time.
        is_sure = shown.is_equal and not shown.is_shared and index.runtime(moment.runtime_id) is None
        grade, reason = (Grade.EXACT, _EQUAL_REASON) if is_sure else (Grade.GUESS, _KEYS_REASON)
    elif before_kernel:
        return _Data(0, Claim(block.start, block.end, _injected(block)))
    elif shown.is_equal and index.runtime(moment.runtime_id) is None:
        grade, reason = Grade.GUESS, _KEYS_REASON
    else:
        return None
    label = Label(
        f"own-data:{block.tag}",
        Kind.OWN_DATA,
        own_data_title(block.tag),
        grade,
        reason,
        Origin(
            plugin=moment.plugin_id,
            segment=block.tag,
            table="plugin_data" if shown.rows else "",
            rows=tuple(row.id for row in shown.rows),
        ),
        Volatility.TURN,
        notes=_namespace_notes(shown),
    )
    return _Data(0, Claim(block.start, block.end, label))


def _namespace_notes(shown: ShownRows) -> tuple[Sentence, ...]:
    of = (say("Rows of the namespace {namespace}.", namespace=shown.namespace),) if shown.namespace else ()
    return (*of, _SHARED) if shown.is_shared else of


def _injected(block: Block) -> Label:
    return Label(
        f"injected:{block.tag}",
        Kind.UNKNOWN,
        own_data_title(block.tag),
        Grade.UNKNOWN,
        say("stands among the engine's turn data, but no row explains it"),
        Origin(segment=block.tag),
        Volatility.TURN,
    )


def _declared(tag: str, moment: CallMoment, index: SessionIndex) -> list[SelfData]:
    """The entries of the runtime's manifest with this tag; none without files."""
    manifest = index.runtime(moment.runtime_id)
    own = manifest.self_data if manifest is not None else ()
    return [data for data in own if data.tag.removeprefix("<").removesuffix(">") == tag]
