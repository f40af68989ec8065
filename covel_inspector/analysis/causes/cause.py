"""Why a request shares less with the one before than it could: the cause, as data and in words."""

from dataclasses import dataclass
from enum import StrEnum

from covel_inspector.domain import Place, Sentence


class CauseKind(StrEnum):
    """Classes of causes. The values appear in JSON."""

    FIRST_CALL = "first-call"
    HELD = "held"
    """No break: everything of the earlier request is still there, the later one only goes on."""
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
    TURN_CONTEXT = "turn-context"
    """The part behind the history that is new in every turn: the place where a prefix is meant to end."""
    LORE = "lore"
    EVENTS = "events"
    COMPACTION = "compaction"
    PRUNE_CUT = "prune-cut"
    WINDOW = "window"
    HISTORY_EDITED = "history-edited"
    HOOK = "hook"
    PICTURE = "picture"
    TOOL_LOOP = "tool-loop"
    """Messages of the earlier request's tool loop, or its retry hint, which no later turn repeats."""
    EXPIRED = "expired"
    BELOW_MINIMUM = "below-minimum"
    RELAY = "relay"
    """The prefix held, but the provider read nothing: a relay in between may spread calls over several caches."""
    REWOUND = "rewound"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Cause:
    """The first difference between two requests in the order in which providers hash them, and what it means.

    ``key`` and ``title`` name the guilty segment of the later request (of the earlier one when it is gone); empty and
    None when no segment is to blame. ``old`` and ``new`` are the values, shortened for reading, empty when one side
    has none. ``tokens_uncached`` are the later request's tokens from the first difference on, by the estimate of the
    prefix measurement; 0 when the prefix held. ``place`` is where the difference begins in the later request,
    None when that request ends there or has no tree. ``provider_reason`` is the name that Anthropic gives to such a
    miss in its cache diagnostics, empty where it has none. ``is_guess`` marks a cause that is only likely.
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
    remedy: Sentence | None = None
    provider_reason: str = ""
    place: Place | None = None
    is_guess: bool = False
    notes: tuple[Sentence, ...] = ()
    """What else differs behind the first difference, or why a sure name was not possible."""

    @property
    def is_break(self) -> bool:
        """False when the prefix held, or when there was nothing to hold."""
        return self.kind not in (CauseKind.HELD, CauseKind.FIRST_CALL, CauseKind.TURN_CONTEXT, CauseKind.TOOL_LOOP)
