"""What the state knows of changes: one set a runtime, and the comparison that comes back."""

from fake_source import ENGLISH
from pytestqt.qtbot import QtBot

from covel_inspector.app.state import AS_IT_WAS, Spot, State
from covel_inspector.app.targets import Target, TargetKind
from covel_inspector.domain import Address, Changes

NARROW = Changes(window=1000)


def state_at(runtime: str = "narrator") -> State:
    state = State()
    state.go(Spot(ENGLISH, "2", Address(ENGLISH, "2", runtime, 0)))
    return state


def test_a_change_shows_the_changed_request_and_taking_it_back_ends_that(qtbot: QtBot) -> None:
    state = state_at()
    state.set_target(Target(TargetKind.REBUILT))
    with qtbot.waitSignals([state.changes_changed, state.target_changed]):
        state.set_changes(NARROW)
    assert state.target.kind is TargetKind.WHAT_IF
    with qtbot.assertNotEmitted(state.changes_changed):
        state.set_changes(NARROW)
    state.set_changes(AS_IT_WAS)
    assert state.target.kind is TargetKind.REBUILT


def test_leaving_keeps_the_changes(qtbot: QtBot) -> None:
    state = state_at()
    state.set_changes(NARROW)
    state.leave_what_if()
    assert state.target == Target()
    assert state.changes == NARROW
    state.leave_what_if()
    assert state.target == Target()


def test_each_runtime_has_changes_of_its_own() -> None:
    state = state_at()
    state.set_changes(NARROW)
    state.go(Spot(ENGLISH, "2", Address(ENGLISH, "2", "harbor-clerk/ledger", 0)))
    assert state.changes == AS_IT_WAS
    state.set_changes(Changes(window=500), "narrator")
    assert state.changes == AS_IT_WAS
    state.go(Spot(ENGLISH, "1", Address(ENGLISH, "1", "narrator", 0)))
    assert state.changes == Changes(window=500)


def test_a_turn_without_calls_belongs_to_the_preferred_runtime() -> None:
    state = state_at()
    state.preferred_runtime = "narrator"
    state.set_changes(NARROW)
    state.go(Spot(ENGLISH, "3", None))
    assert state.changes == NARROW


def test_another_file_forgets_them_and_the_same_one_can_keep_them() -> None:
    state = state_at()
    state.set_changes(NARROW)
    kept = state.kept_what_if()
    state.open(None, "", ())
    assert state.changes_of("narrator") == AS_IT_WAS
    assert state.target == Target()
    state.put_what_if(kept)
    assert state.changes_of("narrator") == NARROW
    assert state.target.kind is TargetKind.WHAT_IF


def test_what_if_is_no_lasting_target() -> None:
    assert [kind for kind in TargetKind if not Target(kind).is_lasting] == [TargetKind.ADDRESS, TargetKind.WHAT_IF]
