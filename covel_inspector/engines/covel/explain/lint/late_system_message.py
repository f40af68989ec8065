"""A system message behind the first other message, on a slot of a relay that may move it to the front.

Follows the reference on the wire, section 3.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from covel_inspector.domain import Address, Finding, FindingPlace, Group, Rule, SegmentTree, Severity, say
from covel_inspector.engines.covel.rebuild.session import SessionRecord
from covel_inspector.engines.covel.records.manifests import SlotLimits

RULE = Rule("late-system-message", say("Late system message on a relay"), Severity.HINT)

_OFFICIAL = frozenset({"openai", "azure", "azure-openai", "anthropic", "google"})


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A recorded request, and the model slot it was made for."""

    address: Address
    slot: str
    tree: SegmentTree


def look(record: SessionRecord, requests: Iterable[SentRequest]) -> Iterator[Finding]:
    """One finding for each slot of a relay that such a message was sent to."""
    checkout = record.evidence.checkout
    waiting = {name: slot for name, slot in (checkout.slots if checkout else {}).items() if _may_be_relay(slot)}
    if not waiting:  # Then no request need be read.
        return
    for request in requests:
        slot = waiting.get(request.slot)
        if slot is None:
            continue
        late = _late(request.tree)
        if late is None:
            continue
        del waiting[request.slot]
        sentence = say(
            "Slot {slot} goes to {provider}, which may be a relay; a system message stands behind the history, and "
            "a relay that moves it to the front breaks the cached prefix each turn",
            slot=slot.slot,
            provider=slot.provider,
        )
        remedy = say("Set lateSystemAsUser in the slot's providerOptions: true for such a relay, false otherwise.")
        place = FindingPlace(file="llm.toml", address=request.address, segment=late)
        yield Finding(RULE.id, RULE.severity, RULE.title, sentence, remedy, place)


def _may_be_relay(slot: SlotLimits) -> bool:
    """True for a slot of the wire in question that goes to nobody known, and for which nobody decided."""
    return (
        slot.late_system_as_user is None
        and slot.protocol.startswith("openai")
        and bool(slot.provider)
        and slot.provider.lower() not in _OFFICIAL
    )


def _late(tree: SegmentTree) -> str | None:
    """Key of the first segment in a system message behind a message of another role."""
    behind = False
    for number, part in enumerate(tree.request.parts):
        if part.group is not Group.MESSAGES:
            continue
        if part.role == "system" and behind:
            leaf = tree.leaf_at(number, 0)
            return leaf.key if leaf is not None else ""
        behind = behind or part.role != "system"
    return None
