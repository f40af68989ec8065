"""The player's character and the lines for all others. Follows the reference on the assembler, section 7."""

from collections.abc import Mapping

from covel_inspector.engines.covel.assembler.escaping import Json, json_of, printed, shortened
from covel_inspector.engines.covel.assembler.params import SessionMeta
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.javascript import length

FIELD_LIMIT = 400
"""UTF-16 units of a description, and of the JSON of the fields."""

TOTAL_LIMIT = 8000
"""UTF-16 units of all lines, one more for each line end."""


def current_character(meta: SessionMeta) -> Mapping[str, Json] | None:
    """The current character of the main seat; where seats are unknown the first character of type player."""
    wanted = meta.current_character_id
    for character in meta.characters:
        if character.get("id") == wanted if wanted is not None else character.get("type") == "player":
            return character
    return None


def npc_lines(meta: SessionMeta, wording: Wording) -> str:
    """One line for each character but the current one; those beyond the limit are only named, in a last line."""
    current = current_character(meta)
    lines: list[str] = []
    unlisted: list[str] = []
    total = 0
    for character in meta.characters:
        if character is current:
            continue
        if unlisted:
            unlisted.append(printed(character.get("name")))
            continue
        line = character_line(character)
        size = length(line)
        if total + size > TOTAL_LIMIT:
            unlisted.append(printed(character.get("name")))
            continue
        total += size + 1
        lines.append(line)
    if unlisted:
        lines.append(wording.text("npcs.unlisted", names=wording.listed(unlisted)))
    return "\n".join(lines)


def character_line(character: Mapping[str, Json]) -> str:
    """Name, aliases, type, description and fields of one character."""
    line = f"- {printed(character.get('name'))}"
    aliases = character.get("aliases")
    if isinstance(aliases, list) and aliases:
        line += f" (aka {', '.join(map(printed, aliases))})"
    line += f" [{printed(character.get('type'))}]"
    description = printed(character.get("description"))
    if description:
        line += f" | {shortened(description, FIELD_LIMIT)}"
    fields = character.get("fields")
    if isinstance(fields, Mapping) and fields:
        line += f" | {shortened(json_of(fields), FIELD_LIMIT)}"
    return line
