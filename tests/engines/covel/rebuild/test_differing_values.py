"""Another value of a variable is the fault of what gives the value, not of the file in which the variable stands."""

from pathlib import Path

from edited_stories import EditedStory

from covel_inspector.domain import Address


def test_a_row_that_changed_without_a_trace_is_named_and_the_file_is_not(tmp_path: Path) -> None:
    source = EditedStory(tmp_path).execute("UPDATE worlds SET name = 'Saltwater' WHERE name = 'Tidewater'").open()
    verdict = source.verdict(Address(source.sessions()[0].id, "4", "tide-narrator", 0))
    told = [str(one.note) for one in verdict.differences if "Value of world.name" in str(one.title)]
    source.close()
    assert told
    assert all("the row in worlds from which world.name has its value reads otherwise now" in one for one in told)
    assert not any("PLUGIN.md" in one for one in told)
