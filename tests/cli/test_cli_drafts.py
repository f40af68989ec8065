"""Drafts on the command line that name what is not there."""

import json
from pathlib import Path

import pytest
from fake_source import ENGLISH

ADDRESS = f"{ENGLISH}:1:narrator:0"


@pytest.fixture
def draft(tmp_path: Path):
    """Writes a draft and gives its path."""

    def write(changes: dict[str, object], **fields: object) -> str:
        file = tmp_path / "my.draft.json"
        whole = {"format": "covel-inspector-draft/1", "changes": changes, **fields}
        file.write_text(json.dumps(whole), encoding="utf-8")
        return str(file)

    return write


@pytest.mark.parametrize("command", ["show", "budget"])
def test_names_that_fit_nothing_are_notes(desk, draft, command: str) -> None:
    file = draft({"without": ["bdy", "body"], "texts": {"nix": "x"}})
    outcome = desk(command, "story.db", ADDRESS, "--draft", file)
    assert outcome.status == 0
    assert outcome.err == "note: There is no “bdy” here.\nnote: There is no “nix” here.\n"
    found = json.loads(desk(command, "story.db", ADDRESS, "--draft", file, "--json").out)
    assert found["draftNotes"] == ["There is no “bdy” here.", "There is no “nix” here."]


@pytest.mark.parametrize("command", ["show", "budget"])
def test_a_draft_that_fits_has_no_notes(desk, draft, command: str) -> None:
    outcome = desk(command, "story.db", ADDRESS, "--draft", draft({"without": ["body"]}, address=ADDRESS), "--json")
    assert outcome.err == ""
    assert json.loads(outcome.out)["draftNotes"] == []
    assert "draftNotes" not in json.loads(desk(command, "story.db", ADDRESS, "--json").out)


def test_the_call_it_was_made_for_is_checked(desk, draft) -> None:
    other = f"{ENGLISH}:1:harbor-clerk/ledger:0"
    outcome = desk("show", "story.db", ADDRESS, "--draft", draft({}, address=other))
    assert outcome.err == f"note: The draft was made for another runtime: {other}.\n"
    outcome = desk("show", "story.db", ADDRESS, "--draft", draft({}, address="elsewhere:1:narrator:0"))
    assert outcome.err.startswith("note: The draft was made for a call that is not in this file. 'elsewhere'")
    outcome = desk("show", "story.db", ADDRESS, "--draft", draft({}, address=f"{ENGLISH}:2:narrator:0"))
    assert outcome.err == ""


def test_an_unknown_field_is_no_draft(desk, draft) -> None:
    outcome = desk("show", "story.db", ADDRESS, "--draft", draft({}, runtime="narrator"))
    assert (outcome.status, outcome.out) == (2, "")
    assert 'there is no field "runtime"; there are format, address, changes' in outcome.err
