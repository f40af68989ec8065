"""The world as templates see it. Follows the reference on the assembler, section 9."""

from collections.abc import Iterable, Mapping

from covel_inspector.engines.covel.assembler.escaping import model_facing
from covel_inspector.engines.covel.assembler.localized import resolve, resolve_leaves
from covel_inspector.engines.covel.assembler.params import Json
from covel_inspector.engines.covel.assembler.session_state import LoreEntry, SessionState, WorldRecord
from covel_inspector.engines.covel.assembler.world_lore import without_narrator_marks
from covel_inspector.engines.covel.javascript import is_blank, ordered_items, parse_locale

_NOT_EXTRA = frozenset(("dimensions", "localizedText"))


def world_view(state: SessionState) -> Mapping[str, Json] | None:
    """The world view, None for a session without a world."""
    if state.world_id is None:
        return None
    world, context = state.world, state.world_context
    view: dict[str, Json] = {"id": state.world_id}
    if world is not None:
        texts = {
            "name": _localized(world, "name", world.name, state.locale),
            "description": _localized(world, "description", world.description, state.locale),
            "lore": world_lore(state),
        }
        view.update({name: text for name, text in texts.items() if text is not None})
        if world.tags is not None:
            view["tags"] = list(world.tags)
    view["dimensions"] = context.dimensions if context.dimensions is not None else {}
    if context.dimension_provider is not None:
        view["dimensionProviderPluginId"] = context.dimension_provider
    if context.schema is not None:
        view["schema"] = model_facing(resolve_leaves(context.schema, state.locale))
    view["entries"] = world_entries(state.lorebook, context.entries)
    extra = {name: member for name, member in world.metadata.items() if name not in _NOT_EXTRA} if world else {}
    if extra:
        view["extra"] = extra
    return view


def world_lore(state: SessionState) -> str | None:
    """The lore of the session: its override, else the world's in the session's language, without marker lines.

    None without a world record, whatever the override says.
    """
    world = state.world
    if world is None:
        return None
    lore = state.lore_override
    if lore is None:
        lore = _localized(world, "lore", world.lore, state.locale)
    return None if lore is None else without_narrator_marks(lore)


def world_entries(lorebook: Iterable[LoreEntry], overlay: Mapping[str, Json]) -> list[Json]:
    """The world's constant entries as key and content; a later one with the same key replaces the content only."""
    constant = [
        entry for entry in lorebook if entry.enabled and entry.strategy == "constant" and entry.owner_kind == "world"
    ]
    constant.sort(key=lambda entry: entry.insertion_order)
    found: dict[str, Json] = {}
    for entry in constant:
        found[entry.keys[0] if entry.keys else entry.id] = entry.content
    found.update(ordered_items(overlay))
    return [{"key": key, "content": content} for key, content in found.items()]


def _localized(world: WorldRecord, field: str, own: str | None, locale: str | None) -> str | None:
    """The record's own text when it is in the session's language, else a translation that is not blank."""
    if own and (not locale or _same_writing(world.locale, locale)):
        return own
    translations = world.metadata.get("localizedText")
    text = translations.get(field) if isinstance(translations, Mapping) else None
    if isinstance(text, Mapping):
        text = resolve(text, locale)
    return text if isinstance(text, str) and not is_blank(text) else own


def _same_writing(left: str | None, right: str) -> bool:
    first, second = parse_locale(left) if left else None, parse_locale(right)
    return first is not None and second is not None and first.shares_writing(second)
