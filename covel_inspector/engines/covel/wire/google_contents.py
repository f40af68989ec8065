"""Kernel messages as Gemini's contents. Follows the reference on the wire, section 5, points 1 to 7."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from covel_inspector.domain import Group, Protocol, say
from covel_inspector.engines.covel.records.calls import KernelMessage
from covel_inspector.engines.covel.wire.decoding import decode
from covel_inspector.engines.covel.wire.drafts import Ledger, WireCall, WireError, WireTexts
from covel_inspector.engines.covel.wire.messages import (
    SYSTEM_ROLES,
    arguments_of,
    continuation,
    enveloped,
    fits_target,
    leading,
)
from covel_inspector.engines.covel.wire.pieces import (
    Image,
    call_spot,
    call_text,
    continuation_spot,
    pieces,
    plain_text,
)
from covel_inspector.engines.covel.wire.texts import Spot, Text, joined

Json = Any
Parts = list[dict[str, Json]]

_FILES = re.compile(r"https://generativelanguage\.googleapis\.com/[^/]+/files/", re.IGNORECASE)
_SIGNATURE = "thoughtSignature"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call that waits for its result: its place among the calls of its reply, and its native id."""

    name: Text
    order: int
    native_id: str | None


@dataclass(slots=True)
class _Writer:
    """Contents under way. ``parked`` are instructions that wait for the results of the calls in front of them."""

    call: WireCall
    texts: WireTexts
    ledger: Ledger
    merges: bool
    contents: Parts = field(default_factory=list)
    system: Parts = field(default_factory=list)
    parked: Parts = field(default_factory=list)
    asked: dict[str, _Asked] = field(default_factory=dict)

    def add(self, role: str, parts: Parts) -> None:
        """Add a content, or join it to the one before it."""
        if not parts:
            return
        last = self.contents[-1] if self.contents else None
        if self.merges and last is not None and last["role"] == role and not _is_closed(last):
            last["parts"].extend(parts)
        else:
            self.contents.append({"role": role, "parts": list(parts)})

    def instruct(self, index: int, message: KernelMessage) -> None:
        """A late system message, in its place or behind the results that come next."""
        texts = [piece for piece in pieces(index, message) if isinstance(piece, Text) and piece]
        text = joined("\n", texts)
        if not text:
            return
        part: dict[str, Json] = {}
        self.ledger.put(part, "text", enveloped(text))
        if self.parked or (self.contents and _has(self.contents[-1], "functionCall")):
            self.parked.append(part)
        else:
            self.add("user", [part])

    def release(self) -> None:
        """Add the instructions that waited."""
        parked, self.parked = self.parked, []
        self.add("user", parked)

    def results(self, run: list[tuple[int, KernelMessage]]) -> None:
        """The results of a reply: one content, in the order of the calls."""
        found = [self._result(index, message) for index, message in run]
        parts = [part for _, part in sorted(found, key=lambda result: result[0])]
        self.contents.append({"role": "user", "parts": parts})
        self.release()

    def _result(self, index: int, message: KernelMessage) -> tuple[int, dict[str, Json]]:
        asked = self.asked.pop(message.tool_call_id or "", None)
        if asked is None:
            raise WireError(
                say("message {n} is the result of a call that was not made, or was answered already", n=index)
            )
        response: dict[str, Json] = {}
        self.ledger.put(response, "name", asked.name)
        if asked.native_id is not None:
            response["id"] = asked.native_id
        text = plain_text(index, message, self.texts.image)
        spot = Spot(Group.MESSAGES, index)
        whole = text.string == message.content
        try:
            value = decode(text.string)
        except ValueError:
            outer: dict[str, Json] = {}
            self.ledger.put(outer, "result", text)
            response["response"] = outer
            return asked.order, {"functionResponse": response}
        shown = value if isinstance(value, dict) else {"result": value}
        if whole and isinstance(value, dict):
            self.ledger.put_tree(response, "response", shown, spot.inside())
        elif whole:
            self.ledger.put_tree(shown, "result", value, spot.inside())
            response["response"] = shown
        else:
            response["response"] = shown
        return asked.order, {"functionResponse": response}

    def spoken(self, index: int, message: KernelMessage) -> None:
        """A message of the player or of the model."""
        if message.role != "assistant":
            self.add("user", self._shown(index, message))
            return
        _refuse_foreign_signatures(self.call, index, message)
        native = continuation(self.call, message)
        if native is not None:
            self.add("model", self._native(index, message, native))
            return
        parts = self._shown(index, message)
        for number, tool_call in enumerate(message.tool_calls or ()):
            spot = call_spot(index, message, number)
            used: dict[str, Json] = {}
            name = call_text(tool_call, "name", spot)
            self.ledger.put(used, "name", name)
            self.ledger.put_tree(used, "args", _arguments(index, tool_call), spot.inside("arguments").inside())
            parts.append({"functionCall": used})
            self.asked[str(tool_call.get("id", ""))] = _Asked(name, number, None)
        self.add("model", parts)

    def _shown(self, index: int, message: KernelMessage) -> Parts:
        parts: Parts = []
        if isinstance(message.content, str):
            plain: dict[str, Json] = {}
            self.ledger.put_content(plain, "text", index, message.content)
            return [plain] if plain["text"] else parts
        for piece in pieces(index, message):
            part: dict[str, Json] = {}
            if isinstance(piece, Image):
                part = self._picture(index, piece)
            elif piece:
                self.ledger.put(part, "text", piece)
            else:
                continue
            parts.append(part)
        return parts

    def _picture(self, index: int, image: Image) -> dict[str, Json]:
        if image.address is None:
            inline: dict[str, Json] = {"mimeType": image.media_type}
            self.ledger.put(inline, "data", image.data)
            return {"inlineData": inline}
        if not _FILES.match(image.address.string) or not image.media_type:
            raise WireError(say("message {n} has a picture at an address that Gemini does not read", n=index))
        file: dict[str, Json] = {"mimeType": image.media_type}
        self.ledger.put(file, "fileUri", image.address)
        return {"fileData": file}

    def _native(self, index: int, message: KernelMessage, native: Parts) -> Parts:
        """A reply's own parts; the calls in them are those of the message."""
        spot = continuation_spot(index, message)
        calls = list(message.tool_calls or ())
        parts: Parts = []
        number = 0
        for item_number, item in enumerate(native):
            used = item.get("functionCall")
            part: dict[str, Json] = {}
            keys = [key for key in item if key != "functionCall"]
            keys += ["functionCall"] if "functionCall" in item else []
            for key in keys:
                self.ledger.put_tree(part, key, item[key], spot.inside("items", item_number, key))
            parts.append(part)
            if isinstance(used, Mapping):
                if number >= len(calls) or not _is_same_call(index, used, calls[number]):
                    raise WireError(say("message {n}: its native calls are not the calls of the message", n=index))
                native_id = used.get("id")
                name = call_text(calls[number], "name", call_spot(index, message, number))
                own = native_id if isinstance(native_id, str) else None
                self.asked[str(calls[number].get("id", ""))] = _Asked(name, number, own)
                number += 1
        if number != len(calls):
            raise WireError(say("message {n}: its native calls are not the calls of the message", n=index))
        return parts


