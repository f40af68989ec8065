"""Small made-up sessions with a lorebook, seen from one call."""

from collections.abc import Iterable, Sequence

from covel_inspector.domain import Address, Call, LoreState
from covel_inspector.engines.covel.attribution import SessionEvidence, index_session
from covel_inspector.engines.covel.explain.lore import lore_states
from covel_inspector.engines.covel.explain.sight import Sight
from covel_inspector.engines.covel.rebuild.moment import Moment
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.executions import Executions
from covel_inspector.engines.covel.records.rows import LorebookRow, SessionRow, TurnMessageRow
from covel_inspector.engines.covel.textpack import default_pack

CALLED_AT = "2026-05-01T12:00:00.000Z"


def entry(name: str, keys: Iterable[str] = (), **fields: object) -> LorebookRow:
    """A stored entry; it is there from the start unless ``created_at`` says otherwise."""
    made = {"strategy": "selective", "position": "before_plugin", "content": f"About {name}.", **fields}
    return LorebookRow(id=name, session_id="s", owner=made.pop("owner", "world"), keys=tuple(keys), **made)


def sight(line: str, messages: Sequence[str], entries: Iterable[LorebookRow]) -> Sight:
    """A call in which the player wrote ``line``; ``messages`` are the committed ones before, oldest first."""
    rows = [
        TurnMessageRow(
            id=f"m{number}", session_id="s", turn_id=f"t{number}", source_type="runtime", role="assistant",
            content=text, order=number, created_at=f"2026-05-01T10:00:{number:02d}.000Z",
        )
        for number, text in enumerate(messages)
    ]  # fmt: skip
    rows.append(
        TurnMessageRow(
            id="line", session_id="s", turn_id="now", source_type="player", role="user", content=line, order=0,
            created_at="2026-05-01T11:59:59.000Z",
        )
    )  # fmt: skip
    evidence = SessionEvidence(SessionRow(id="s"), rows=tuple(rows), lorebook=tuple(entries))
    # Nothing of the turn itself is committed: its execution settles after the call.
    executions = _Unsettled(())
    record = SessionRecord(evidence, index_session(evidence), executions, default_pack())
    call = Call(Address("s", "9", "narrator", 0), "row", "now", started_at=CALLED_AT)
    return Sight(call, record, Moment("now", "narrator", "narrator", CALLED_AT), None, lambda _: None)


class _Unsettled(Executions):
    """The running turn is committed by nobody; every other row was there from the start."""

    def commit_time(self, row: TurnMessageRow) -> str | None:
        return "2026-05-01T12:00:01.000Z" if row.turn_id == "now" else None


def one_state(line: str, messages: Sequence[str], row: LorebookRow) -> LoreState:
    """What a call says about a single entry."""
    (state,) = lore_states(sight(line, messages, [row]))
    return state
