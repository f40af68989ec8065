"""What an author can do about a cause. Follows the engine's rules on where texts that change belong; words are ours."""

from covel_inspector.analysis.causes.cause import CauseKind
from covel_inspector.domain import Sentence, say

_REMEDIES: dict[CauseKind, Sentence] = {
    CauseKind.TOOLS_CHANGED: say(
        "Tools come first of all that is hashed. Offer the same tools in every call, and let a tool refuse instead of "
        "leaving it out."
    ),
    CauseKind.TOOLS_REORDERED: say("Register tools in a fixed order, for example sorted by name."),
    CauseKind.MODEL: say("Each model has a cache of its own. Keep a runtime on one model during a session."),
    CauseKind.PROVIDER: say("Each provider has a cache of its own. Keep a runtime on one provider during a session."),
    CauseKind.PARAMETERS: say("Keep this setting the same in every call of the runtime."),
    CauseKind.VARIABLE: say(
        "Write only the name of a block in the body, and let the plugin provide the value as a segment with position "
        "system and volatility turn: it then stands in the turn context, behind the history."
    ),
    CauseKind.STABLE_SEGMENT: say(
        "Split the block: keep what rarely changes as a session segment, and move the values that change into a turn "
        "segment, which stands behind the history."
    ),
    CauseKind.TURN_SEGMENT: say(
        "Give the segment position system with volatility turn: it then stands in the turn context, behind the "
        "history, and what is before it stays the same."
    ),
    CauseKind.LORE: say(
        "An entry that keywords switch on and off costs everything behind it. Make it constant, or give it a small "
        "depth, so that it stands near the end."
    ),
    CauseKind.EVENTS: say(
        "The list of events changes with the plugins that are active. Do not switch them during a session."
    ),
    CauseKind.COMPACTION: say(
        "A compaction is rare and pays for itself: the history behind it is shorter from now on. A larger input window "
        "makes it rarer."
    ),
    CauseKind.PRUNE_CUT: say(
        "History is cut in whole rounds, so the cut stays where it is for some turns. A larger window or a smaller "
        "response reserve makes it rarer."
    ),
    CauseKind.WINDOW: say(
        "A history window slides in every turn, so history can never be read from the cache here. Put what stays the "
        "same into the system prompt, and choose the smallest window that does."
    ),
    CauseKind.HOOK: say("A hook that rewrites prompts should change only what stands behind the history."),
    CauseKind.EXPIRED: say("Nothing is wrong with the prompt: the pause was longer than the provider keeps a prefix."),
    CauseKind.BELOW_MINIMUM: say("Nothing is wrong with the prompt: this model caches no prefix as short as this one."),
    CauseKind.RELAY: say(
        "If a relay stands between the engine and the provider, see whether it spreads calls over several accounts, "
        "drops the cache key or the marks, or moves system messages to the front."
    ),
}


def remedy_for(kind: CauseKind) -> Sentence | None:
    """What helps against causes of a kind; None when nothing does, or nobody knows."""
    return _REMEDIES.get(kind)
