"""When each lorebook entry was in, over the turns of one runtime."""

from collections.abc import Iterable

from covel_inspector.domain import Changes, LoreHistory, LoreOutcome, LoreRow
from covel_inspector.engines.covel.assembler.lorebook import label_of, scan_depth
from covel_inspector.engines.covel.assembler.session_state import LoreEntry
from covel_inspector.engines.covel.explain.lore import Woken, needs_request, outcomes, pruned_lore, sent_lore, wake
from covel_inspector.engines.covel.explain.sight import Sight
from covel_inspector.engines.covel.records.naming import lore_key

_NO_CHANGES = Changes()


def lore_history(session: str, runtime: str, sights: Iterable[Sight]) -> LoreHistory:
    """The history from the first call of each turn, in story order."""
    addresses = []
    sent: list[set[str] | None] = []
    columns: list[tuple[Woken, dict[str, LoreOutcome]]] = []
    entries: dict[str, LoreEntry] = {}
    for sight in sights:
        woken = wake(sight)
        pruned = pruned_lore(sight.rebuild(_NO_CHANGES)) if needs_request(woken) else ()
        addresses.append(sight.address)
        sent.append(sent_lore(sight.recorded))
        columns.append((woken, outcomes(woken, pruned)))
        for entry in (*woken.state.lorebook, *woken.later):
            entries[lore_key(entry.id, entry.owner)] = entry
    rows = [
        LoreRow(
            entry=entry.id,
            key=key,
            label=label_of(entry),
            owner=entry.owner,
            outcomes=tuple(became.get(key, LoreOutcome.LATER) for _, became in columns),
            woken_by=tuple(_key_that_hit(key, woken, became) for woken, became in columns),
            sent=tuple(None if held is None else key in held for held in sent),
        )
        for key, entry in entries.items()
    ]
    return LoreHistory(session, runtime, tuple(addresses), tuple(rows))


def _key_that_hit(key: str, woken: Woken, became: dict[str, LoreOutcome]) -> str:
    active = woken.active.get(key)
    entry = active.entry if active is not None else None
    if entry is None or became.get(key) not in (LoreOutcome.KEY, LoreOutcome.PRUNED):
        return ""
    scan = woken.log.scan(scan_depth(entry))
    return next((hit.key for one in entry.keys or () for hit in scan.hits(one)), "")
