"""The list of the Plugins panel: plugins, their runtimes, and what of each piece was sent in a turn."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from covel_inspector.app.figures import figure, percent
from covel_inspector.app.panels.listed_rows import Cell, Column, Row, spoken_cells
from covel_inspector.app.wording import Wording
from covel_inspector.domain import (
    DeclaredSegment,
    Fate,
    Kind,
    PieceUse,
    PluginReport,
    RuntimeReport,
    Sentence,
    plain,
    say,
)
from covel_inspector.domain.listing import labelled
from covel_inspector.report.terminal import one_line

COLUMNS = (
    Column(say("Plugin"), stretch=5),
    Column(say("Sent or not, and why"), stretch=8),
    Column(say("Tokens"), right=True, most=9),
    Column(say("Share"), right=True, most=12, least=10),
)

FATE: dict[Fate, Sentence] = {
    Fate.SENT: say("sent"),
    Fate.ALTERED: say("sent, but changed"),
    Fate.UNSENT: say("in a request that was never sent"),
    Fate.AUDIENCE: say("for other runtimes"),
    Fate.EMPTY: say("empty"),
    Fate.NOT_ACTIVE: say("not active"),
    Fate.NOT_RUN: say("no runtime that reads it ran"),
    Fate.TRIMMED: say("trimmed"),
    Fate.HOOK: say("removed by a hook"),
    Fate.UNKNOWN: say("not sent, or not known"),
}

_SIGNS: dict[Fate, tuple[str, str]] = {
    Fate.SENT: ("in", "good"),
    Fate.ALTERED: ("changed", "changed_mark"),
    Fate.UNSENT: ("out", "warning"),
    Fate.TRIMMED: ("pruned", "warning"),
    Fate.HOOK: ("hook-rewrote", "warning"),
    Fate.UNKNOWN: ("unsure", "quiet"),
}
_OUT = ("out", "quiet")

_UNKNOWN = say("no call of this turn is recorded")

_WENT_OUT = (Fate.SENT, Fate.ALTERED)
_THERE = (*_WENT_OUT, Fate.UNSENT)
"""It stands in a request, sent or not."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What a row of a piece is about: the piece as declared, if it is, and its uses in the requests of the turn."""

    plugin: PluginReport
    declared: DeclaredSegment | None
    uses: tuple[PieceUse, ...]

    @property
    def is_extension(self) -> bool:
        """Whether it is a segment that the plugin adds to requests."""
        return self.declared is not None or any(use.kind is Kind.EXTENSION for use in self.uses)


@dataclass(frozen=True, slots=True)
class Use:
    """What a row of one use is about."""

    plugin: PluginReport
    use: PieceUse


@dataclass(frozen=True, slots=True)
class RuntimeOf:
    """What a row of a runtime is about."""

    plugin: PluginReport
    runtime: RuntimeReport


def plugin_rows(
    reports: Sequence[PluginReport], wording: Wording, failed: Collection[str] = frozenset(), *, is_silent: bool = False
) -> list[Row]:
    """One row a plugin, and below it its runtimes and pieces. Their keys: its id; ``runtime:…``, or the piece's own.

    ``failed`` names the runtimes whose request of this turn was never sent; ``is_silent``: no request of the turn is
    known, so nothing tells what was sent.
    """
    return [_plugin(report, wording, failed, is_silent=is_silent) for report in reports]


def _plugin(report: PluginReport, wording: Wording, failed: Collection[str], *, is_silent: bool) -> Row:
    title = one_line(report.name or report.id)
    children = [*(_runtime(report, one, wording, failed) for one in report.runtimes), *_pieces(report, wording)]
    sent = _pieces_of(report, *_WENT_OUT)
    icon, tone = ("in", "good") if sent else _OUT
    told = wording.text(_UNKNOWN if is_silent and report.active is not False else _standing(report, sent))
    cells = (
        Cell(title, bold=True),
        Cell(told, icon=icon, icon_tone=tone),
        *_amounts(report.tokens, report.share),
    )
    tip = "\n".join(filter(None, (report.id, report.version, told)))
    is_faint = report.active is False
    return Row(report.id, cells, report, None, tip, spoken_cells(cells), is_faint, children=children)


def _standing(report: PluginReport, sent: int) -> Sentence:
    if report.active is False:
        return say("not active in this session")
    if not report.uses:
        if report.unattributed is not None:
            return say("its code may have added segments; which, cannot be told")
        return say("nothing of it could be in a request of this turn")
    unsent, count = _pieces_of(report, Fate.UNSENT), _pieces_of(report, *Fate)
    told = say("{n} of {all} pieces sent", n=sent, all=count)
    if unsent and not sent:
        told = say("{n} of {all} pieces would have been sent", n=unsent, all=count)
    if report.requests > 1:
        told = say("{what}, in {n} requests", what=told, n=report.requests)
    return told if report.is_declared else say("{what}; its files are not at hand", what=told)


