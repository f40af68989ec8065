"""The door between an engine and everything above it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from covel_inspector.domain.address import Address
from covel_inspector.domain.budgeting import BudgetRun
from covel_inspector.domain.compaction import CompactionReport
from covel_inspector.domain.explaining import Explains
from covel_inspector.domain.problem import Problem
from covel_inspector.domain.segment import SegmentTree
from covel_inspector.domain.sentence import Sentence, plain, say
from covel_inspector.domain.story import Call, Session, Turn
from covel_inspector.domain.verdict import Verdict
from covel_inspector.domain.wire import BodySource, FunctionCall, MeasuredRequest, WireBody
from covel_inspector.domain.wire import Protocol as WireProtocol


class SourceError(Exception):
    """The world's fault, not ours: a file that cannot be opened or is no story database.

    The message is one line that says what happened, to which file or row, and what to do. ``sentence`` is the same
    for translation; ``str()`` gives English.
    """

    def __init__(self, sentence: Sentence | str) -> None:
        self.sentence = sentence if isinstance(sentence, Sentence) else plain(sentence)
        super().__init__(str(self.sentence))


class ReadCancelledError(SourceError):
    """Reading was interrupted on request: nobody waits for the answer any more."""

    def __init__(self) -> None:
        super().__init__(say("Reading was cancelled."))


@dataclass(frozen=True, slots=True)
class Facts:
    """What the status bar and reports say about an opened source."""

    engine: str
    location: str
    generation: str
    """Name of the schema generation."""
    access: Sentence
    """How it was opened, and why that way."""
    sessions: int
    calls: int
    runtimes: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What a rebuild should do differently from what happened. Empty = as it was; None = as it was.

    ``window`` and ``reserve`` in the engine's tokens, ``protected_turns`` and ``max_turns`` in turns (``max_turns``
    below 0 = no window). Segments are named by their keys, lorebook entries by theirs.
    """

    player_line: str | None = None
    window: int | None = None
    reserve: int | None = None
    protected_turns: int | None = None
    max_turns: int | None = None
    include_summaries: bool | None = None
    locale: str | None = None
    model: str | None = None
    body: str | None = None
    """The template of the runtime body."""
    without: tuple[str, ...] = ()
    """Keys of segments that are switched off."""
    texts: tuple[tuple[str, str], ...] = ()
    """Key of a segment and the text it has instead."""
    lore_on: tuple[str, ...] = ()
    lore_off: tuple[str, ...] = ()
    lore_depth: tuple[tuple[str, int], ...] = ()
    """Key of a lorebook entry and how many messages from the end it is to stand, whenever it is in."""


class Source(Explains, Protocol):
    """A story database with what can be told about it.

    Lists are cheap: they never parse payloads. Every method may raise SourceError; trees of single calls never
    raise for a broken row, they say so. A source belongs to the thread that opened it: each worker opens its own.
    """

    @property
    def location(self) -> str:
        """The text it was opened from."""
        ...

    @property
    def estimator_name(self) -> str:
        """Name of the engine's own token estimate, as shown beside figures."""
        ...

    def estimate(self, text: str) -> int:
        """Tokens of a text by the engine's own rule."""
        ...

    def facts(self) -> Facts:
        """Counts and the way it was opened."""
        ...

    def sessions(self) -> Sequence[Session]:
        """All sessions, oldest first."""
        ...

    def turns(self, session: str) -> Sequence[Turn]:
        """The turns of a session in story order."""
        ...

    def calls(self, session: str, turn: str | None = None) -> Sequence[Call]:
        """The recorded calls of a session, or of one of its turns, in the order they were made."""
        ...

    def unsent(self, session: str, turn: str | None = None) -> Sequence[Call]:
        """Calls that failed before they were sent, by their errors: nothing of them is recorded, and they are not
        among :meth:`calls`. Their addresses can be given to ``rebuilt``, ``budget`` and ``verdict``."""
        ...

    def resolve(self, text: str) -> Address:
        """A full address from its text form, in which the session may be empty (the only one) or shortened.

        Raises AddressError when it names nothing or more than one thing.
        """
        ...

    def recorded(self, address: Address) -> SegmentTree | None:
        """The recorded request as a tree; None when nothing was recorded (or it is concealed)."""
        ...

    def rebuilt(self, address: Address, changes: Changes | None = None) -> SegmentTree | None:
        """The request as the embedded assembler builds it; None when it cannot be rebuilt."""
        ...

    def budget(self, address: Address, changes: Changes | None = None) -> BudgetRun | None:
        """What the token budget did to a rebuilt request, step by step; None when it cannot be rebuilt.

        Raises SourceError for changes that make no sense, such as a reserve above the window.
        """
        ...

    def unmatched(self, address: Address, changes: Changes) -> Sequence[Sentence]:
        """What of some changes names nothing that this call has: a segment, a lorebook entry, a variable of the body,
        a language, a model. Empty when all of it fits, or when nothing is known of the call."""
        ...

    def compactions(self, session: str) -> CompactionReport:
        """Which rows of a session's history became summaries, what that saved, and when the next one is due."""
        ...

    def measured(self, session: str | None = None) -> Iterator[MeasuredRequest]:
        """The recorded calls of a session (or of all) taken apart for the prefix measurement, in the order of writing.

        Streams: few calls are in memory at a time. A record that cannot be parsed is skipped and noted.
        """
        ...

    def function_calls(self, session: str) -> Sequence[FunctionCall]:
        """Model calls that functions of plugins made in a session, in the order of writing."""
        ...

    def wire(
        self,
        address: Address,
        protocol: WireProtocol | None = None,
        source: BodySource = BodySource.RECORDED,
        changes: Changes | None = None,
    ) -> WireBody | None:
        """The body of a call as JSON, each text with its place in the recorded or rebuilt request.

        ``changes`` bear on a body that is built from the rebuilt request, and on no other.
        ``protocol`` None = the recorded one. None when there is no such body: nothing recorded, recorded for
        another protocol, or no protocol known. A request that the protocol refuses has an empty body and a note.
        """
        ...

    def verdict(self, address: Address) -> Verdict:
        """Recorded against rebuilt."""
        ...

    def problems(self) -> Sequence[Problem]:
        """Everything noticed so far that could not be read as it should."""
        ...

    def changed_since(self, mark: str) -> tuple[str, bool]:
        """A new mark, and whether anything was committed since the given one (the empty mark: False)."""
        ...

    def interrupt(self) -> None:
        """Stop the running read: it raises ReadCancelledError in its own thread. The one method for any thread."""
        ...

    def close(self) -> None:
        """Give the file back. Idempotent."""
        ...
