"""Changes that name what a call does not have are told, each with what may be meant; changes that fit are not."""

from pathlib import Path

import pytest

from covel_inspector.domain import Address, Changes
from covel_inspector.engines.covel.source import CovelSource, open_covel

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture(scope="module")
def source() -> CovelSource:
    return open_covel(str(DATA / "emberwatch.db"), str(DATA / "sample-root"))


@pytest.fixture(scope="module")
def narrator(source: CovelSource) -> Address:
    return source.resolve(":22:narrator:0")


def told(source: CovelSource, address: Address, **changes: object) -> list[str]:
    return [str(one) for one in source.unmatched(address, Changes(**changes))]  # type: ignore[arg-type]  # By name.


def test_every_key_of_the_request_fits(source: CovelSource, narrator: Address) -> None:
    tree = source.rebuilt(narrator)
    assert tree is not None
    keys = tuple({segment.key: None for segment in tree.walk()})
    assert told(source, narrator, without=keys) == []
    leaves = tuple((leaf.key, "x") for leaf in tree.leaves())
    assert told(source, narrator, texts=leaves) == []


def test_every_absent_piece_and_every_entry_fits(source: CovelSource, narrator: Address) -> None:
    tree = source.rebuilt(narrator)
    assert tree is not None
    assert tree.absent
    assert told(source, narrator, without=tuple(absent.key for absent in tree.absent)) == []
    lore = tuple(state.key for state in source.lorebook(narrator))
    assert lore
    assert told(source, narrator, lore_on=lore, lore_off=lore, without=lore) == []


def test_numbers_and_lines_name_nothing(source: CovelSource, narrator: Address) -> None:
    changes = {"window": 1, "reserve": 0, "max_turns": -1, "player_line": "{{nix}}", "include_summaries": False}
    assert told(source, narrator, **changes) == []


def test_unknown_segments_are_named(source: CovelSource, narrator: Address) -> None:
    (out,) = told(source, narrator, without=("preamble:runtme",))
    assert out == (
        "This request has no segment “preamble:runtme” that could be left out. Did you mean “preamble:runtime”?"
    )
    (edited,) = told(source, narrator, texts=(("no such thing", "x"),))
    assert edited == "This request has no segment “no such thing” that could be given another text."


def test_a_text_for_several_messages_is_named(source: CovelSource, narrator: Address) -> None:
    (one,) = told(source, narrator, texts=(("messages", "x"),))
    assert "stands for several messages" in one


def test_unknown_entries_are_named(source: CovelSource, narrator: Address) -> None:
    key = source.lorebook(narrator)[0].key
    found = told(source, narrator, lore_on=(f"{key}x",), lore_off=("nix",))
    assert found[0] == f"This story has no lorebook entry “{key}x”. Did you mean “{key}”?"
    assert found[1].startswith("This story has no lorebook entry “nix”.")
    assert told(source, narrator, lore_depth=(("nix", 2), (key, 2))) == found[1:]


def test_variables_of_another_body(source: CovelSource, narrator: Address) -> None:
    body = "{{world.name}} {{player.message}} {{wrld.name}} {{ world.nix }} {{world.nix}}"
    assert told(source, narrator, body=body) == [
        "The body names {{wrld.name}}, which the engine does not know or never prints.",
        "The body names {{world.nix}}, which has no value in this call.",
    ]


def test_the_own_body_names_no_unknown_variable(source: CovelSource, narrator: Address) -> None:
    report = source.template(narrator)
    assert report is not None
    missing = {variable.path for variable in report.variables if variable.is_missing}
    found = told(source, narrator, body=report.template)
    assert len(found) == len(missing)


@pytest.mark.parametrize(
    ("locale", "says"),
    [("not a tag", "is no language tag"), ("zh-CN", None), ("en", None), ("zh-cn", "changes nothing in this request")],
)
def test_languages(source: CovelSource, narrator: Address, locale: str, says: str | None) -> None:
    found = told(source, narrator, locale=locale)
    assert len(found) == (says is not None)
    assert says is None or says in found[0]


def test_models(source: CovelSource, narrator: Address) -> None:
    (found,) = told(source, narrator, model="claude-sonet-4-6")
    assert "No call and no slot names the model “claude-sonet-4-6”" in found
    assert found.endswith("Did you mean “claude-sonnet-4-6”?")
    assert told(source, narrator, model="claude-sonnet-4-6") == []


def test_a_call_that_is_not_there_tells_nothing(source: CovelSource, narrator: Address) -> None:
    nowhere = Address(narrator.session, "99", "narrator", 0)
    assert source.unmatched(nowhere, Changes(without=("nix",))) == ()
