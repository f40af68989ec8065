"""Fields that packages had before the summer of 2026: reported, and used where they still say something sure."""

from covel_inspector.domain import Severity, say
from covel_inspector.engines.covel.checkout.fields import Fields
from covel_inspector.engines.covel.records.manifests import SelfData

OLD_FIELDS = ("priority", "upstreamRequired", "authorsNote", "postHistory")
_OLD_NESTED = (("input", "inject"), ("tools", "local"))


def report_old_fields(fields: Fields) -> bool:
    """Report each field of the old format among these; True when there was one."""
    found: list[tuple[str, ...]] = [(name,) for name in OLD_FIELDS if name in fields]
    for outer, inner in _OLD_NESTED:
        value = fields.raw(outer)
        if isinstance(value, dict) and inner in value:
            found.append((outer, inner))
    for steps in found:
        fields.report(
            Severity.HINT,
            say("Old format: '{field}' belongs to packages from before the summer of 2026", field=".".join(steps)),
            *steps,
        )
    return bool(found)


def old_self_data(fields: Fields) -> tuple[SelfData, ...]:
    """Own data that the old format declared under ``input.inject`` with a namespace and a tag."""
    declared = fields.raw("input")
    entries = declared.get("inject") if isinstance(declared, dict) else None
    blocks: list[SelfData] = []
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict):
            continue
        namespace, tag, form, most = (entry.get(key) for key in ("namespace", "as", "format", "maxEntries"))
        if isinstance(namespace, str) and isinstance(tag, str) and namespace and tag:
            blocks.append(
                SelfData(
                    namespace,
                    tag,
                    form if isinstance(form, str) else "summary",
                    most if isinstance(most, int) and not isinstance(most, bool) and most >= 0 else 50,
                )
            )
    return tuple(blocks)
