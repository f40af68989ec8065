"""The framework preamble. Follows the reference on the assembler, section 5."""

import re

from covel_inspector.engines.covel.assembler.params import ContextParams, Manifest
from covel_inspector.engines.covel.assembler.pieces import Piece, PreamblePart, Section
from covel_inspector.engines.covel.assembler.wording import Wording, language_name

_TAGS = {"[RUNTIME]": "runtime", "[LANGUAGE]": "language", "[COMPLETION]": "completion"}
_TAG = re.compile(r"\[[A-Z]+\]")


def preamble_section(params: ContextParams, wording: Wording) -> Section:
    """The preamble's pieces. None without a locale; a given preamble replaces it, the empty string removes it."""
    if params.framework_preamble is not None:
        pieces = _given(params.framework_preamble)
    elif params.turn_input.locale:
        pieces = _own(params.manifest, params.turn_input.locale, wording)
    else:
        pieces = ()
    return Section("preamble", pieces, joiner="\n", mark="preamble")


def completion_kind(manifest: Manifest) -> str:
    """How the runtime is to end: story, completing-tool, structured-output or runtime-done."""
    if manifest.tells_story:
        return "story"
    if manifest.require_tool_use and manifest.complete_after_tools:
        return "completing-tool"
    if is_truthy(manifest.output_schema):
        return "structured-output"
    return "runtime-done"


def is_truthy(value: object) -> bool:
    """True for what JavaScript takes for true: everything but null, false, 0, NaN and the empty string."""
    if isinstance(value, dict | list | tuple):
        return True
    return bool(value) and value == value  # NaN is the one value that differs from itself


def _own(manifest: Manifest, locale: str, wording: Wording) -> tuple[Piece, ...]:
    name, known = language_name(locale)
    return (
        Piece(wording.text("preamble.runtime"), PreamblePart("runtime")),
        Piece(wording.text("preamble.language", languageName=name), PreamblePart("language", name_known=known)),
        Piece(_completion(manifest, wording), PreamblePart("completion")),
    )


def _completion(manifest: Manifest, wording: Wording) -> str:
    kind = completion_kind(manifest)
    key = f"preamble.completion.{kind}"
    if kind == "completing-tool":
        return wording.text(key, tool=_tools(manifest.complete_after_tools, key, wording))
    if kind == "runtime-done":
        second = "record" if manifest.require_tool_use else "quiet"
        return wording.text(key) + "\n" + wording.text(f"{key}.{second}")
    return wording.text(key)


def _tools(tools: tuple[str, ...], key: str, wording: Wording) -> str:
    names = [f"`{tool}`" for tool in tools]
    if not names:
        return wording.text(f"{key}.none")
    if len(names) == 1:
        return wording.text(f"{key}.one", name=names[0])
    return wording.text(f"{key}.many", names=wording.listed(names))


def _given(text: str) -> tuple[Piece, ...]:
    """A given preamble, cut at the lines' own tags where all lines carry one."""
    if not text:
        return ()
    runs: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        found = _TAG.match(line)
        part = _TAGS.get(found[0], "") if found else ""
        if not part:
            return (Piece(text, PreamblePart("", given=True)),)
        if runs and runs[-1][0] == part:
            runs[-1][1].append(line)
        else:
            runs.append((part, [line]))
    return tuple(Piece("\n".join(lines), PreamblePart(part, given=True)) for part, lines in runs)
