"""A recorded call: the payload of an ``llm.calling`` row. Follows the reference on the database, 5.2 and 5.3."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class _Recorded(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class KernelMessage(_Recorded):
    """A message as the kernel handed it to the adapter. ``content`` is a string, None, or a list of part objects."""

    role: str
    content: Any = None
    name: str | None = None
    tool_calls: tuple[dict[str, Any], ...] | None = Field(default=None, alias="toolCalls")
    tool_call_id: str | None = Field(default=None, alias="toolCallId")
    reasoning_content: str | None = Field(default=None, alias="reasoningContent")
    provider_continuation: Any = Field(default=None, alias="providerContinuation")


class ProviderRequest(_Recorded):
    """One HTTP request of the call. ``body`` or ``body_ref`` (index of an earlier identical one)."""

    provider: str | None = None
    protocol: str | None = None
    body: dict[str, Any] | None = None
    body_ref: int | None = Field(default=None, alias="bodyRef")
    complete: bool | None = None
    omitted_field_count: int | None = Field(default=None, alias="omittedFieldCount")
    status_code: int | None = Field(default=None, alias="statusCode")
    failed: bool | None = None
    transport_attempt: int | None = Field(default=None, alias="transportAttempt")
    started_at: str | None = Field(default=None, alias="startedAt")
    duration_ms: float | None = Field(default=None, alias="durationMs")


class RecordedCall(_Recorded):
    """The payload of ``llm.calling``. Missing fields keep their defaults; a concealed call has no messages."""

    runtime_id: str | None = Field(default=None, alias="runtimeId")
    plugin_id: str | None = Field(default=None, alias="pluginId")
    slot: str | None = None
    model: str | None = None
    provider: str | None = None
    messages: tuple[KernelMessage, ...] = ()
    tools: tuple[dict[str, Any], ...] = ()
    response_format: Any = Field(default=None, alias="responseFormat")
    defaults: Any = None
    max_output_tokens: int | None = Field(default=None, alias="maxOutputTokens")
    attempt: int = 0
    started_at: str | None = Field(default=None, alias="startedAt")
    streaming: bool | None = None
    concealed: bool | None = None
    provider_requests: tuple[ProviderRequest, ...] = Field(default=(), alias="providerRequests")

    @property
    def answered_body(self) -> dict[str, Any] | None:
        """The body of the request that was answered last, references resolved; None when none was recorded."""
        for request in reversed(self.provider_requests):
            if request.body is not None:
                return request.body
            reference = request.body_ref
            if reference is not None and 0 <= reference < len(self.provider_requests):
                return self.provider_requests[reference].body
        return None

    @property
    def is_complete(self) -> bool:
        """False when the trace left something out of the answered body."""
        return all(request.complete is not False for request in self.provider_requests)

    @property
    def omitted_fields(self) -> int | None:
        """How many top-level fields the trace left out of the body; None when it does not say."""
        counts = [request.omitted_field_count for request in self.provider_requests]
        return next((count for count in reversed(counts) if count is not None), None)

    @property
    def protocol(self) -> str:
        """Protocol id of the last request, or the empty string."""
        return next((request.protocol for request in reversed(self.provider_requests) if request.protocol), "")
