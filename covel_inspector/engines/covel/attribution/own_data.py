"""Which rows of a plugin's own data a block of the turn context shows. Step e of the reference on attribution.

Without files nothing names the namespace or the tag: then every line must tell of one row, and of one only. What the
format of the lines is, and when one last line may follow them, is in the reference on the assembler, section 8.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from covel_inspector.engines.covel.assembler.escaping import json_of, unescape
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.manifests import SelfData
from covel_inspector.engines.covel.records.rows import PluginDataRow

_ITEM = "- "
_CUT = "..."
_JOINTS = {" | ": "summary", ": ": "full"}
_IDS_ONLY = "ids-only"


@dataclass(frozen=True, slots=True)
class ShownRows:
    """The rows whose keys the lines of a block begin with; ``is_equal`` when its whole text follows from them.

    ``is_shared``: rows of another namespace fit as well.
    """

    namespace: str = ""
    rows: tuple[PluginDataRow, ...] = ()
    is_equal: bool = False
    is_shared: bool = False


def shown_rows(inner: str, declared: Sequence[SelfData], rows: Mapping[str, PluginDataRow], started: str) -> ShownRows:
    """The rows that a block shows. ``declared``: the manifest's entries with its tag; ``rows`` by namespace and key.

    ``started`` is when the call began: a row made later cannot have been sent.
    """
    nothing = ShownRows(declared[0].namespace if len(declared) == 1 else "")
    if not inner.startswith(f"\n{_ITEM}") or not inner.endswith("\n"):
        return nothing
    lines = inner[1:-1].split("\n")
    items = [unescape(line)[len(_ITEM) :] for line in lines if line.startswith(_ITEM)]
    has_only_items = len(items) == len(lines)
    has_last_line = len(items) == len(lines) - 1 and not lines[-1].startswith(_ITEM) and lines[-1] != ""
    formats = {data.namespace: data.format for data in declared}
    found: list[ShownRows] = []
    for namespace in formats or sorted({key.partition("\n")[0] for key in rows}):
        shown = _in_namespace(items, namespace, formats.get(namespace, ""), rows)
        if shown.rows and not any(row.created_at > started > "" for row in shown.rows):
            is_whole = has_only_items or (has_last_line and _has_more(shown, rows))
            found.append(ShownRows(namespace, shown.rows, shown.is_equal and is_whole))
    return _chosen(found, started) if found else nothing


def _chosen(found: list[ShownRows], started: str) -> ShownRows:
    """An equal one first. Another one is as good when it is equal too, or may have been before its rows changed."""
    best = next((shown for shown in found if shown.is_equal), found[0])
    others = [shown for shown in found if shown is not best and (shown.is_equal or _changed(shown.rows, started))]
    return ShownRows(best.namespace, best.rows, best.is_equal, bool(others))


def _changed(rows: Iterable[PluginDataRow], started: str) -> bool:
    return any(row.updated_at > started > "" for row in rows)


def _has_more(shown: ShownRows, rows: Mapping[str, PluginDataRow]) -> bool:
    """Whether the namespace has rows that the block leaves out: only then the engine adds a line that says so."""
    return sum(1 for key in rows if key.startswith(f"{shown.namespace}\n")) > len(shown.rows)


def _in_namespace(items: Sequence[str], namespace: str, layout: str, rows: Mapping[str, PluginDataRow]) -> ShownRows:
    """The rows of all items in one namespace, each at most once; none when one item has no row."""
    shown: dict[str, PluginDataRow] = {}
    layouts = {layout} if layout else set()
    is_equal = True
    for item in items:
        row, joint, value = _row_of(item, namespace, rows)
        if row is None:
            return ShownRows(namespace)
        layouts.add(_JOINTS.get(joint, _IDS_ONLY))
        is_equal = is_equal and row.key not in shown and (not joint or _same_value(value, row.value))
        shown[row.key] = row
    return ShownRows(namespace, tuple(shown.values()), is_equal and len(layouts) == 1)


def _row_of(item: str, namespace: str, rows: Mapping[str, PluginDataRow]) -> tuple[PluginDataRow | None, str, str]:
    """The row that an item begins with, and the joint and the value behind its key (empty when it has none)."""
    for joint in _JOINTS:
        key, found, value = item.partition(joint)
        row = rows.get(f"{namespace}\n{key}") if found else None
        if row is not None:
            return row, joint, value
    return rows.get(f"{namespace}\n{item}"), "", ""


def _same_value(text: str, value: object) -> bool:
    """True when the printed value is the row's, without the bookkeeping fields that the engine leaves out.

    Values are held against each other as they are printed: to Python, true and 1 are equal.
    """
    if text.endswith(_CUT):
        return False
    try:
        printed = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if isinstance(printed, dict) and isinstance(value, dict):
        return bool(printed) and all(
            name in value and stringify(member) == json_of(value[name]) for name, member in printed.items()
        )
    return stringify(printed) == json_of(value)
