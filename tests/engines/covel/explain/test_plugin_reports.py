"""What a plugin declares, and what of it was sent in a turn."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from edited_stories import DATA, EditedStory

from covel_inspector.domain import Fate, Kind, PluginReport
from covel_inspector.engines.covel.budget.estimator import covel_tokens
from covel_inspector.engines.covel.source import CovelSource, open_covel

CLERK = "plugins/harbor-clerk/PLUGIN.md"
SAMPLES = [("emberwatch", "sample-root"), ("tidewater", "sample-root"), ("emberwatch", None), ("tidewater", None)]


def reports(source: CovelSource, turn: str) -> dict[str, PluginReport]:
    return {report.id: report for report in source.plugins(source.sessions()[0].id, turn)}


def fates(report: PluginReport) -> dict[tuple[str, str], Fate]:
    return {(use.key, use.address.runtime if use.address else ""): use.fate for use in report.uses}


@pytest.fixture
def clerk_in_turn_1(tmp_path: Path) -> EditedStory:
    return EditedStory(tmp_path)


@pytest.mark.parametrize(("name", "root"), SAMPLES)
def test_what_is_told_as_sent_stands_in_the_request_and_nothing_else_does(name: str, root: str | None) -> None:
    source = open_covel(str(DATA / f"{name}.db"), str(DATA / root) if root else None)
    kinds = {Kind.BODY, Kind.EXTENSION, Kind.OWN_DATA, Kind.LORE}
    for session in source.sessions():
        for turn in source.turns(session.id):
            told = source.plugins(session.id, turn.number)
            for address in {use.address for report in told for use in report.uses if use.fate is Fate.SENT}:
                assert address is not None
                tree = source.recorded(address)
                assert tree is not None
                owned = {
                    "body" if leaf.kind is Kind.BODY else leaf.key.partition("#")[0]: leaf.origin.plugin
                    for leaf in tree.leaves()
                    if leaf.kind in kinds and leaf.origin.plugin
                }
                sent = {
                    use.key: report.id
                    for report in told
                    for use in report.uses
                    if use.address == address and use.fate in (Fate.SENT, Fate.ALTERED) and use.kind in kinds
                }
                assert sent == owned, address
            _assert_counted(source, told)
            total = sum(report.share for report in told)
            assert 0 <= total <= 1
    source.close()


def test_a_segment_that_a_hook_took_out_says_which_hook() -> None:
    source = open_covel(str(DATA / "emberwatch.db"), str(DATA / "sample-root"))
    assert ("segment:memory/memory-block:story", "narrator") not in fates(reports(source, "15")["memory"]) or (
        fates(reports(source, "15")["memory"])[("segment:memory/memory-block:story", "narrator")] is Fate.SENT
    )
    for turn in ("16", "22"):
        uses = reports(source, turn)["memory"].uses
        assert {(use.fate, str(use.why)) for use in uses} == {
            (Fate.HOOK, "the hook world-ir:trim-memory of world-ir took it out")
        }
        assert len({use.address for use in uses}) == len(uses), "told once of each request"
    source.close()


def test_a_message_that_the_budget_left_out_is_trimmed() -> None:
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    uses = reports(source, "3")["harbor-clerk"].uses
    pair = [use for use in uses if use.key == "segment:harbor-clerk/example-pair"]
    assert [use.fate for use in pair] == [Fate.SENT, Fate.TRIMMED]
    assert [use.address.call for use in pair if use.address] == [0, 1]
    assert [use.fate for use in uses if use.key == "segment:harbor-clerk/tail"] == [Fate.SENT] * 2
    source.close()


def test_reasons_for_what_was_not_sent() -> None:
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    told = reports(source, "1")
    assert fates(told["narrator"])["segment:narrator/narrative-style", ""] is Fate.NOT_ACTIVE
    assert fates(told["storm-watch"])["body", ""] is Fate.NOT_RUN
    assert fates(reports(source, "3")["storm-watch"])["body", "storm-watch/alarm"] is Fate.SENT
    assert fates(reports(source, "2")["omens"])["body", ""] is Fate.UNKNOWN  # Concealed.
    source.close()


def test_a_request_that_was_never_sent_is_told_as_rebuilt() -> None:
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    told = reports(source, "7")
    narrator = told["tide-narrator"]
    found = fates(narrator)
    assert found["body", "tide-narrator"] is found["segment:tide-narrator/voice", "tide-narrator"] is Fate.UNSENT
    assert all(use.tokens for use in narrator.uses if use.fate is Fate.UNSENT)
    assert [runtime.calls for runtime in narrator.runtimes] == [()]
    assert fates(told["harbor-clerk"])["body", ""] is Fate.UNKNOWN  # No call of the turn tells whether it ran.
    source.close()


def test_a_copied_turn_claims_nothing_of_calls_that_are_not_recorded() -> None:
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    fork = source.sessions()[1].id
    uses = [use for report in source.plugins(fork, "2") for use in report.uses]
    assert uses
    assert {use.fate for use in uses} <= {Fate.UNKNOWN, Fate.NOT_ACTIVE}
    source.close()


def test_a_segment_without_text_is_empty(clerk_in_turn_1: EditedStory) -> None:
    content = _content_line(clerk_in_turn_1, "tail")
    source = clerk_in_turn_1.replace_in_file(CLERK, content, "content: ''").open()
    found = fates(reports(source, "1")["harbor-clerk"])
    assert found["segment:harbor-clerk/tail", "harbor-clerk/ledger"] is Fate.EMPTY


def test_a_segment_whose_file_changed_is_not_said_to_be_sent(clerk_in_turn_1: EditedStory) -> None:
    content = _content_line(clerk_in_turn_1, "tail")
    source = clerk_in_turn_1.replace_in_file(CLERK, content, "content: Something else entirely.").open()
    found = fates(reports(source, "1")["harbor-clerk"])
    assert found["segment:harbor-clerk/tail", "harbor-clerk/ledger"] is Fate.UNKNOWN


def test_segments_of_a_plugin_without_agents_address_nobody(clerk_in_turn_1: EditedStory) -> None:
    rules = "plugins/house-rules/PLUGIN.md"
    source = clerk_in_turn_1.replace_in_file(
        rules, "contributes:\n", "contributes:\n  prompt:\n    - {id: alone, content: Alone., position: system}\n"
    ).open()
    report = reports(source, "1")["house-rules"]
    assert fates(report)["segment:house-rules/alone", ""] is Fate.AUDIENCE
    (declared,) = report.segments
    assert (declared.file, declared.is_static, declared.position) == (rules, True, "system")


def test_an_edited_body_is_altered(clerk_in_turn_1: EditedStory) -> None:
    body = "plugins/harbor-clerk/runtimes/ledger/RUNTIME.md"
    text = (clerk_in_turn_1.root / body).read_text(encoding="utf-8")
    line = [line for line in text.rpartition("---\n")[2].split("\n") if line.strip()][-1]
    source = clerk_in_turn_1.replace_in_file(body, line, f"{line} And one more sentence.").open()
    found = fates(reports(source, "1")["harbor-clerk"])["body", "harbor-clerk/ledger"]
    assert found in (Fate.ALTERED, Fate.UNKNOWN)


def test_declarations_are_passed_on() -> None:
    source = open_covel(str(DATA / "emberwatch.db"), str(DATA / "sample-root"))
    told = reports(source, "2")
    codex = told["codex"]
    (runtime,) = codex.runtimes
    assert (runtime.max_turns, runtime.own_data, runtime.stage) == (0, ("codex-entries",), "post-turn")
    assert [one.source for one in runtime.inputs] == ["contract: narrative-engine@2"]
    assert runtime.calls
    assert all(address.runtime == "codex" for address in runtime.calls)
    assert told["world-ir"].hooks == ("PostContextAssembly",)
    assert told["scene-painter"].runtimes[0].trigger == "type: event, topic: scene.ready"
    made = [segment for segment in told["world-init"].segments if not segment.is_static]
    assert {segment.id for segment in made} >= {"dimension-rules", "dimension-values"}
    assert [report.active for report in told.values()] == sorted(
        (report.active for report in told.values()), reverse=True
    )
    source.close()


def test_without_files_only_what_is_active_or_seen_is_told() -> None:
    source = open_covel(str(DATA / "emberwatch.db"))
    told = reports(source, "2")
    assert all(not report.is_declared for report in told.values())
    assert str(told["narrator"].notes[0]) == "No folder was given, so nothing that it declares is known."
    source.close()


def _assert_counted(source: CovelSource, told: Sequence[PluginReport]) -> None:
    """A plugin's tokens are those of its pieces in all requests of the turn that were sent."""
    for report in told:
        sent = [use for use in report.uses if use.fate in (Fate.SENT, Fate.ALTERED)]
        if sent:
            assert report.tokens == sum(use.tokens for use in sent), report.id
            assert report.requests == len({use.address for use in sent if use.tokens}), report.id


