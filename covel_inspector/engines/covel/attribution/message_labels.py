"""What is said of the messages around the current line: the line, this turn's story and its cue, the prune marker."""

from covel_inspector.domain import Grade, Kind, Origin, Volatility, say
from covel_inspector.engines.covel.attribution.claims import Label
from covel_inspector.engines.covel.attribution.index import IndexedRow, StoryText
from covel_inspector.engines.covel.records.naming import TITLES

_LINE_EXACT = say("equal to the player's row of this turn")
_LINE_PLACED = say("stands where the engine puts the current line")
WROTE_NOTHING = say("The player wrote nothing: the engine puts a sentence of its own.")
_NO_LINE = say("No row of this turn holds this text: the turn was not committed.")
LINE_TWICE = say("Another row or message has the same text: which one the player's line is cannot be told.")
OLDER_STORY = say("An older turn has a row with the same text: this may be history.")
_TOLD_TWICE = say("Another row of this turn has the same text: which one this is cannot be told.")
CUE = Label(
    "cue",
    Kind.CUE,
    TITLES[Kind.CUE],
    Grade.STRUCTURAL,
    say("the engine's note behind the story of this turn"),
    volatility=Volatility.STABLE,
)
NOTHING_PRUNED = say("The history behind it begins with the oldest row: nothing seems to be left out here.")
PRUNED = Label(
    "prune-marker",
    Kind.PRUNE_MARKER,
    TITLES[Kind.PRUNE_MARKER],
    Grade.STRUCTURAL,
    say("a short system message at the very start, and the trace says that history was left out of this request"),
)


def line_label(row: IndexedRow) -> Label:
    """The label of a message that equals the player's row."""
    return Label("player-line", Kind.PLAYER_LINE, TITLES[Kind.PLAYER_LINE], Grade.EXACT, _LINE_EXACT, row.label.origin)


def placed_label(wrote_nothing: bool) -> Label:
    """The label of a message that only its place makes the current line."""
    note = WROTE_NOTHING if wrote_nothing else _NO_LINE
    return Label(
        "player-line",
        Kind.PLAYER_LINE,
        TITLES[Kind.PLAYER_LINE],
        Grade.STRUCTURAL,
        _LINE_PLACED,
        volatility=Volatility.TURN,
        notes=(note,),
    )


def story_label(number: int, story: StoryText) -> Label:
    """The label of the ``number``-th story told in this turn, from 1."""
    return Label(
        f"story:{number}",
        Kind.STORY,
        TITLES[Kind.STORY],
        Grade.GUESS if story.has_twin else Grade.EXACT,
        say("equal to what {runtime} told in this turn", runtime=story.runtime or story.plugin),
        Origin(plugin=story.plugin, runtime=story.runtime, table=story.table, rows=(story.row,)),
        Volatility.TURN,
        notes=(_TOLD_TWICE,) if story.has_twin else (),
    )
