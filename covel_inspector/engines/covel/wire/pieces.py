"""The content of kernel messages as texts and pictures. Follows the reference on the wire, section 1."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from covel_inspector.domain import Group
from covel_inspector.engines.covel.javascript import stringify
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.wire.texts import NOTHING, Spot, Text, joined, quoted, unmarked

_SIGNATURES = (("iVBORw0KGgo", "image/png"), ("/9j/", "image/jpeg"), ("R0lGOD", "image/gif"), ("UklGR", "image/webp"))
_PNG = "image/png"
_INLINE = ";base64,"


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: an address, or bytes in base64 with their type. ``media_type`` of an address may be empty."""

    spot: Spot
    media_type: str
    address: Text | None = None
    data: Text = NOTHING

    @property
    def url(self) -> Text:
        """The address, or the bytes as a ``data:`` address."""
        if self.address is not None:
            return self.address
        return Text(f"data:{self.media_type}{_INLINE}") + self.data


def pieces(index: int, message: KernelMessage) -> list[Text | Image]:
    """The texts (marks deleted) and pictures of a message, in order; nothing for content None."""
    content = message.content
    if isinstance(content, str):
        return [unmarked(quoted(content, Spot(Group.MESSAGES, index)))]
    if isinstance(content, list):
        found = (_piece(part, Spot(Group.MESSAGES, index, ordinal)) for ordinal, part in enumerate(content))
        return [piece for piece in found if piece is not None]
    if content is None:
        return []
    return [unmarked(quoted(stringify(content), Spot(Group.MESSAGES, index)))]


def marked_texts(index: int, message: KernelMessage) -> list[Text]:
    """The texts of a message with the engine's cache marks still in them; pictures are left out."""
    content = message.content
    if isinstance(content, str):
        return [quoted(content, Spot(Group.MESSAGES, index))]
    if not isinstance(content, list):
        return []
    return [
        quoted(part["text"], Spot(Group.MESSAGES, index, ordinal))
        for ordinal, part in enumerate(content)
        if _is_text(part)
    ]


def plain_text(index: int, message: KernelMessage, placeholder: str, joint: str = "") -> Text:
    """All of a message's content as one text; a placeholder stands for each picture."""
    texts = [piece if isinstance(piece, Text) else Text(placeholder) for piece in pieces(index, message)]
    return texts[0] if len(texts) == 1 else joined(joint, texts)


def reasoning_spot(index: int, message: KernelMessage) -> Spot:
    """Where the reasoning of a message stands."""
    return Spot(Group.MESSAGES, index, _content_parts(message))


def call_spot(index: int, message: KernelMessage, number: int) -> Spot:
    """Where the JSON of a message's tool call stands; calls count from 0."""
    return Spot(Group.MESSAGES, index, _content_parts(message) + bool(message.reasoning_content) + number)


def continuation_spot(index: int, message: KernelMessage) -> Spot:
    """Where the JSON of a message's native continuation stands."""
    return call_spot(index, message, len(message.tool_calls or ()))


def call_text(call: Mapping[str, Any], field: str, spot: Spot) -> Text:
    """A string of a tool call; other values as JSON, a missing one as an empty text."""
    value = call.get(field)
    if isinstance(value, str):
        return quoted(value, spot.inside(field))
    return NOTHING if value is None else Text(stringify(value))


def _content_parts(message: KernelMessage) -> int:
    content = message.content
    if isinstance(content, str):
        return 1 if content or not (message.tool_calls or message.reasoning_content) else 0
    if isinstance(content, list):
        return len(content)
    return 0 if content is None else 1


def _is_text(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)


def _piece(part: object, spot: Spot) -> Text | Image | None:
    if not isinstance(part, dict):
        return None
    if _is_text(part):
        return unmarked(quoted(part["text"], spot))
    image = part.get("image")
    if part.get("type") == "image" and isinstance(image, str):
        declared = part.get("mediaType")
        return read_image(image, declared if isinstance(declared, str) else "", spot)
    return None


def read_image(image: str, media_type: str, spot: Spot) -> Image:
    """The picture that a part's ``image`` stands for; ``spot`` is the part, whose text is its JSON."""
    text = quoted(image, spot.inside("image"))
    if image[:8].lower().startswith(("http://", "https://")):
        return Image(spot, media_type, address=text)
    head, divider, _ = image.partition(_INLINE)
    if divider and head.startswith("data:"):
        start = len(head) + len(divider)
        return Image(spot, head.removeprefix("data:").lower(), data=text.cut(start, len(image)))
    guessed = next((kind for signature, kind in _SIGNATURES if image.startswith(signature)), _PNG)
    return Image(spot, media_type or guessed, data=text)
