"""Names in changes that fit nothing: a change that could never be seen is named, not passed over."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches

from covel_inspector.domain import Changes, SegmentTree, Sentence, ValueSource, say
from covel_inspector.engines.covel.assembler.templates import fill
from covel_inspector.engines.covel.assembler.variables import Variables
from covel_inspector.engines.covel.assembler.wording import Wording
from covel_inspector.engines.covel.explain.sight import Sight
from covel_inspector.engines.covel.explain.values import value_origin
from covel_inspector.engines.covel.javascript.locales import parse_locale
from covel_inspector.engines.covel.rebuild.context import prepare
from covel_inspector.engines.covel.records.naming import lore_key, segment_key


def unmatched(changes: Changes, sight: Sight, called_models: Collection[str]) -> Iterator[Sentence]:
    """A sentence for each name that this call has nothing for: segments, entries, variables, locale, model.

    ``called_models`` are those of recorded calls. A request that cannot be rebuilt tells nothing of its segments.
    """
    lore = {lore_key(row.id, row.owner) for row in sight.record.evidence.lorebook}
    yield from _lore(changes, lore)
    tree = sight.rebuild(Changes())
    if tree is not None:
        yield from _segments(changes, tree, lore | _declared(sight))
    if changes.body is not None:
        yield from _variables(changes.body, sight)
    if changes.locale is not None:
        yield from _locale(changes.locale, sight, tree)
    if changes.model is not None:
        yield from _model(changes.model, {*called_models, *_slot_models(sight)})


def _lore(changes: Changes, known: Collection[str]) -> Iterator[Sentence]:
    for key in (*changes.lore_on, *changes.lore_off, *dict(changes.lore_depth)):
        if key not in known:
            yield _suggesting(say("This story has no lorebook entry “{key}”.", key=key), key, known)


def _segments(changes: Changes, tree: SegmentTree, elsewhere: Collection[str]) -> Iterator[Sentence]:
    parts = _parts_by_key(tree)
    known = {*parts, *(absent.key for absent in tree.absent)}
    for key in changes.without:
        if key not in known and key not in elsewhere:
            told = say("This request has no segment “{key}” that could be left out.", key=key)
            yield _suggesting(told, key, known)
    for key, _ in changes.texts:
        if key not in parts:
            told = say("This request has no segment “{key}” that could be given another text.", key=key)
            yield _suggesting(told, key, parts)
        elif len(parts[key]) > 1:
            yield say("“{key}” stands for several messages: no single text can replace it.", key=key)


def _parts_by_key(tree: SegmentTree) -> Mapping[str, set[int]]:
    """The parts of the request over which each branch reaches, by its key; leaves of one key are edited one by one."""
    found: dict[str, set[int]] = {}
    for segment in tree.walk():
        parts = found.setdefault(segment.key, set())
        parts.update(leaf.place.part for child in segment.children for leaf in child.leaves() if leaf.place)
    return found


def _declared(sight: Sight) -> set[str]:
    """Keys of segments that the runtime could have, whether this request holds them or not."""
    params = prepare(sight.record, sight.moment, sight.recorded, Changes()).params
    return {segment_key(segment.plugin_id, segment.id) for segment in params.prompt_segments}


def _model(name: str, known: Collection[str]) -> Iterator[Sentence]:
    if name not in known:
        told = say("No call and no slot names the model “{model}”: the limits of the call's own slot are kept.",
                   model=name)  # fmt: skip
        yield _suggesting(told, name, known)


def _slot_models(sight: Sight) -> Iterator[str]:
    checkout = sight.record.evidence.checkout
    if checkout is not None:
        yield from (slot.model for slot in checkout.slots.values() if slot.model)


def _variables(body: str, sight: Sight) -> Iterator[Sentence]:
    prepared = prepare(sight.record, sight.moment, sight.recorded, Changes())
    params = prepared.params
    wording = Wording.of(prepared.pack, params.turn_input.locale, params.instruction_override)
    values = {part.path: part.text for part in fill(body, Variables(params, wording).text) if part.path}
    for path, value in values.items():
        variable = "{{" + path + "}}"
        if value_origin(path, sight, params).source is ValueSource.NOWHERE:
            yield say("The body names {variable}, which the engine does not know or never prints.", variable=variable)
        elif not value:
            yield say("The body names {variable}, which has no value in this call.", variable=variable)


def _locale(locale: str, sight: Sight, tree: SegmentTree | None) -> Iterator[Sentence]:
    if parse_locale(locale) is None:
        yield say("“{locale}” is no language tag; one looks like zh-CN.", locale=locale)
    elif tree is not None and locale != sight.record.evidence.session.locale:
        changed = sight.rebuild(Changes(locale=locale))
        if changed is not None and changed.request == tree.request:
            yield say("The language {locale} changes nothing in this request.", locale=locale)


def _suggesting(told: Sentence, name: str, known: Iterable[str]) -> Sentence:
    meant = get_close_matches(name, list(known), 1)
    return say("{what} Did you mean “{meant}”?", what=told, meant=meant[0]) if meant else told
