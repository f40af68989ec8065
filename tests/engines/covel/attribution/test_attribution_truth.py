"""All recorded calls of the samples: they tile, and no claim contradicts the truth files."""

from collections import Counter
from dataclasses import replace

import pytest
from attribution_truth import Outcome, TrueSpan, compare, truth_of
from sample_calls import SAMPLES, Sample, read_sample, sample_root

from covel_inspector.domain import Grade, Group, Kind, Segment
from covel_inspector.engines.covel.attribution import attribute

CLAIMED_WITH_FILES = 0.97
FIRM_WITH_FILES = 0.90
CLAIMED_WITHOUT_FILES = 0.70


def outcome_of(sample: Sample, truth: dict[str, list[TrueSpan]], with_files: bool) -> Outcome:
    """Attributes every call of a sample and compares it with the truth."""
    indexes = sample.indexes(sample_root() if with_files else None)
    outcome = Outcome([], Counter())
    for call in sample.calls:
        if call.row in truth:
            tree = attribute(call.call, call.moment, indexes[call.session])
            compare(tree, truth[call.row], call.moment.runtime_id, outcome)
    return outcome


@pytest.mark.parametrize("with_files", [False, True], ids=["rows", "rows and files"])
@pytest.mark.parametrize("name", ["emberwatch", "tidewater"])
def test_no_claim_is_wrong(name: str, with_files: bool, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = outcome_of(read_sample(name), truth_of(name), with_files)

    with capsys.disabled():
        print(f"\n{name}, {'with' if with_files else 'without'} files: characters of system prompt and messages")
        print(outcome.table())
    assert outcome.wrong == []
    assert outcome.covered() >= (CLAIMED_WITH_FILES if with_files else CLAIMED_WITHOUT_FILES)
    if with_files:
        assert outcome.firm() >= FIRM_WITH_FILES


def test_the_comparison_notices_a_wrong_claim() -> None:
    sample, truth = read_sample("tidewater"), truth_of("tidewater")
    shifted = {
        event: [replace(span, kind="cue") if span.kind == "current" else span for span in spans]
        for event, spans in truth.items()
    }
    other_row = {
        event: [
            replace(span, facts={**span.facts, "row": "another"}) if span.kind == "history" else span for span in spans
        ]
        for event, spans in truth.items()
    }

    assert outcome_of(sample, shifted, with_files=True).wrong
    assert outcome_of(sample, other_row, with_files=True).wrong


@pytest.mark.parametrize("name", SAMPLES)
def test_every_call_is_tiled_and_explains_itself(name: str) -> None:
    sample = read_sample(name)
    for checkout in (None, sample_root()):
        indexes = sample.indexes(checkout)
        for call in sample.calls:
            tree = attribute(call.call, call.moment, indexes[call.session])
            assert tree.gaps() == []
            for segment in tree.walk():
                children = [child.key for child in segment.children]
                assert len(children) == len(set(children))
                assert segment.is_leaf or segment.children
                if segment.key not in ("tools", "system", "messages", "response-format"):
                    assert str(segment.reason)
                    assert "{" not in str(segment.title)


def test_there_are_as_many_calls_as_the_readers_are_told() -> None:
    assert [len(read_sample(name).calls) for name in SAMPLES] == [163, 39, 12]


def test_a_concealed_call_gives_a_tree_of_what_is_there() -> None:
    sample = read_sample("tidewater")
    indexes = sample.indexes(None)
    concealed = [call for call in sample.calls if call.call.concealed]

    assert len(concealed) == 6
    for call in concealed:
        tree = attribute(call.call, call.moment, indexes[call.session])
        assert tree.group(Group.MESSAGES) is None
        assert not any(leaf.kind in (Kind.HISTORY, Kind.BODY) for leaf in tree.leaves())


def test_each_sentinel_of_the_system_prompt_draws_one_boundary() -> None:
    sample = read_sample("emberwatch")
    indexes = sample.indexes(None)
    for call in sample.calls:
        tree = attribute(call.call, call.moment, indexes[call.session])
        marks = [leaf for leaf in tree.leaves() if leaf.kind is Kind.MARK]
        assert [boundary.place.end for boundary in tree.boundaries] == [leaf.place.end for leaf in marks if leaf.place]
        assert [boundary.number for boundary in tree.boundaries] == list(range(1, len(marks) + 1))
        assert {leaf.key for leaf in marks} <= {"mark:preamble", "mark:body", "mark:stable", "mark:lore"}


def by_key(segments: list[Segment]) -> dict[str, Segment]:
    return {segment.key: segment for segment in segments}


def test_the_variables_of_a_body_are_leaves_with_their_values() -> None:
    sample = read_sample("tidewater")
    indexes = sample.indexes(sample_root())
    call = next(call for call in sample.calls if call.moment.runtime_id == "tide-narrator")

    tree = attribute(call.call, call.moment, indexes[call.session])
    found = by_key(list(tree.walk()))

    assert found["body"].children
    assert found["variable:world.name"].text == "Tidewater"
    assert found["variable:world.name"].origin.variable == "world.name"
    assert found["variable:player.character"].text.startswith('{"id":"ines-calder"')
    assert found["literal:0"].origin.file == "plugins/tide-narrator/PLUGIN.md"
    assert found["literal:0"].origin.line < found["literal:1"].origin.line < found["literal:2"].origin.line
    assert found["body"].grade is Grade.TEMPLATE
