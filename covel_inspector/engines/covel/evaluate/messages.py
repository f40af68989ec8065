"""Kernel messages from JSON and back, so that a message nobody changed comes back as it was written."""

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from covel_inspector.engines.covel.evaluate.expanding import CaseError, Json
from covel_inspector.engines.covel.records.calls import KernelMessage


class Messages:
    """The messages of a case. Raises CaseError for one that is no message."""

    def __init__(self, written: Sequence[Mapping[str, Json]]) -> None:
        self.kernel: tuple[KernelMessage, ...] = tuple(_message(value) for value in written)
        self._written = {id(message): value for message, value in zip(self.kernel, written, strict=True)}

    def json_of(self, message: KernelMessage) -> dict[str, Json]:
        """A message as JSON."""
        written = self._written.get(id(message))
        return dict(written) if written is not None else message_json(message)


def message_json(message: KernelMessage) -> dict[str, Json]:
    """A message with the fields it was given."""
    dumped: dict[str, Json] = message.model_dump(by_alias=True, exclude_unset=True)
    if dumped.get("toolCalls") is not None:
        dumped["toolCalls"] = list(dumped["toolCalls"])
    return dumped


def _message(value: Mapping[str, Json]) -> KernelMessage:
    try:
        return KernelMessage.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise CaseError(f"a message is malformed: {field}: {first['msg']}") from error
