"""The sentences that tell a runtime how to end, by the kind of its ending. Reference on the assembler, section 5."""

import re
from collections.abc import Iterator, Mapping

from covel_inspector.domain import Group, Kind, SegmentTree
from covel_inspector.engines.covel.records.manifests import RuntimeManifest

_PREFIX = "preamble.completion"
_TOOL = f"{_PREFIX}.completing-tool"
MANY = "seen with several tools"
"""Stands for a completing-tool sentence whose tools are several, until the sentence with one tool is known."""

_NAMES = re.compile(r"`[^`\n]+`(?:(?:, |、)`[^`\n]+`)*")
_DONE = "`runtime-done`"


def completion_texts(text: str, tree: SegmentTree, runtime: RuntimeManifest | None) -> Iterator[tuple[str, str]]:
    """Keys and texts that a preamble's completion lines teach. Without a manifest the request itself tells the kind."""
    kind = _declared_kind(runtime) if runtime is not None else _seen_kind(text, tree)
    if kind == "completing-tool":
        named = _NAMES.search(text)
        if named is None:
            return
        if "`, `" in named[0] or "`、`" in named[0]:
            yield MANY, text
        else:
            yield _TOOL, f"{text[: named.start()]}{{tool}}{text[named.end() :]}"
            yield f"{_TOOL}.one", "{name}"
    elif kind == "runtime-done":
        first, _, second = text.partition("\n")
        yield f"{_PREFIX}.runtime-done", first
        if second:
            record = runtime is not None and runtime.require_tool_use
            yield f"{_PREFIX}.runtime-done.{'record' if record else 'quiet'}", second
    elif kind:
        yield f"{_PREFIX}.{kind}", text


def many_text(sentence: str, learned: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The form for several tools, from a sentence that names several and what is known of the form for one."""
    named = _NAMES.search(sentence)
    if named is None:
        return
    known = learned.get(_TOOL, "")
    if not known:
        yield _TOOL, f"{sentence[: named.start()]}{{tool}}{sentence[named.end() :]}"
        yield f"{_TOOL}.many", "{names}"
        return
    head, _, tail = known.partition("{tool}")
    if sentence.startswith(head) and sentence.endswith(tail) and named.start() >= len(head):
        names = sentence[len(head) : len(sentence) - len(tail)]
        yield f"{_TOOL}.many", names.replace(named[0], "{names}")


def _declared_kind(runtime: RuntimeManifest) -> str:
    if runtime.visibility == "story":
        return "story"
    if runtime.require_tool_use and runtime.complete_after_tools:
        return "completing-tool"
    return "structured-output" if runtime.output_schema is not None else "runtime-done"


def _seen_kind(text: str, tree: SegmentTree) -> str:
    kinds = {segment.kind for segment in tree.walk()}
    if kinds & {Kind.WORLD_LORE, Kind.PICTURES}:
        return "story"
    if tree.group(Group.RESPONSE_FORMAT) is not None:
        return "structured-output"
    if _DONE in text:
        return "runtime-done"
    tools = {f"`{part.name}`" for part in tree.request.parts if part.group is Group.TOOLS}
    named = _NAMES.search(text)
    return "completing-tool" if named is not None and set(re.findall(r"`[^`\n]+`", named[0])) <= tools else ""
