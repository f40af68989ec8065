"""A runtime's body in one call: literal text and the value of each variable."""

from dataclasses import dataclass, field
from enum import StrEnum

from covel_inspector.domain.address import Address
from covel_inspector.domain.segment import Origin, Volatility
from covel_inspector.domain.sentence import Sentence


class ValueSource(StrEnum):
    """Where the value of a variable is from."""

    PLAYER_LINE = "player-line"
    FORM = "form"
    CHARACTER = "character"
    WORLD = "world"
    SESSION = "session"
    SETTING = "setting"
    RESULT = "result"
    RECORDING = "recording"
    """The row changed since, so the recorded text stands here."""
    NOWHERE = "nowhere"
    """No such variable, or it has no value."""


@dataclass(frozen=True, slots=True)
class TemplateVariable:
    """A variable of a body and its value in this call.

    ``changed`` tells whether the value differs from the same runtime's call in the turn before (``before`` is that
    value); None = there is no such call or its value is not known.
    """

    path: str
    value: str
    """As it was inserted (escaped inside tagged blocks)."""
    source: ValueSource
    where: Sentence
    volatility: Volatility
    """How often its value is expected to change, by what it stands for."""
    origin: Origin = field(default_factory=Origin)
    changed: bool | None = None
    before: str | None = None
    is_missing: bool = False
    """It has no value, so nothing stands in its place."""
    cut: Sentence | None = None
    """Which limit cut the value, None when none did."""
    tokens: int = 0
    uses: int = 1
    line: int = 0
    """Line of the file where it stands first; 0 when unknown."""
    notes: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class TemplatePiece:
    """A stretch of the body: literal text, or the place of a variable.

    ``source`` is what the file says, ``text`` what was inserted or stands as it is. ``start`` counts code points in
    the template.
    """

    source: str
    text: str
    start: int
    variable: str = ""


@dataclass(frozen=True, slots=True)
class TemplateReport:
    """The body of one call. ``previous`` is the call of the turn before that values are compared with.

    ``differs`` says what the recorded request has otherwise than the file; None = the same, or nothing recorded.
    """

    address: Address
    runtime: str
    file: str
    line: int
    variant: str
    """Locale tag of the variant; empty for the file without one."""
    template: str
    pieces: tuple[TemplatePiece, ...]
    variables: tuple[TemplateVariable, ...]
    previous: Address | None = None
    differs: Sentence | None = None
    notes: tuple[Sentence, ...] = ()