def contents(call: WireCall, texts: WireTexts, ledger: Ledger) -> tuple[Parts, Parts]:
    """Contents and the parts of the system instruction. Raises WireError for what the adapter refuses."""
    late = call.metadata.get("lateSystemAsUser") is not False
    writer = _Writer(call, texts, ledger, merges=late)
    first = leading(call.messages, SYSTEM_ROLES)
    run: list[tuple[int, KernelMessage]] = []
    for index, message in enumerate(call.messages):
        if message.role == "tool":
            run.append((index, message))
            continue
        if run:
            writer.results(run)
            run = []
        if message.role in SYSTEM_ROLES and (index < first or not late):
            writer.system.extend(_instructions(index, message, ledger))
        elif message.role in SYSTEM_ROLES:
            writer.instruct(index, message)
        elif message.role in ("user", "assistant"):
            writer.spoken(index, message)
    if run:
        writer.results(run)
    writer.release()
    return writer.contents, writer.system


def _instructions(index: int, message: KernelMessage, ledger: Ledger) -> Parts:
    parts: Parts = []
    for piece in pieces(index, message):
        if isinstance(piece, Text) and piece:
            part: dict[str, Json] = {}
            ledger.put(part, "text", piece)
            parts.append(part)
    return parts


def _has(content: Mapping[str, Json], name: str) -> bool:
    return any(name in part for part in content["parts"])


def _is_closed(content: Mapping[str, Json]) -> bool:
    return _has(content, "functionResponse") or (content["role"] == "model" and _has(content, "functionCall"))


def _arguments(index: int, tool_call: Mapping[str, Json]) -> Json:
    value, is_json = arguments_of(dict(tool_call))
    if not is_json or not isinstance(value, dict):
        raise WireError(say("message {n}: the arguments of a call are no JSON object", n=index))
    return value


def _is_same_call(index: int, used: Mapping[str, Json], tool_call: Mapping[str, Json]) -> bool:
    return used.get("name") == tool_call.get("name") and (used.get("args") or {}) == _arguments(index, tool_call)


def _refuse_foreign_signatures(call: WireCall, index: int, message: KernelMessage) -> None:
    kept = message.provider_continuation
    if not isinstance(kept, dict) or kept.get("protocol") != Protocol.GOOGLE.value or fits_target(call, kept):
        return
    items = kept.get("items")
    if isinstance(items, list) and any(isinstance(item, dict) and _SIGNATURE in item for item in items):
        raise WireError(say("message {n} holds signed thoughts of another model or address", n=index))
