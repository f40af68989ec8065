"""The body of a call: pieces, values, where they are from, what changed, what differs from the file."""

from pathlib import Path
from typing import Any

import pytest
from edited_stories import DATA, NARRATOR, EditedStory

from covel_inspector.domain import Address, TemplateReport, TemplateVariable, ValueSource, Volatility
from covel_inspector.engines.covel.source import CovelSource, open_covel

PLACE = "The place is {{ world.name }}."


def narrator_in(source: CovelSource, turn: str) -> TemplateReport:
    session = source.sessions()[0].id
    report = source.template(Address(session, turn, "tide-narrator", 0))
    assert report is not None
    return report


def variables(report: TemplateReport) -> dict[str, TemplateVariable]:
    return {variable.path: variable for variable in report.variables}


@pytest.mark.parametrize("name", ["emberwatch", "tidewater"])
def test_every_body_of_the_samples_is_explained_to_the_letter(name: str) -> None:
    source = open_covel(str(DATA / f"{name}.db"), str(DATA / "sample-root"))
    explained = 0
    for session in source.sessions():
        for call in source.calls(session.id):
            report, recorded = source.template(call.address), source.recorded(call.address)
            if recorded is None:
                assert report is None
                continue
            assert report is not None
            assert report.differs is None, call.address
            body = next(segment for segment in recorded.walk() if segment.key == "body")
            assert "".join(piece.text for piece in report.pieces) == body.whole_text
            assert "".join(piece.source for piece in report.pieces) == report.template
            assert all(report.template.startswith(piece.source, piece.start) for piece in report.pieces)
            explained += 1
    source.close()
    assert explained == {"emberwatch": 163, "tidewater": 33}[name]


def test_values_say_where_they_are_from_and_whether_they_changed(tmp_path: Path) -> None:
    source = EditedStory(tmp_path).open()
    first = variables(narrator_in(source, "1"))
    assert (first["world.name"].source, first["world.name"].origin.table) == (ValueSource.WORLD, "worlds")
    assert first["world.name"].changed is None
    assert first["player.character"].source is ValueSource.RECORDING
    later = narrator_in(source, "8")
    assert later.previous is not None
    assert later.previous.turn == "6"  # Turn 7 failed before it sent anything.
    failed = narrator_in(source, "7")
    assert failed.previous is not None
    assert failed.previous.turn == "6"
    assert variables(failed)["player.character"].changed is True
    character = variables(later)["player.character"]
    assert (character.source, character.origin.table) == (ValueSource.CHARACTER, "characters")
    assert character.changed is True
    assert character.before not in (None, character.value)
    assert character.volatility is Volatility.SESSION
    lines = (tmp_path / "root" / NARRATOR).read_text(encoding="utf-8").split("\n")
    for variable in later.variables:
        assert f"{{{{ {variable.path} }}}}" in lines[variable.line - 1]


@pytest.mark.parametrize(
    ("path", "source_of", "volatility", "missing"),
    [
        ("player.message", ValueSource.PLAYER_LINE, Volatility.TURN, False),
        ("session.turnNumber", ValueSource.SESSION, Volatility.TURN, False),
        ("session.id", ValueSource.NOWHERE, Volatility.STABLE, True),
        ("characters.npcs", ValueSource.CHARACTER, Volatility.SESSION, False),
        ("world.lore", ValueSource.WORLD, Volatility.SESSION, False),
        ("world.entries", ValueSource.WORLD, Volatility.SESSION, False),
        ("world.nothing", ValueSource.WORLD, Volatility.SESSION, True),
        ("userSettings.tone", ValueSource.SETTING, Volatility.SESSION, True),
        ("inputs.gossip.weaver.text", ValueSource.RESULT, Volatility.TURN, True),
        ("player.lastFormValues", ValueSource.FORM, Volatility.SESSION, False),
        ("playerx.message", ValueSource.NOWHERE, Volatility.STABLE, True),
        ("constructor", ValueSource.NOWHERE, Volatility.STABLE, True),
    ],
)
def test_every_root_is_told_apart(
    tmp_path: Path, path: str, source_of: ValueSource, volatility: Volatility, missing: bool
) -> None:
    story = EditedStory(tmp_path).replace_in_file(NARRATOR, PLACE, f"{PLACE} Now: {{{{ {path} }}}}.")
    report = narrator_in(story.open(), "8")
    found = variables(report)[path]
    assert (found.source, found.volatility, found.is_missing) == (source_of, volatility, missing)
    assert (found.value == "") is missing
    assert str(found.where)
    assert report.differs is not None


