"""Keys and titles of Covel's segments: one vocabulary for the assembler's trees and for attributed ones.

The two trees of a call are paired by these keys, and so are two turns; a key therefore never holds a text or
a position, only what stays the same when the same piece is sent again.

Shape of a tree (branches marked with ``/``)::

    tools/            tool:<name> …
    system/           preamble/ (preamble:runtime, preamble:language, preamble:completion), mark:preamble,
                      body (a leaf, or a branch body/ of literal:<n> and variable:<path>), mark:body,
                      world-lore, segment:<plugin>/<id> …, mark:stable,
                      lore:<id> … , events, activation, lore:<id> …, mark:lore, segment:… (turn tail), separators
    messages/         prune-marker, summary:<id> …, history/ (history:<row>, note:<row>, depth items inside),
                      turn-context/ (own-data:<tag>, injected:<tag>, inputs/, exports/, activation, segment:…),
                      pictures/, player-line, story:<n>, cue, lore:<id>, segment:<plugin>/<id>,
                      loop/ (tool-call:<n>, tool-result:<n>, reasoning:<n>, loop-note:<n>), fold:<n>, retry-hint
    response-format/  response-format

A block of slots is a branch (inputs/ of inputs-open, input:<name>, inputs-next, input:<name> …, inputs-close; exports/
likewise) where it has the engine's form; otherwise it is one leaf.

An envelope's summary is a branch of summary-open, summary-content, summary-close, summary-note only where their
borders are known; otherwise it is one leaf.
"""

from functools import lru_cache

from covel_inspector.domain import Group, Kind, Sentence, say

SENTINEL = "\ue000COVEL_CACHE_BREAK\ue000"
"""The engine's cache mark, as it stands in assembled and recorded kernel text."""

GROUP_TITLES: dict[Group, Sentence] = {
    Group.TOOLS: say("Tools"),
    Group.SYSTEM: say("System prompt"),
    Group.MESSAGES: say("Messages"),
    Group.RESPONSE_FORMAT: say("Response format"),
}

TITLES: dict[Kind, Sentence] = {
    Kind.PREAMBLE: say("Preamble"),
    Kind.BODY: say("Runtime body"),
    Kind.WORLD_LORE: say("World lore"),
    Kind.EVENTS: say("Event directory"),
    Kind.ACTIVATION: say("Activation"),
    Kind.INPUTS: say("Inputs from other runtimes"),
    Kind.EXPORTS: say("Committed exports"),
    Kind.TURN_CONTEXT: say("Turn context"),
    Kind.HISTORY: say("History"),
    Kind.PICTURES: say("Pictures shown lately"),
    Kind.PLAYER_LINE: say("Player line"),
    Kind.STORY: say("Story of this turn"),
    Kind.CUE: say("Note behind the story"),
    Kind.RETRY_HINT: say("Retry hint"),
    Kind.PRUNE_MARKER: say("Marker for pruned history"),
    Kind.RESPONSE_FORMAT: say("Response format"),
    Kind.MARK: say("Cache mark"),
    Kind.SEPARATOR: say("Blank between segments"),
    Kind.UNKNOWN: say("Unknown"),
    Kind.REASONING: say("Reasoning"),
    Kind.LOOP_NOTE: say("Note in the tool loop"),
}


SLOT_BLOCKS = frozenset({Kind.INPUTS, Kind.EXPORTS})
"""Kinds of the blocks that are made of slots."""

SLOT_FRAME_TITLES: dict[str, Sentence] = {
    "open": say("Head of the block"),
    "next": say("Between two slots"),
    "close": say("End of the block"),
}
"""Titles of the text around the slots of a block."""


def segment_key(plugin: str, segment: str) -> str:
    """Key of an extension segment; ``segment`` is its id, or the tag that encloses it when the id is not known."""
    return f"segment:{plugin or '?'}/{segment}"


def lore_key(entry: str, owner: str = "world") -> str:
    """Key of a lorebook entry."""
    return f"lore:{entry}" if owner in ("", "world") else f"lore:{owner}/{entry}"


def history_key(row: str) -> str:
    """Key of a history message."""
    return f"history:{row}"


def summary_key(summary: str) -> str:
    """Key of a summary envelope."""
    return f"summary:{summary}"


def slot_key(kind: Kind, name: str) -> str:
    """Key of a slot: ``kind`` is that of its block, inputs or exports."""
    return f"input:{name}" if kind is Kind.INPUTS else f"export:{name}"


def is_slot_key(kind: Kind, key: str) -> bool:
    """Whether a segment of this kind and key is a slot of a block."""
    return kind in SLOT_BLOCKS and key.startswith(slot_key(kind, ""))


@lru_cache(maxsize=256)
def slot_title(kind: Kind, name: str) -> Sentence:
    """Title of a slot."""
    return say("Input · {name}", name=name) if kind is Kind.INPUTS else say("Export · {name}", name=name)


def slot_frame_key(kind: Kind, frame: str) -> str:
    """Key of the text around the slots: ``frame`` is open, next or close."""
    return f"{kind.value}-{frame}"


def slot_frame_kind(kind: Kind, frame: str) -> Kind:
    """What stands between two slots only joins them; head and end belong to the block."""
    return Kind.SEPARATOR if frame == "next" else kind


@lru_cache(maxsize=256)
def tool_title(name: str) -> Sentence:
    """Title of a tool definition."""
    return say("Tool · {name}", name=name)


def lore_title(label: str) -> Sentence:
    """Title of a lorebook entry."""
    return say("Lore · {label}", label=label)


def segment_title(name: str) -> Sentence:
    """Title of an extension segment, by its id or tag."""
    return say("Segment · {name}", name=name)


def own_data_title(tag: str) -> Sentence:
    """Title of a block of a plugin's own rows."""
    return say("Own data · {tag}", tag=tag)


def history_title(count: int) -> Sentence:
    """Title of the history branch."""
    return say("History · {n} messages", n=count)


def tool_call_title(name: str) -> Sentence:
    """Title of a call in the tool loop."""
    return say("Tool call · {name}", name=name)


def tool_result_title(name: str) -> Sentence:
    """Title of a result in the tool loop."""
    return say("Tool result · {name}", name=name)


def fold_key(number: int) -> str:
    """Key of the message that stands for folded groups of tool calls, counted from 1."""
    return f"fold:{number}"


def fold_title() -> Sentence:
    """Title of such a message."""
    return say("Short list of earlier tool calls")
