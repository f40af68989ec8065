"""Keys that mean something inside one part of the window, for the list of shortcuts: they belong to no command."""

from dataclasses import dataclass

from covel_inspector.domain import Sentence, say


@dataclass(frozen=True, slots=True)
class ViewKey:
    """Where a key counts, the key in Qt's portable form (several: divided by commas), and what it does."""

    where: Sentence
    keys: str
    told: Sentence


_EVERYWHERE = say("everywhere")
_TREE = say("request, as a tree")
_WIRE = say("request, as Wire")
_LISTS = say("lists of the panels")
_PICTURES = say("pictures over the turns")
_FIELDS = say("filters and tried lines")
_EDITOR = say("editor of a text")

VIEW_KEYS: tuple[ViewKey, ...] = (
    ViewKey(_EVERYWHERE, "Tab, Shift+Tab", say("to the next or previous part")),
    ViewKey(_TREE, "Left, Right", say("close and open a row, then go out and in")),
    ViewKey(_TREE, "Return, Space", say("open or close a row")),
    ViewKey(_TREE, "Ctrl+Up, Ctrl+Down", say("previous and next difference")),
    ViewKey(_TREE, "Ctrl+C", say("copy the text")),
    ViewKey(_WIRE, "Space", say("fold or open")),
    ViewKey(_WIRE, "Return", say("select the segment at the cursor")),
    ViewKey(_LISTS, "Return", say("go to the place")),
    ViewKey(_LISTS, "Ctrl+Left, Ctrl+Right", say("to the nearest turn in which the entry was in")),
    ViewKey(_PICTURES, "Left, Right, Home, End", say("choose a turn")),
    ViewKey(_FIELDS, "Down", say("from the filter into the list")),
    ViewKey(_FIELDS, "Esc", say("empty the field")),
    ViewKey(_EDITOR, "Ctrl+Return", say("apply the text")),
    ViewKey(_EDITOR, "Ctrl+Tab", say("write a tab")),
)