def _pieces_of(report: PluginReport, *fates: Fate) -> int:
    """How many of its pieces had one of the fates in any request."""
    return len({use.key for use in report.uses if use.fate in fates})


def _runtime(report: PluginReport, runtime: RuntimeReport, wording: Wording, failed: Collection[str]) -> Row:
    title = wording.text(say("Runtime {id}", id=one_line(runtime.id)))
    count = len(runtime.calls)
    if count:
        told = say("1 call in this turn") if count == 1 else say("{n} calls in this turn", n=count)
    else:
        told = say("no call in this turn is recorded")
        if runtime.id in failed:
            told = say("failed before its request was sent")
    facts = [wording.text(told), *filter(None, (runtime.stage, runtime.trigger))]
    icon, tone = ("in", "good") if count else _OUT
    cells = (Cell(title), Cell(" · ".join(facts), icon=icon, icon_tone=tone), Cell(), Cell())
    key = f"runtime:{runtime.id}"
    return Row(key, cells, RuntimeOf(report, runtime), None, "", spoken_cells(cells), is_faint=not count)


def _pieces(report: PluginReport, wording: Wording) -> Iterator[Row]:
    """Pieces in the order of their first use; declared ones that no request could hold come last."""
    declared = {segment.key: segment for segment in report.segments}
    uses: dict[str, list[PieceUse]] = {}
    for use in report.uses:
        uses.setdefault(use.key, []).append(use)
    for key, found in uses.items():
        yield _piece(Piece(report, declared.get(key), tuple(found)), key, wording)
    for key, segment in declared.items():
        if key not in uses:
            yield _piece(Piece(report, segment, ()), key, wording)


def _piece(piece: Piece, key: str, wording: Wording) -> Row:
    text = wording.text
    uses = piece.uses
    sent = [use for use in uses if use.fate in _THERE]
    shown = sent[0] if sent else uses[0] if uses else None
    title = text(shown.title) if shown is not None else piece.declared.id if piece.declared is not None else key
    if shown is None:
        icon, tone, told = *_OUT, text(say("not used in this turn"))
    elif len(uses) == 1:
        icon, tone = _SIGNS.get(shown.fate, _OUT)
        told = _told(shown, wording)
    else:
        icon, tone = _SIGNS.get(shown.fate, _OUT)
        told = text(say("sent in {n} of {all} requests", n=len(sent), all=len(uses)))
    tokens, share = sum(use.tokens for use in sent), sum(use.share for use in sent) / max(1, len(sent))
    cells = (
        Cell(one_line(title)),
        Cell(told, icon=icon, icon_tone=tone),
        *_amounts(tokens, share),
    )
    children = [_use(piece.plugin, use, number, wording) for number, use in enumerate(uses)] if len(uses) > 1 else []
    kind = shown.kind if shown is not None else Kind.EXTENSION
    return Row(key, cells, piece, kind, told, spoken_cells(cells), not sent, children=children)


def _use(plugin: PluginReport, use: PieceUse, number: int, wording: Wording) -> Row:
    where = use.address.runtime if use.address is not None else "–"
    if use.address is not None and use.address.call:
        where = wording.text(say("{runtime} · call {n}", runtime=where, n=use.address.call + 1))
    icon, tone = _SIGNS.get(use.fate, _OUT)
    told = _told(use, wording)
    cells = (Cell(where), Cell(told, icon=icon, icon_tone=tone), *_amounts(use.tokens, use.share))
    is_out = use.fate not in _THERE
    return Row(f"use:{number}", cells, Use(plugin, use), None, told, spoken_cells(cells), is_out)


def _told(use: PieceUse, wording: Wording) -> str:
    told = FATE[use.fate] if not use.why.template else labelled(FATE[use.fate], use.why)
    return one_line(wording.text(told))


def _amounts(tokens: int, share: float) -> tuple[Cell, Cell]:
    """Tokens, and their share of the request as a figure and a bar; both empty for nothing."""
    if not tokens:
        return Cell(), Cell()
    return Cell(figure(tokens)), Cell(percent(share), "quiet", share=share)


def fate_words(use: PieceUse) -> Sentence:
    """Where a use was, and what became of it."""
    where: Sentence = plain(use.address.runtime) if use.address is not None else say("nowhere")
    return labelled(where, FATE[use.fate])