def test_a_variable_without_a_name_keeps_its_place(tmp_path: Path) -> None:
    story = EditedStory(tmp_path).replace_in_file(NARRATOR, PLACE, f"{{{{ }}}} {PLACE} {{{{}}}} {{{{ a }} }}}}")
    report = narrator_in(story.open(), "1")
    assert "".join(piece.source for piece in report.pieces) == report.template
    assert [piece.source for piece in report.pieces if not piece.text] == ["{{ }}"]
    assert set(variables(report)) == {"world.name", "player.character"}


def test_a_file_that_changed_since_says_so(tmp_path: Path) -> None:
    story = EditedStory(tmp_path).replace_in_file(NARRATOR, "one short scene at a time", "one scene at a time")
    assert str(narrator_in(story.open(), "1").differs).startswith(
        "the recorded body differs from the file from character "
    )


def test_values_of_an_edited_body_are_those_that_were_sent(tmp_path: Path) -> None:
    (tmp_path / "same").mkdir()
    same = variables(narrator_in(EditedStory(tmp_path / "same").open(), "1"))["player.character"]
    (tmp_path / "edited").mkdir()
    story = EditedStory(tmp_path / "edited").replace_in_file(NARRATOR, "one short scene", "one LONG scene")
    story.replace_in_file(NARRATOR, "Stop where", "Halt where")
    report = narrator_in(story.open(), "1")
    edited = variables(report)["player.character"]
    assert (edited.value, edited.source) == (same.value, ValueSource.RECORDING)
    assert any("is a guess" in str(note) for note in edited.notes)
    assert "The file differs from what was sent: 9" in str(report.differs)
    assert not any("may not be what was sent" in str(note) for variable in report.variables for note in variable.notes)


def test_a_value_that_cannot_be_told_from_another_body_says_so(tmp_path: Path) -> None:
    story = EditedStory(tmp_path)
    path = story.root / NARRATOR
    head = path.read_text(encoding="utf-8").rpartition("---\n")[0]
    path.write_text(f"{head}---\n\nTell the story of {{{{ world.name }}}}.", encoding="utf-8")
    world = variables(narrator_in(story.open(), "8"))["world.name"]
    assert (world.value, world.source) == ("Tidewater", ValueSource.WORLD)
    assert (world.changed, world.before) == (None, None)
    assert any("may not be what was sent" in str(note) for note in world.notes)


def test_another_body_altogether_says_so(tmp_path: Path) -> None:
    story = EditedStory(tmp_path)
    path = story.root / NARRATOR
    head = path.read_text(encoding="utf-8").rpartition("---\n")[0]
    path.write_text(f"{head}---\n\nTell the story.", encoding="utf-8")
    report = narrator_in(story.open(), "1")
    assert report.template == "Tell the story."
    assert report.differs is not None


def test_a_value_that_no_row_tells_is_the_recorded_one_and_no_other_body(tmp_path: Path) -> None:
    story = EditedStory(tmp_path).replace_in_file(NARRATOR, PLACE, f"{PLACE} Tone: {{{{ userSettings.tone }}}}.")
    source = story.open()
    call = source.calls(source.sessions()[0].id)[0]
    source.close()

    def send_the_tone(payload: dict[str, Any]) -> None:
        system = payload["messages"][0]
        system["content"] = system["content"].replace("The place is Tidewater.", "The place is Tidewater. Tone: dark.")

    report = narrator_in(story.change_call(call.row, send_the_tone).open(), "1")
    tone = variables(report)["userSettings.tone"]
    assert (report.differs, tone.value, tone.source, tone.is_missing) == (None, "dark", ValueSource.RECORDING, False)
    assert str(tone.where).startswith("as recorded: rows and files of now give another text")


def test_a_repeated_variable_is_one_with_two_uses(tmp_path: Path) -> None:
    story = EditedStory(tmp_path).replace_in_file(NARRATOR, PLACE, f"{PLACE}\n{PLACE}")
    report = narrator_in(story.open(), "1")
    assert variables(report)["world.name"].uses == 2
    assert [piece.variable for piece in report.pieces if piece.variable] == ["world.name"] * 2 + ["player.character"]


def test_values_beyond_their_limits_are_told(tmp_path: Path) -> None:
    story = EditedStory(tmp_path).replace_in_file(NARRATOR, PLACE, "{{ characters.npcs }}")
    story.execute("UPDATE characters SET description = ? WHERE type <> 'player'", "x" * 500)
    found = variables(narrator_in(story.open(), "8"))["characters.npcs"]
    assert str(found.cut).endswith("texts were cut at 400 units")


def test_without_files_or_for_concealed_calls_there_is_no_template(tmp_path: Path) -> None:
    story = EditedStory(tmp_path)
    with_files, without = story.open(), story.open(with_files=False)
    session = with_files.sessions()[0].id
    assert without.template(Address(session, "1", "tide-narrator", 0)) is None
    assert with_files.template(Address(session, "2", "omens/quiet", 0)) is None
    assert with_files.template(Address(session, "99", "tide-narrator", 0)) is None
