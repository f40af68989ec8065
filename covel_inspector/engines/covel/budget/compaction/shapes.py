"""What compaction works on and writes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LogRow:
    """A row of the message log; ``summary_id`` is the mark of a compacted row."""

    id: str
    turn_id: str
    role: str
    content: str
    summary_id: str = ""


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """A stored summary with the turns it covers; ``created_at`` is an ISO instant."""

    id: str
    content: str
    session_id: str = ""
    turn_range_start: str = ""
    turn_range_end: str = ""
    focus_sections: tuple[str, ...] = ()
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a provider's answer: it covers rows, or replaces stored summaries."""

    content: str
    message_ids: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    focus_sections: tuple[str, ...] = ()
    truncated: bool = False


class CompactionError(ValueError):
    """An answer that is refused, or an attempt that failed. ``reason`` is its short name."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
