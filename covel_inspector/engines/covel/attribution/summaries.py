"""Envelopes of summaries: a user message that begins with the engine's own tag. Step g of the reference."""

from covel_inspector.domain import Grade, Kind, Origin, Sentence, say
from covel_inspector.engines.covel.assembler.escaping import escape, unescape
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.attribution.index import SessionIndex
from covel_inspector.engines.covel.records.naming import summary_key
from covel_inspector.engines.covel.records.rows import SummaryRow

_OPEN = "<compacted_history>\n"
_CLOSE = "\n</compacted_history>"
_SECTIONS = "# sections: "

_ENVELOPE_REASON = say("begins with the tag that the engine puts around summaries")
_TWIN = say("Another summary has the same text: which one this is cannot be told.")
_COPY = say("Another envelope of this request holds the same: which one is the engine's cannot be told.")
_FIXED_REASON = say("the engine's own text around a summary")


def is_envelope(text: str) -> bool:
    """True when the engine's budget code would take the message for a summary."""
    return text.startswith(_OPEN) or (text[:1].isspace() and text.lstrip().startswith(_OPEN))


def holds_summary(text: str, index: SessionIndex) -> bool:
    """True when the envelope's content equals a stored summary."""
    content = _content(text)
    return content is not None and bool(_stored(text[content[0] : content[1]], index))


def summary_text(text: str) -> str:
    """What stands inside an envelope; two envelopes with the same cannot both be of the engine."""
    content = _content(text)
    return text if content is None else text[content[0] : content[1]]


def _stored(content: str, index: SessionIndex) -> list[SummaryRow]:
    """The stored summaries that the engine would send as this content: it escapes what it puts into an envelope."""
    stored = index.summaries.get(unescape(content), [])
    return stored if stored and escape(stored[0].content) == content else []


def _content(text: str) -> tuple[int, int] | None:
    """Offsets of the content: behind the open tag and the line of sections, before the last close tag."""
    opened = text.find(_OPEN) + len(_OPEN)
    closed = text.rfind(_CLOSE)
    if closed < opened:
        return None
    if text.startswith(_SECTIONS, opened):
        line_end = text.find("\n", opened, closed + 1)
        return (line_end + 1 if 0 <= line_end < closed else opened), closed
    return opened, closed


def read_envelope(text: str, index: SessionIndex, number: int, started_at: str = "", *, is_copy: bool = False) -> Claim:
    """The claim of a whole envelope: open tag, content, close tag and note as leaves where they can be told apart.

    ``is_copy``: another envelope holds the same. A summary that was made after ``started_at`` (empty = not known)
    cannot be the one that was sent.
    """
    content = _content(text)
    if content is None:
        return Claim(0, len(text), _label(f"summary:{number}", say("Summary"), Grade.STRUCTURAL, _ENVELOPE_REASON))
    start, closed = content
    stored = _stored(text[start:closed], index)
    fitting = [one for one in stored if not one.created_at > started_at > ""]
    summary = fitting[0] if fitting else None
    if summary is None:
        # Where nothing was ever summarised, it may be a line of the player in the form of an envelope.
        grade = Grade.STRUCTURAL if index.summaries else Grade.GUESS
        key, reason, origin = f"summary:{number}", _ENVELOPE_REASON, Origin()
        notes: tuple[Sentence, ...] = (say("No stored summary has this text: it was merged or shortened since."),)
    else:
        key, grade, reason = summary_key(summary.id), Grade.EXACT, say("its content equals a stored summary")
        origin, notes = Origin(table="session_summaries", rows=(summary.id,)), ()
        if len(fitting) > 1 or is_copy:
            grade, notes = Grade.GUESS, (_COPY if is_copy else _TWIN,)
    close_end = closed + len(_CLOSE)
    inner = [
        Claim(0, start, _label("summary-open", say("Head of the envelope"), Grade.STRUCTURAL, _FIXED_REASON)),
        Claim(start, closed, _label("summary-content", say("Summary"), grade, reason, origin, notes)),
        Claim(closed, close_end, _label("summary-close", say("End of the envelope"), Grade.STRUCTURAL, _FIXED_REASON)),
    ]
    if close_end < len(text):
        note = _label("summary-note", say("Note behind the summary"), Grade.STRUCTURAL, _FIXED_REASON)
        inner.append(Claim(close_end, len(text), note))
    return Claim(0, len(text), _label(key, say("Summary"), grade, reason, origin, notes), tuple(inner))


def _label(
    key: str,
    title: Sentence,
    grade: Grade,
    reason: Sentence,
    origin: Origin = Origin(),  # noqa: B008 - immutable
    notes: tuple[Sentence, ...] = (),
) -> Label:
    return Label(key, Kind.SUMMARY, title, grade, reason, origin, notes=notes)
