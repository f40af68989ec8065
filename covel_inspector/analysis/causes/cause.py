"""Why a request shares less with the one before than it could: the cause, as data and in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from covel_inspector.domain import Call, Event, Place, SegmentTree, Sentence, Turn


class CauseKind(StrEnum):
    """Classes of causes. The values appear in JSON."""

    FIRST_CALL = "first-call"
    HELD = "held"
    """No break: all that the earlier request could keep is still there, the later one only goes on."""
    TURN_CONTEXT = "turn-context"
    """No break: all before the turn's own part is the same, and that part is new in every turn."""
    CONCEALED = "concealed"
    TOOLS_CHANGED = "tools-changed"
    TOOLS_REORDERED = "tools-reordered"
    MODEL = "model"
    PROVIDER = "provider"
    PARAMETERS = "parameters"
    PREAMBLE = "preamble"
    BODY = "body"
    VARIABLE = "variable"
    STABLE_SEGMENT = "stable-segment"
    TURN_SEGMENT = "turn-segment"
    """A turn segment that stands before the history, where a change costs everything behind it."""
    LORE = "lore"
    EVENTS = "events"
    COMPACTION = "compaction"
    PRUNE_CUT = "prune-cut"
    WINDOW = "window"
    HISTORY_EDITED = "history-edited"
    HOOK = "hook"
    PICTURE = "picture"
    TOOL_LOOP = "tool-loop"
    """A message of the tool loop, sent before in this turn, was cut, folded or left out."""
    EXPIRED = "expired"
    BELOW_MINIMUM = "below-minimum"
    RELAY = "relay"
    """The prefix held, but the provider read nothing: something in between may spread calls over several caches."""
    REWOUND = "rewound"
    UNKNOWN = "unknown"


_NO_BREAK = frozenset({CauseKind.FIRST_CALL, CauseKind.HELD, CauseKind.TURN_CONTEXT, CauseKind.CONCEALED})


@dataclass(frozen=True, slots=True)
class Cause:
    """The first difference between two requests in the order in which providers hash them, and what it means.

    ``key`` and ``title`` name the guilty segment of the later request (of the earlier one when it is gone); empty and
    None when no segment is to blame. ``old`` and ``new`` are the values, shortened for reading, empty when one side
    has none. ``tokens_uncached`` are the later request's tokens from the first difference on, by the estimate of the
    prefix measurement; None when nobody measured. ``tokens_lost`` are those of them that stood in the earlier request
    too, so that they could have been read if it were not for this cause; None when that is not known. ``place`` is
    where the difference begins in the later request, None when that request ends there or has no tree.
    ``provider_reason`` is the name that Anthropic's cache diagnostics give to such a miss, empty where there is none.
    ``is_guess`` marks a cause that is only likely.
    """

    kind: CauseKind
    sentence: Sentence
    key: str = ""
    title: Sentence | None = None
    plugin: str = ""
    variable: str = ""
    old: str = ""
    new: str = ""
    tokens_uncached: int | None = None
    tokens_lost: int | None = None
    remedy: Sentence | None = None
    provider_reason: str = ""
    place: Place | None = None
    is_guess: bool = False
    notes: tuple[Sentence, ...] = ()
    """What else differs behind the first difference, or why a sure name was not possible."""

    @property
    def is_break(self) -> bool:
        """False when the prefix held, or when there was nothing to hold."""
        return self.kind not in _NO_BREAK


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two requests. ``parameters`` is what its body says beside tools, system prompt and messages."""

    call: Call
    tree: SegmentTree | None
    turn: Turn | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)

    def has(self, event: Event) -> bool:
        """Whether something of this kind happened in its turn."""
        return self.turn is not None and event in self.turn.events

    @property
    def is_anthropic(self) -> bool:
        """Whether a model of Anthropic was asked, as far as the names tell."""
        return "anthropic" in self.call.provider.lower() or "claude" in self.call.model.lower()


@dataclass(frozen=True, slots=True)
class Measured:
    """Tokens of the later request, and how many of them it shares with the earlier one, by the prefix measurement."""

    tokens: int
    shared: int


@dataclass(frozen=True, slots=True)
class ProviderFacts:
    """What is known of the provider's cache, as far as a cause needs it. None = nobody knows.

    ``minimum`` in tokens; ``lifetime`` and ``pause`` (since the cache was last refreshed) in seconds. A change of one
    of ``message_parameters`` costs the messages, of one of ``all_parameters`` everything. ``predicted`` are the tokens
    that by the provider's rules could have been read.
    """

    minimum: int | None = None
    lifetime: float | None = None
    pause: float | None = None
    message_parameters: frozenset[str] = frozenset()
    all_parameters: frozenset[str] = frozenset()
    has_cache: bool = True
    predicted: int | None = None
