"""Pictures as they go out: references become images, or the message goes. Follows the reference on the runtime,
section 4. Bytes are never read: as in a trace, only their length is known."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from covel_inspector.domain import AbsenceReason, Absent, Field, Kind, Place, SegmentTree, Sentence, say
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.rebuild.units import PlacedLeaf, Unit

_SENDABLE = ("image/png", "image/jpeg", "image/webp", "image/gif")
_MOST_BYTES = 3_750_000


def send_pictures(
    units: Sequence[Unit], media_bytes: Mapping[str, int], recorded: SegmentTree | None
) -> tuple[list[Unit], tuple[Absent, ...]]:
    """The units with picture references replaced, and what was left out.

    Whether a model takes images stands in no row: when the recording has no picture message, it is left out here too.
    """
    sent: list[Unit] = []
    absent: list[Absent] = []
    accepted = recorded is None or any(part.field is Field.MEDIA_PART for part in recorded.request.parts)
    for unit in units:
        if not _has_media(unit):
            sent.append(unit)
        elif not accepted:
            absent.append(_absent(unit, say("no picture was recorded: the model of this call takes none")))
        else:
            changed = _with_images(unit, media_bytes)
            if changed is None:
                absent.append(_absent(unit, say("none of the pictures can be sent")))
            else:
                sent.append(changed)
    return sent, tuple(absent)


def _has_media(unit: Unit) -> bool:
    content = unit.message.content
    return isinstance(content, list) and any(isinstance(part, dict) and part.get("type") == "media" for part in content)


def _absent(unit: Unit, note: Sentence) -> Absent:
    text = "\n".join(placed.leaf.text for placed in unit.leaves)
    return Absent("pictures", Kind.PICTURES, say("Pictures shown lately"), AbsenceReason.PICTURE, note, text)


def _with_images(unit: Unit, media_bytes: Mapping[str, int]) -> Unit | None:
    """A picture that cannot be sent goes together with the text directly before it, but never the first part."""
    parts: list[dict[str, Any]] = []
    leaves: list[PlacedLeaf] = []
    for ordinal, part in enumerate(unit.message.content):
        own = [placed for placed in unit.leaves if placed.part == ordinal]
        if part.get("type") != "media":
            leaves.extend(replace(placed, part=len(parts)) for placed in own)
            parts.append(part)
            continue
        image = _image(part.get("ref"), media_bytes)
        if image is None:
            if len(parts) > 1 and parts[-1].get("type") == "text":
                parts.pop()
                leaves = [placed for placed in leaves if placed.part < len(parts)]
            continue
        text = stringify(image)
        leaves.extend(
            replace(
                placed, part=len(parts), leaf=replace(placed.leaf, text=text, place=Place(len(parts), 0, len(text)))
            )
            for placed in own[:1]
        )
        parts.append(image)
    if not any(part.get("type") == "image" for part in parts):
        return None
    return Unit(unit.message.model_copy(update={"content": parts}), tuple(leaves))


def _image(reference: object, media_bytes: Mapping[str, int]) -> dict[str, Any] | None:
    if not isinstance(reference, dict):
        return None
    mime = str(reference.get("mime", "")).partition(";")[0].strip()
    size = media_bytes.get(str(reference.get("id", "")))
    if mime not in _SENDABLE or size is None or not 0 < size <= _MOST_BYTES:
        return None
    characters = -(-size // 3) * 4
    return {"type": "image", "image": f"[image data omitted: {characters} base64 characters]", "mediaType": mime}
