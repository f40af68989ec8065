"""What the codes of the domain are called in sentences for people."""

from covel_inspector.domain import Grade, Group, Kind, Sentence, Setter, Severity, Volatility, plain, say
from covel_inspector.domain.names import STATUS, estimator_name

__all__ = [
    "GRADE",
    "GROUP",
    "KIND",
    "SETTER",
    "SEVERITY",
    "STATUS",
    "VOLATILITY",
    "estimator_name",
    "generation_name",
]

GRADE: dict[Grade, Sentence] = {
    Grade.EXACT: say("exact"),
    Grade.TEMPLATE: say("by template"),
    Grade.STRUCTURAL: say("by structure"),
    Grade.TAG: say("by tag"),
    Grade.GUESS: say("a guess"),
    Grade.UNKNOWN: say("unknown"),
}

GROUP: dict[Group, Sentence] = {
    Group.TOOLS: say("Tools"),
    Group.SYSTEM: say("System prompt"),
    Group.MESSAGES: say("Messages"),
    Group.RESPONSE_FORMAT: say("Response format"),
}

SEVERITY: dict[Severity, Sentence] = {
    Severity.ERROR: say("error"),
    Severity.WARNING: say("warning"),
    Severity.HINT: say("hint"),
}

SETTER: dict[Setter, Sentence] = {
    Setter.ENGINE: say("engine"),
    Setter.PROVIDER: say("provider"),
    Setter.PREFIX: say("common prefix"),
}

VOLATILITY: dict[Volatility, Sentence] = {
    Volatility.STABLE: say("stable"),
    Volatility.SESSION: say("per session"),
    Volatility.TURN: say("per turn"),
}

KIND: dict[Kind, Sentence] = {
    Kind.GROUP: say("group"),
    Kind.TOOL: say("tool definition"),
    Kind.PREAMBLE: say("preamble"),
    Kind.BODY: say("runtime body"),
    Kind.WORLD_LORE: say("world lore"),
    Kind.LORE: say("lorebook entry"),
    Kind.EXTENSION: say("extension segment"),
    Kind.EVENTS: say("event directory"),
    Kind.ACTIVATION: say("activation"),
    Kind.INPUTS: say("inputs from other runtimes"),
    Kind.EXPORTS: say("committed exports"),
    Kind.OWN_DATA: say("own data"),
    Kind.TURN_CONTEXT: say("turn context"),
    Kind.SUMMARY: say("summary"),
    Kind.HISTORY: say("history"),
    Kind.NOTE: say("note"),
    Kind.PICTURES: say("pictures"),
    Kind.PLAYER_LINE: say("player line"),
    Kind.STORY: say("story of this turn"),
    Kind.CUE: say("note behind the story"),
    Kind.TOOL_CALL: say("tool call"),
    Kind.TOOL_RESULT: say("tool result"),
    Kind.REASONING: say("reasoning"),
    Kind.LOOP_NOTE: say("note in the tool loop"),
    Kind.RETRY_HINT: say("retry hint"),
    Kind.PRUNE_MARKER: say("marker for pruned history"),
    Kind.RESPONSE_FORMAT: say("response format"),
    Kind.MARK: say("cache mark"),
    Kind.SEPARATOR: say("blank"),
    Kind.UNKNOWN: say("of unknown source"),
}

_GENERATIONS: dict[str, Sentence] = {
    "current": say("current"),
    "late summer 2026": say("late summer 2026"),
    "spring 2026": say("spring 2026"),
    "unknown": say("of unknown age"),
}


def generation_name(name: str) -> Sentence:
    """The ``generation`` of a source's facts in the reader's language; a name we do not know stays as it is."""
    return _GENERATIONS.get(name) or plain(name)
