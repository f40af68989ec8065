"""Prepares two sides of the made-up story as the window does, without a window."""

from fake_source import ENGLISH, FakeSource, fake_source

from covel_inspector.app.picking import Lists
from covel_inspector.app.preparing import Counts, Question, prepare
from covel_inspector.app.sides import Prepared
from covel_inspector.app.state import Spot
from covel_inspector.app.targets import Target


def ask(text: str, target: Target | None = None, source: FakeSource | None = None, turn: str = "") -> Prepared:
    source = source or fake_source()
    address = source.resolve(text) if text else None
    session = address.session if address else ENGLISH
    lists = Lists.of(
        next(one for one in source.sessions() if one.id == session), source.turns(session), source.calls(session)
    )
    spot = Spot(session, address.turn if address else turn, address)
    return prepare(source, Question(spot, lists, target or Target()), Counts(), lambda: False)
