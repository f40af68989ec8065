"""What the provider said, what a break costs, and what else differs: on the same made-up turns as the causes."""

from dataclasses import replace

import pytest
from story_changes import BEFORE, GROWN, NEXT, between
from story_requests import Narrator, call

from covel_inspector.analysis.causes import Cause, CauseKind, Measured, ProviderFacts
from covel_inspector.domain import Usage

FACTS = ProviderFacts(minimum=1024, lifetime=300, pause=60, predicted=1500)


def nothing_read(measured: Measured, facts: ProviderFacts, now: Narrator = NEXT, whole: int = 2000) -> Cause:
    cold = call(2, usage=Usage(whole, 100, 0, whole))
    return between(BEFORE, now, became=cold, measured=measured, provider=facts)


def test_a_cache_that_expired() -> None:
    cause = nothing_read(Measured(2000, 1800), replace(FACTS, pause=900))
    assert (cause.kind, cause.tokens_uncached, cause.tokens_lost) == (CauseKind.EXPIRED, 2000, 1800)
    assert "15 minutes" in str(cause.sentence)


def test_a_prefix_below_the_minimum() -> None:
    cause = nothing_read(Measured(2000, 800), FACTS)
    assert (cause.kind, cause.tokens_lost, cause.is_guess) == (CauseKind.BELOW_MINIMUM, 0, False)


def test_a_prefix_just_above_the_minimum_may_be_below_it() -> None:
    cause = nothing_read(Measured(2000, 1060), FACTS)
    assert (cause.kind, cause.is_guess) == (CauseKind.BELOW_MINIMUM, True)


def test_a_request_that_is_too_short_as_a_whole() -> None:
    cause = nothing_read(Measured(900, 800), FACTS, whole=900)
    assert cause.kind is CauseKind.BELOW_MINIMUM
    assert "900" in str(cause.sentence)


def test_a_relay_is_suspected() -> None:
    cause = nothing_read(Measured(2000, 1800), FACTS)
    assert (cause.kind, cause.is_guess) == (CauseKind.RELAY, True)
    assert cause.remedy is not None


def test_no_relay_is_suspected_where_nothing_could_be_read() -> None:
    assert nothing_read(Measured(2000, 1800), replace(FACTS, predicted=0)).kind is CauseKind.HELD


def test_what_was_read_is_no_break() -> None:
    assert between(BEFORE, NEXT, measured=Measured(2000, 1800), provider=FACTS).kind is CauseKind.HELD


def test_a_break_stays_the_cause_and_the_expiry_is_told_too() -> None:
    cause = nothing_read(Measured(2000, 1800), replace(FACTS, pause=900), replace(NEXT, lore=()))
    assert (cause.kind, cause.tokens_lost) == (CauseKind.LORE, 0)
    assert any("expired" in str(note) for note in cause.notes)


# What it costs, and what else differs.


def test_what_was_lost_is_what_stood_in_both_requests_behind_the_break() -> None:
    """Behind the entry, the event directory (16 letters) and the two rows of history (19 + 31) are the same: 66 / 4."""
    cause = between(BEFORE, replace(NEXT, lore=(), late="<tide>1</tide>"), measured=Measured(500, 100))
    assert (cause.tokens_uncached, cause.tokens_lost) == (400, 17)
    assert [str(note) for note in cause.notes] == ["Behind it, “late” differs too."]


def test_a_compaction_behind_the_break_is_told() -> None:
    now = replace(NEXT, lore=(), summary="<compacted_history>…", history=GROWN[2:])
    cause = between(BEFORE, now)
    assert cause.kind is CauseKind.LORE
    assert [str(note) for note in cause.notes] == ["Behind it, history was compacted too."]


def test_names_of_anthropic_are_only_given_for_its_models() -> None:
    chat = {"model": "gpt-5.2", "provider": "openai"}
    cause = between(BEFORE, replace(NEXT, lore=()), was=call(1, **chat), became=call(2, **chat))
    assert (cause.kind, cause.provider_reason) == (CauseKind.LORE, "")


@pytest.mark.parametrize("kind", [kind for kind in CauseKind if Cause(kind, BEFORE.tree().groups[0].title).is_break])
def test_only_breaks_without_an_answer_have_no_remedy(kind: CauseKind) -> None:
    from covel_inspector.analysis.causes.remedies import remedy_for

    without = {
        CauseKind.PREAMBLE, CauseKind.BODY, CauseKind.HISTORY_EDITED, CauseKind.PICTURE, CauseKind.TOOL_LOOP,
        CauseKind.REWOUND, CauseKind.UNKNOWN,
    }  # fmt: skip
    assert (remedy_for(kind) is None) == (kind in without)
