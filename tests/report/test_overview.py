"""What is gathered about a whole source."""

from fake_source import CHINESE, ENGLISH, fake_source

from covel_inspector.domain import Kind, Status
from covel_inspector.report.overview import gather


def test_every_call_is_judged_once() -> None:
    steps: list[tuple[int, int]] = []
    overview = gather(fake_source(), progress=lambda done, all_calls: steps.append((done, all_calls)))
    assert steps == [(number, 11) for number in range(1, 12)]
    assert overview.all_calls.calls == 11
    assert overview.all_calls.statuses == {
        Status.IDENTICAL: 5,
        Status.NORMALISED: 1,
        Status.DIFFERS: 2,
        Status.IMPOSSIBLE: 1,
        Status.NOTHING_RECORDED: 2,
    }


def test_figures_add_up_by_runtime() -> None:
    overview = gather(fake_source())
    english, chinese = overview.sessions
    assert [one.runtime for one in english.runtimes] == ["narrator", "harbor-clerk/ledger", "omens/quiet", "painter"]
    assert (english.turns, english.calls, chinese.turns, chinese.calls) == (3, 7, 3, 4)
    assert (english.background, chinese.background) == (1, 0)
    narrator = english.runtimes[0]
    assert narrator.taken == {Kind.TOOL_RESULT: 19}
    assert sum(one.total for session in overview.sessions for one in session.runtimes) == overview.all_calls.total
    assert [str(one.address) for one in chinese.exceptions] == [f"{CHINESE}:2:codex:0"]


def test_one_session_can_be_chosen() -> None:
    overview = gather(fake_source(), ENGLISH)
    assert [one.session.id for one in overview.sessions] == [ENGLISH]
    assert overview.all_calls.calls == 7


def test_no_calls_is_a_share_of_nothing() -> None:
    overview = gather(fake_source(), "no such session")
    assert overview.all_calls.calls == 0
    assert overview.all_calls.independent_share == 0.0
