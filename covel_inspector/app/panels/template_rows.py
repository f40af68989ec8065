"""The list of variables in the Template panel."""

from covel_inspector.app.figures import figure
from covel_inspector.app.panels.listed_rows import Cell, Column, Row, spoken_cells
from covel_inspector.app.wording import Wording
from covel_inspector.domain import Sentence, TemplateReport, TemplateVariable, ValueSource, say
from covel_inspector.report.terminal import clip, one_line

COLUMNS = (
    Column(say("Variable"), stretch=4),
    Column(say("Value"), stretch=5),
    Column(say("From"), most=22),
    Column(say("Tokens"), right=True, most=8),
)

SOURCES: dict[ValueSource, Sentence] = {
    ValueSource.PLAYER_LINE: say("the player line"),
    ValueSource.FORM: say("a form"),
    ValueSource.CHARACTER: say("a character"),
    ValueSource.WORLD: say("the world"),
    ValueSource.SESSION: say("the session"),
    ValueSource.SETTING: say("a setting"),
    ValueSource.RESULT: say("a result of this turn"),
    ValueSource.RECORDING: say("the recording"),
    ValueSource.NOWHERE: say("nowhere"),
}

_LONGEST = 200


def variable_rows(report: TemplateReport, wording: Wording) -> list[Row]:
    """One row a variable, in the order in which they stand in the body."""
    return [_row(variable, wording) for variable in report.variables]


def _row(variable: TemplateVariable, wording: Wording) -> Row:
    text = wording.text
    icon, tone, word = _sign(variable)
    value = clip(one_line(variable.value), _LONGEST)
    tone_of_value = "text"
    if variable.is_missing:
        value, tone_of_value = text(say("no value")), "error"
    elif not variable.value:
        value, tone_of_value = text(say("empty")), "quiet"
    if variable.cut is not None:
        value = f"✂ {value}"
    cells = (
        Cell(one_line(variable.path), icon=icon, icon_tone=tone, bold=bool(variable.changed)),
        Cell(value, tone_of_value),
        Cell(text(SOURCES[variable.source]), "quiet"),
        Cell(figure(variable.tokens) if variable.tokens else "", "quiet"),
    )
    return Row(variable.path, cells, variable, None, value, spoken_cells(cells, text(word)))


def _sign(variable: TemplateVariable) -> tuple[str, str, Sentence]:
    if variable.is_missing:
        return "error", "error", say("no value")
    if variable.changed:
        return "changed", "changed_mark", say("changed")
    if variable.changed is False:
        return "same", "quiet", say("unchanged")
    return "unsure", "quiet", say("not known whether it changed")