def test_all_requests_of_a_tool_loop_are_counted() -> None:
    source = open_covel(str(DATA / "emberwatch.db"), str(DATA / "sample-root"))
    session = source.sessions()[0].id
    told = reports(source, "6")
    trees = [source.recorded(call.address) for call in source.calls(session, "6")]
    whole = sum(group.tokens(covel_tokens) for tree in trees if tree is not None for group in tree.groups)
    tracker = told["char-creator"]
    assert (tracker.tokens, tracker.requests) == (981, 3)
    assert tracker.share == pytest.approx(981 / whole)
    assert {use.address.call for use in tracker.uses if use.address} == {0, 1, 2}
    source.close()


def test_what_code_may_have_added_is_not_said_to_be_absent() -> None:
    source = open_covel(str(DATA / "tidewater.db"), str(DATA / "sample-root"))
    told = reports(source, "6")
    assert told["house-rules"].uses == ()
    assert "hold text of unknown source" in str(told["house-rules"].unattributed)
    assert told["gossip"].unattributed is None, "it hangs on no point at which code adds segments"
    assert told["memory"].unattributed is None, "its segment was found"
    assert told["world-init"].unattributed is None, "it is not active"
    source.close()


def _content_line(story: EditedStory, segment: str) -> str:
    text = (story.root / CLERK).read_text(encoding="utf-8").partition(f"id: {segment}")[2]
    return next(line.strip() for line in text.split("\n") if line.strip().startswith("content:"))
