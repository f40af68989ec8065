"""Tool definitions and the choice of a tool. Follows the reference on the wire, sections 2 to 6."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from covel_inspector.domain import Group, JsonPath, Protocol
from covel_inspector.engines.covel.wire.drafts import Ledger, WireCall
from covel_inspector.engines.covel.wire.models import Family, family_of, refuses_forced_tools, thinks_by_default
from covel_inspector.engines.covel.wire.reasoning import Effort, is_thinking
from covel_inspector.engines.covel.wire.texts import Spot, quoted

Json = Any


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool with the places of its fields in the recorded definition."""

    name: str
    description: str | None
    parameters: Json
    spot: Spot
    inner: JsonPath
    schema_field: str

    def put_names(self, ledger: Ledger, entry: dict[str, Json]) -> None:
        """Set ``name`` and, when there is one, ``description``."""
        ledger.put(entry, "name", quoted(self.name, self.spot.inside(*self.inner, "name")))
        if self.description is not None:
            place = self.spot.inside(*self.inner, "description")
            ledger.put(entry, "description", quoted(self.description, place))

    def put_schema(self, ledger: Ledger, entry: dict[str, Json], field: str, schema: Json) -> None:
        """Set the schema of the parameters, as it is or changed in place."""
        ledger.put_tree(entry, field, schema, self.spot.inside(*self.inner, self.schema_field))


def tools_of(call: WireCall) -> list[Tool]:
    """The tools of a call, from the kernel's shape or from that of the trace."""
    found: list[Tool] = []
    for index, tool in enumerate(call.tools):
        function = tool.get("function")
        is_kernel = isinstance(function, Mapping)
        fields = function if isinstance(function, Mapping) else tool
        schema_field = next((name for name in ("parameters", "jsonSchema", "input_schema") if name in fields), "")
        description = fields.get("description")
        found.append(
            Tool(
                name=str(fields.get("name", "")),
                description=description if isinstance(description, str) else None,
                parameters=fields.get(schema_field),
                spot=Spot(Group.TOOLS, index),
                inner=("function",) if is_kernel else (),
                schema_field=schema_field,
            )
        )
    return found


def preferred_choice(call: WireCall, effort: Effort, settings: Mapping[str, Json]) -> Json:
    """``tool_choice`` of a body with tools by the runtime's preference; None = the field is absent (not Gemini's)."""
    wanted = None if effort.is_provider_default else call.defaults.get("toolChoice")
    name = wanted.get("name") if isinstance(wanted, Mapping) else None
    anthropic = call.protocol is Protocol.ANTHROPIC
    if wanted != "required" and not isinstance(name, str):
        return None if anthropic else "auto"
    if is_thinking(settings):
        return {"type": "auto"} if anthropic else "auto"
    if not isinstance(name, str):
        return {"type": "any"} if anthropic else "required"
    if anthropic:
        return {"type": "tool", "name": name}
    if call.protocol is Protocol.OPENAI_RESPONSES:
        return {"type": "function", "name": name}
    return {"type": "function", "function": {"name": name}}


def anthropic_choice(call: WireCall, effort: Effort, settings: Mapping[str, Json]) -> Json:
    """Anthropic's ``tool_choice``: the slot's own, else the preference; never forced where the model refuses it."""
    own = call.metadata.get("tool_choice")
    choice = own if own is not None else preferred_choice(call, effort, settings)
    if isinstance(choice, Mapping) and choice.get("type") in ("any", "tool") and refuses_forced_tools(call.model):
        parallel = {key: choice[key] for key in ("disable_parallel_tool_use",) if key in choice}
        return {"type": "auto", **parallel}
    return choice


def omits_choice(call: WireCall, settings: Mapping[str, Json]) -> bool:
    """True for DeepSeek on the Chat wire while it thinks: no ``tool_choice`` at all."""
    if family_of(call.model, call.provider) is not Family.DEEPSEEK:
        return False
    thinking = settings.get("thinking")
    kind = thinking.get("type") if isinstance(thinking, Mapping) else None
    return kind in ("enabled", "adaptive") or (kind is None and thinks_by_default(call.model))


def google_choice(call: WireCall, effort: Effort) -> Json:
    """Gemini's ``toolConfig`` of a body with tools."""
    own = call.metadata.get("toolConfig")
    if own is not None:
        return own
    wanted = None if effort.is_provider_default else call.defaults.get("toolChoice")
    name = wanted.get("name") if isinstance(wanted, Mapping) else None
    if isinstance(name, str):
        return {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": [name]}}
    return {"functionCallingConfig": {"mode": "ANY" if wanted == "required" else "AUTO"}}
