"""The colours of the window as plain values: ``#rrggbb``, without Qt.

One accent, one colour a segment kind (the same in the tree, the request map and the margin), and tints for what a
comparison found. Every tint stands beside a mark or a word that says the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from covel_inspector.domain import Kind


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme. Texts on their grounds keep a contrast of 4.5 or more, what is drawn one of 3 or more
    (both after WCAG 2.2, level AA); only what is switched off may be fainter."""

    name: str
    dark: bool
    ground: str
    """Behind lists and texts."""
    bar: str
    """Behind toolbar, headings and status bar."""
    border: str
    grid: str
    """Quieter than a border: lines inside a list."""
    text: str
    quiet: str
    """Secondary facts."""
    disabled: str
    accent: str
    on_accent: str
    link: str
    selected: str
    """Behind a selected row."""
    hover: str
    field: str
    """Behind a text field or a button."""
    boundary: str
    """Behind a boundary line."""
    changed: str
    added: str
    removed: str
    moved: str
    changed_mark: str
    """Sign and text colours that go with the tints."""
    added_mark: str
    removed_mark: str
    moved_mark: str
    word_added: str
    """Behind single words that only one side has."""
    word_removed: str
    hatch: str
    """Lines of the filler where a side has nothing."""
    track: str
    """The empty part of a request map."""
    cached_hatch: str
    """Lines over the cached part of a request map."""
    map_mark: str
    """Boundary lines on a request map."""
    good: str
    warning: str
    error: str
    note: str
    """Behind a note that a reader must not miss."""
    what_if: str
    """Behind what never was: a request changed by the reader."""
    what_if_mark: str


LIGHT = Colours(
    name="light",
    dark=False,
    ground="#ffffff",
    bar="#fafbfd",
    border="#dfe3e8",
    grid="#edf0f3",
    text="#1b2430",
    quiet="#5a6573",
    disabled="#9aa4b0",
    accent="#2463eb",
    on_accent="#ffffff",
    link="#1d57d6",
    selected="#e1ebfd",
    hover="#f1f4f8",
    field="#ffffff",
    boundary="#eef3fb",
    changed="#fff4d6",
    added="#ddf4e4",
    removed="#fde4e4",
    moved="#efe6fb",
    changed_mark="#985600",
    added_mark="#187338",
    removed_mark="#b3261e",
    moved_mark="#7440b4",
    word_added="#9bdcb0",
    word_removed="#f3b0b0",
    hatch="#cfe6d7",
    track="#dfe3e8",
    cached_hatch="#ffffff",
    map_mark="#1b2430",
    good="#187338",
    warning="#985600",
    error="#b3261e",
    note="#fff4d6",
    what_if="#fbe7f3",
    what_if_mark="#a02670",
)

DARK = Colours(
    name="dark",
    dark=True,
    ground="#1c2027",
    bar="#191d23",
    border="#2e343d",
    grid="#262b33",
    text="#e3e7ec",
    quiet="#97a3b1",
    disabled="#667180",
    accent="#6ea0ff",
    on_accent="#10141a",
    link="#7eabff",
    selected="#243352",
    hover="#252b34",
    field="#20252d",
    boundary="#1a2433",
    changed="#3a3115",
    added="#173524",
    removed="#402124",
    moved="#2e2540",
    changed_mark="#e0a33a",
    added_mark="#56c07c",
    removed_mark="#f08a84",
    moved_mark="#b893ea",
    word_added="#2c6b45",
    word_removed="#7a3638",
    hatch="#2a4a38",
    track="#2e343d",
    cached_hatch="#1c2027",
    map_mark="#e3e7ec",
    good="#56c07c",
    warning="#e0a33a",
    error="#f08a84",
    note="#3a3115",
    what_if="#3c2133",
    what_if_mark="#f08fc6",
)

_KINDS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.GROUP: "#7b8794",
        # What stands before the runtime's own words: greys and browns.
        Kind.TOOL: "#9e8061",
        Kind.PREAMBLE: "#7b8794",
        Kind.RESPONSE_FORMAT: "#8a7560",
        Kind.BODY: "#3b74e6",
        # The world: greens.
        Kind.WORLD_LORE: "#1f9e8f",
        Kind.LORE: "#6e9e36",
        Kind.EVENTS: "#3f97aa",
        # What other plugins say: oranges.
        Kind.TURN_CONTEXT: "#cc7a1e",
        Kind.EXTENSION: "#ac8a17",
        Kind.OWN_DATA: "#a0642a",
        Kind.INPUTS: "#d8743c",
        Kind.EXPORTS: "#c08a4a",
        Kind.ACTIVATION: "#a98a1f",
        # The past: violets.
        Kind.SUMMARY: "#9467c8",
        Kind.HISTORY: "#8085b8",
        Kind.NOTE: "#9d80cb",
        Kind.PICTURES: "#b06fb8",
        Kind.PRUNE_MARKER: "#7b66aa",
        # This turn: reds.
        Kind.PLAYER_LINE: "#cc4466",
        Kind.STORY: "#d4698a",
        Kind.CUE: "#b85c7c",
        Kind.RETRY_HINT: "#c2503e",
        # The tool loop: blues.
        Kind.TOOL_CALL: "#5b8fd0",
        Kind.TOOL_RESULT: "#4f7fa8",
        Kind.REASONING: "#7398b8",
        Kind.LOOP_NOTE: "#6a86a8",
        Kind.MARK: "#8c96a2",
        Kind.SEPARATOR: "#8c96a2",
        Kind.UNKNOWN: "#8a939f",
    }
)


def kind_colour(kind: Kind) -> str:
    """The colour of a segment kind, ``#rrggbb``; readable as a dot or block in both themes."""
    return _KINDS[kind]
