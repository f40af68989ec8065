"""Rules that only this engine can check: its own marks in rows, its slots' switches. One file for each rule."""

from collections.abc import Iterable, Iterator, Sequence

from covel_inspector.domain import Address, Finding, Rule
from covel_inspector.engines.covel.explain.lint import engine_mark_in_text, late_system_message
from covel_inspector.engines.covel.explain.lint.late_system_message import SentRequest
from covel_inspector.engines.covel.rebuild.session import SessionRecord

RULES: Sequence[Rule] = (engine_mark_in_text.RULE, late_system_message.RULE)


def engine_findings(
    record: SessionRecord, requests: Iterable[SentRequest], addresses: dict[str, Address]
) -> Iterator[Finding]:
    """What the rules find in a session. ``addresses`` has the first call of each turn, by turn id."""
    yield from engine_mark_in_text.look(record, addresses)
    yield from late_system_message.look(record, requests)
