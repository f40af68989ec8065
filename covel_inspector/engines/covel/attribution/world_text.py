"""The world's lore as a prompt would show it. Follows the reference on the assembler, sections 5 and 9."""

import re
from collections.abc import Iterator

from covel_inspector.domain import Origin
from covel_inspector.engines.covel.records.rows import SessionRow, WorldRow

_MARK = re.compile(r"<!--.*?narrator[\s_-]?only.*?-->", re.IGNORECASE)
_CLOSE = "</world-lore>"


def world_lore_texts(session: SessionRow, world: WorldRow | None) -> dict[str, Origin]:
    """Every text the lore block may hold, with the row it is from: the override, or the world's in any language."""
    override = session.lore_override
    if override is not None:
        return {_shown(override): Origin(table="sessions", rows=(session.id,))}
    if world is None:
        return {}
    origin = Origin(table="worlds", rows=(world.id,))
    return {_shown(text): origin for text in _lore_of(world)}


def _lore_of(world: WorldRow) -> Iterator[str]:
    if world.lore:
        yield world.lore
    localized = world.metadata.get("localizedText")
    lore = localized.get("lore") if isinstance(localized, dict) else None
    for text in lore.values() if isinstance(lore, dict) else (lore,):
        if isinstance(text, str) and text:
            yield text


def _shown(lore: str) -> str:
    """Without the marks around what only the narrator reads, and with the block's own close tag made harmless."""
    kept: list[str] = []
    skip_blank = False
    for line in lore.split("\n"):
        stripped = line.strip()
        if _MARK.fullmatch(stripped):
            skip_blank = not kept or not kept[-1].strip()
            continue
        if skip_blank and not stripped:
            skip_blank = False
            continue
        skip_blank = False
        kept.append(line)
    return "\n".join(kept).replace(_CLOSE, "&lt;/world-lore>")
