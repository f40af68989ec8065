"""How a segment behaved over the recorded calls of a session: seen, never declared."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain.segment import Kind, Origin, Volatility
from covel_inspector.domain.sentence import Sentence

GoOn = Callable[[int, int], bool]
"""Asked between the steps of long work: how many are done, how many there are. False stops it for now."""


class Standing(StrEnum):
    """Where a segment stood, as far as places tell how often it may change. The values appear in JSON."""

    KEPT = "kept"
    """Before the last cache mark of the system prompt, where nothing should change with the turn."""
    END = "end"
    """Behind that mark, at the end of the system prompt: only segments of the turn stand there, and whenever one of
    them changes, the history behind it is no repetition for a cache any more."""
    TURN = "turn"
    """In the turn context, behind the history, where only segments of the turn stand."""
    LOOSE = "loose"
    """A message of its own, or a prompt without marks: such a place tells nothing."""
    MIXED = "mixed"
    """Not always in the same of these places."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A segment over the turns of a session.

    ``key`` is that of its segments. ``seen`` counts the turns that held it, ``turns`` those in which one of its
    ``runtimes`` made a call that can be read; ``missing`` names the turns without it. ``texts`` counts its different
    texts, ``steps`` the steps from one turn of a runtime to the next that both hold it; ``changed`` names the turns
    whose text is another than in the turn before, ``changes`` counts the steps to them.

    ``volatilities`` and ``audience`` are what all this suggests: the volatilities that fit, stable ones first, and the
    one audience that fits; empty when it is too little, or when places and texts disagree. ``counts_as`` and
    ``meant_for`` are what the segment is taken for otherwise: by its file when ``is_declared``, else by its place and
    name.
    """

    key: str
    kind: Kind
    title: Sentence
    origin: Origin
    seen: int
    turns: int
    texts: int
    steps: int
    changes: int
    standing: Standing
    runtimes: tuple[str, ...]
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    volatilities: tuple[Volatility, ...] = ()
    audience: str = ""
    may_be_contract: bool = False
    """An audience by contract would look the same as ``audience``."""
    audience_is_guess: bool = False
    """``audience`` follows from whose segment it is, and that is a guess."""
    is_doubled: bool = False
    """A request held several blocks of this name, so their texts cannot be told apart."""
    unnamed: int = 0
    """Turns in which a block of the same name was seen, but not whose it was; they count in ``seen``."""
    counts_as: Volatility | None = None
    meant_for: str = ""
    name: str = ""
    """What people call it: the tag that encloses it, or its id. Empty where it has neither."""

    @property
    def is_declared(self) -> bool:
        """True for a segment whose text stands in a file."""
        return bool(self.origin.file)

    @property
    def never_changed(self) -> bool:
        """True when each runtime got the same text in every turn that held it."""
        return self.seen > 1 and not self.changes and not self.is_doubled
