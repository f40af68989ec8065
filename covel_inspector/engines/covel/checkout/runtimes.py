"""A runtime's declaration: the front matter of a RUNTIME.md, or the ``runtime`` field of a PLUGIN.md.

Follows the reference on plugins, section 3.
"""

import json
from pathlib import Path
from typing import Any

from covel_inspector.domain import Severity, say
from covel_inspector.engines.covel.checkout.fields import Fields
from covel_inspector.engines.covel.checkout.files import Desk
from covel_inspector.engines.covel.checkout.front_matter import read_yaml
from covel_inspector.engines.covel.checkout.old_format import old_self_data, report_old_fields
from covel_inspector.engines.covel.records.manifests import (
    FilePlace,
    InputBinding,
    Localized,
    RuntimeManifest,
    SelfData,
)

_TYPES = ("agent", "function")
_VISIBILITIES = ("", "story", "plugin", "system")


def runtime_manifest(
    fields: Fields, runtime_id: str, plugin_id: str, body: Localized, place: FilePlace, folders: tuple[Path, ...]
) -> RuntimeManifest:
    """The manifest of one runtime. ``folders`` are where a schema's path is looked up, in order."""
    report_old_fields(fields)
    kind = fields.text("type")
    if kind not in _TYPES:
        fields.report(
            Severity.WARNING, say("A runtime's type is 'agent' or 'function', and not '{found}'", found=kind), "type"
        )
    if kind == "agent" and not body.variants:
        fields.desk.report(Severity.WARNING, place, say("An agent without a body: its file holds only front matter"))
    schedule, io, agent = fields.section("schedule"), fields.section("io"), fields.section("agent")
    if io.text("visibility") not in _VISIBILITIES:
        io.report(Severity.WARNING, say("Visibility is 'story', 'plugin' or 'system'"), "visibility")
    output, history = io.section("output"), agent.section("history")
    loop, tools = agent.section("loop"), agent.section("tools")
    completion = loop.section("completion")
    return RuntimeManifest(
        id=runtime_id,
        plugin=plugin_id,
        type=kind,
        body=body,
        place=place,
        stage=schedule.text("stage"),
        trigger=schedule.section("trigger").values,
        visibility=io.text("visibility"),
        concealed=io.flag("concealed"),
        output_contract=output.text("contract"),
        output_schema=_schema(output, folders),
        inputs=_inputs(io),
        self_data=_self_data(io) + old_self_data(fields),
        slot=agent.text("model"),
        max_turns=history.whole("maxTurns"),
        include_summaries=history.flag("includeSummaries"),
        advertise_events=agent.flag("advertiseEvents"),
        require_tool_use=completion.raw("require") == "tool-use",
        complete_after_tools=completion.texts("afterTools"),
        tools=(*_tool_names(tools, "builtin"), *_tool_names(tools, "plugin")),
        max_retries=_or(loop.whole("maxRetries"), 1),
        reasoning_effort=_reasoning(agent),
        tool_choice=_tool_choice(agent),
        record_as=output.text("recordAs"),
        needs=_names(schedule, "needs"),
        after=_names(schedule, "after"),
        completion=schedule.text("completion"),
    )


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _names(fields: Fields, key: str) -> tuple[str, ...]:
    """Ids in a list that may also hold objects, whose ids nothing here needs."""
    value = fields.raw(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _tool_names(tools: Fields, key: str) -> tuple[str, ...]:
    value = tools.raw(key)
    if not isinstance(value, list):
        return tools.texts(key)
    names: list[str] = []
    for index, item in enumerate(value):
        name = (item.get("name") or item.get("id")) if isinstance(item, dict) else item
        if isinstance(name, str):
            names.append(name)
        else:
            tools.report(Severity.WARNING, say("This entry names no tool"), key, index)
    return tuple(names)


def _reasoning(agent: Fields) -> str:
    """``agent.llm.reasoningEffort: disabled``, written ``agent.reasoning: false`` elsewhere."""
    llm = agent.section("llm")
    if "reasoningEffort" in llm:
        return llm.text("reasoningEffort")
    value = agent.raw("reasoning")
    if value is False:
        return "disabled"
    return value if isinstance(value, str) else ""


def _tool_choice(agent: Fields) -> Any:
    """``required`` or ``{name}``, under ``agent.llm`` or directly under ``agent``."""
    llm = agent.section("llm")
    owner = llm if "toolChoice" in llm else agent
    value = owner.raw("toolChoice")
    if value is None or value in ("required", "auto", "none"):
        return value
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        return {"name": value["name"]}
    owner.report(
        Severity.WARNING,
        say("'{field}' must be {expected}", field="toolChoice", expected=say("'required' or {name: tool}")),
        "toolChoice",
    )
    return None


def _inputs(io: Fields) -> tuple[InputBinding, ...]:
    bindings: list[InputBinding] = []
    for name, entry in io.named("inputs"):
        source = entry.section("from").values
        inner = source.get("cardinality")
        cardinality = entry.text("cardinality") or (inner if isinstance(inner, str) else "")
        required = entry.raw("required")
        accepts = entry.raw("accepts")
        bindings.append(
            InputBinding(
                name=name,
                source=source,
                cardinality=cardinality or "one",
                scope=entry.text("scope") or "turn",
                select=entry.text("select"),
                accepts=accepts if isinstance(accepts, str) else "",
                required=required if isinstance(required, bool) else None,
                record_as=entry.text("recordAs"),
                place=entry.place(),
            )
        )
    return tuple(bindings)


def _self_data(io: Fields) -> tuple[SelfData, ...]:
    blocks: list[SelfData] = []
    for entry in io.entries("selfData"):
        namespace, tag = entry.text("namespace"), entry.text("as")
        if not namespace or not tag:
            entry.report(Severity.WARNING, say("A block of own data needs 'namespace' and 'as'"))
            continue
        if namespace.startswith("_hidden."):
            entry.report(Severity.WARNING, say("Hidden rows may not be shown to a model: the engine refuses this"))
        blocks.append(SelfData(namespace, tag, entry.text("format") or "summary", _or(entry.whole("maxEntries"), 50)))
    return tuple(blocks)


def _schema(output: Fields, folders: tuple[Path, ...]) -> Any:
    """The schema object, or the one in the file that is named. Files are looked for inside the plugin's folder only."""
    value = output.raw("schema")
    if not isinstance(value, str):
        return value
    place = output.place("schema")
    path = _schema_path(output.desk, value, folders)
    if path is None:
        output.desk.report(Severity.WARNING, place, say("The schema '{path}' is not a file of this plugin", path=value))
        return None
    file = output.desk.read(path)
    if file is None:
        return None
    if path.suffix.lower() in (".yaml", ".yml"):
        document = read_yaml(output.desk, file)
        return None if document is None else document.value
    try:
        return json.loads(file.text)
    except json.JSONDecodeError as error:
        output.desk.report(Severity.ERROR, file.place(error.lineno), say("Not valid JSON"))
    except (ValueError, RecursionError):
        output.desk.report(Severity.ERROR, file.place(), say("Not valid JSON"))
    return None


def _schema_path(desk: Desk, written: str, folders: tuple[Path, ...]) -> Path | None:
    parts = Path(written).parts
    if not parts or Path(written).is_absolute() or ".." in parts or "\0" in written:
        return None
    return next((folder / written for folder in folders if desk.has(folder / written)), None)
