"""Runtime bodies: the literal parts of a template found in the text that was sent. Reference on attribution, 4."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from covel_inspector.domain import AbsenceReason, Absent, Grade, Kind, Origin, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.body_alignment import align
from covel_inspector.engines.covel.attribution.body_boundaries import Expect, Stretch, StretchKind, find_completely
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.records.manifests import Checkout, FilePlace, RuntimeManifest
from covel_inspector.engines.covel.records.naming import TITLES

_VARIABLE = re.compile(r"\{\{\s*([^}]+?)\s*\}\}")
_ENOUGH = 0.6
_LITERAL_TITLE = say("Text of the body")
_CHANGED_TITLE = say("Changed text of the body")
_MOST_UNSENT = 3
_LONGEST_QUOTE = 120


@dataclass(frozen=True, slots=True)
class Template:
    """A body in one locale, cut at its variables: ``literals`` has one item more than ``paths``.

    ``lines`` are the literals' first lines in the file, from 1.
    """

    runtime: str
    plugin: str
    locale: str
    text: str
    literals: tuple[str, ...]
    paths: tuple[str, ...]
    file: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A body found in a text from ``start`` to ``end``: ``score`` is the share of its literal text that is there."""

    template: Template
    score: float
    start: int
    end: int
    stretches: tuple[Stretch, ...] = ()
    """What stands where; empty when only whole lines were found."""
    is_complete: bool = False
    """All literals stand there, with nothing but values between them."""


def templates_of(checkout: Checkout | None, active: Iterable[str], locale: str) -> dict[str, list[Template]]:
    """The bodies of all runtimes of the active plugins by runtime id, variants of the session's locale first."""
    found: dict[str, list[Template]] = {}
    if checkout is None:
        return found
    for plugin_id in active:
        plugin = checkout.plugins.get(plugin_id)
        for runtime in plugin.runtimes if plugin is not None else ():
            variants = sorted(runtime.body.variants.items(), key=lambda item: (item[0] != locale, item[0]))
            found[runtime.id] = [_cut(runtime, tag, text) for tag, text in variants if text.strip()]
    return found


def _cut(runtime: RuntimeManifest, locale: str, body: str) -> Template:
    text = body.replace("\r\n", "\n").strip()
    literals: list[str] = []
    lines: list[int] = []
    paths: list[str] = []
    place = runtime.body.places.get(locale, FilePlace(runtime.place.path, 1))
    position = 0
    for variable in _VARIABLE.finditer(text):
        literals.append(text[position : variable.start()])
        lines.append(place.line + text.count("\n", 0, position))
        paths.append(variable[1].strip())
        position = variable.end()
    literals.append(text[position:])
    lines.append(place.line + text.count("\n", 0, position))
    return Template(runtime.id, runtime.plugin, locale, text, tuple(literals), tuple(paths), place.path, tuple(lines))


def find_body(
    templates: Iterable[Template], text: str, start: int, end: int, bounded: bool, expect: Expect
) -> Found | None:
    """The best body for the stretch ``start`` to ``end``; None when none fits well enough.

    ``bounded``: the stretch holds the body and nothing else; otherwise the body begins it and may be followed by
    other segments, and only a complete one counts.
    """
    candidates = tuple(templates)
    for template in candidates:
        stretches = find_completely(template.literals, template.paths, text, start, end, bounded, expect)
        if stretches is not None:
            reached = stretches[-1].end if stretches else start
            return Found(template, 1.0, start, reached, stretches, is_complete=True)
    if not bounded:
        return None
    best: Found | None = None
    for template in candidates:
        found = _aligned(template, text, start, end)
        if found.score >= _ENOUGH and (best is None or found.score > best.score):
            best = found
    return best


def _aligned(template: Template, text: str, start: int, end: int) -> Found:
    """What of a file that is not what was sent stands in the stretch."""
    score = _share(template, text, start, end)
    alignment = align(template.literals, text, start, end)
    if alignment is None:
        return Found(template, score, start, end)
    return Found(template, max(score, alignment.score), start, end, alignment.stretches)


def _share(template: Template, text: str, start: int, end: int) -> float:
    """The share of the template's literal lines that stand in the text in the same order, by characters."""
    known = text[start:end].split("\n")
    places: dict[str, list[int]] = {}
    for number, line in enumerate(known):
        places.setdefault(line.strip(), []).append(number)
    matched = total = 0
    reached = -1
    for line in "\n".join(template.literals).split("\n"):
        stripped = line.strip()
        if not stripped:
            continue
        total += len(stripped)
        numbers = places.get(stripped, [])
        following = bisect_right(numbers, reached)
        if following < len(numbers):
            matched += len(stripped)
            reached = numbers[following]
    return matched / total if total else 0.0


def body_claim(found: Found) -> Claim:
    """What is said about a body: one leaf, or a branch of literals and variables."""
    template = found.template
    origin = Origin(plugin=template.plugin, runtime=template.runtime, file=template.file, line=template.lines[0])
    if not found.is_complete:
        return _changed_body(found, origin)
    if not template.paths:
        reason = say("equal to the body in {file}", file=template.file)
        return Claim(found.start, found.end, _label("body", Grade.EXACT, reason, origin))
    reason = say("the literal parts of {file} stand here in order", file=template.file)
    return Claim(found.start, found.end, _label("body", Grade.TEMPLATE, reason, origin), tuple(_pieces(found)))


def _changed_body(found: Found, origin: Origin) -> Claim:
    """A body whose file is not what was sent; a share of less than all is never rounded to all."""
    template = found.template
    share = round(found.score * 100) if found.score >= 1.0 else min(99, round(found.score * 100))
    note = say("The file differs from what was sent: {share} % of its text was found.", share=share)
    if not found.stretches:
        label = _label("body", Grade.TEMPLATE, say("most lines of {file} stand here", file=template.file), origin)
        return Claim(found.start, found.end, replace(label, notes=(note,)))
    label = _label("body", Grade.TEMPLATE, say("most of the text of {file} stands here", file=template.file), origin)
    notes = (note, *_unsent(found))
    return Claim(found.start, found.end, replace(label, notes=notes), tuple(_pieces(found)))


def _unsent(found: Found) -> Iterator[Sentence]:
    """Notes on what only the file has."""
    template = found.template
    empty = [stretch for stretch in found.stretches if stretch.start == stretch.end]
    for stretch in empty[:_MOST_UNSENT]:
        if stretch.kind is StretchKind.VALUES:
            yield say(
                "Nothing was sent where the file has {variables}: no value, or an older file without it.",
                variables=_quoted_paths(template, stretch),
            )
        else:
            yield say(
                "Line {line} of the file has text that was not sent: {text}",
                line=_line(template, stretch),
                text=_shortened(stretch.filed),
            )
    if len(empty) > _MOST_UNSENT:
        yield say("Parts of the file that were not sent, not listed here: {count}", count=len(empty) - _MOST_UNSENT)


def _pieces(found: Found) -> Iterator[Claim]:
    """A claim for each stretch that holds text."""
    for stretch in found.stretches:
        if stretch.start < stretch.end:
            yield Claim(stretch.start, stretch.end, _piece(found, stretch))


def _piece(found: Found, stretch: Stretch) -> Label:
    template = found.template
    if stretch.kind is StretchKind.LITERAL:
        return _literal(template, stretch)
    if stretch.kind is StretchKind.CHANGED:
        return _changed(template, stretch)
    label = _variable(template, stretch)
    if found.is_complete:
        return label
    reason = say(
        "stands where the body has {variable}; the file differs from what was sent and may have had another one",
        variable=_quoted(template, stretch),
    )
    return replace(label, grade=Grade.GUESS, reason=reason)


def empty_variables(found: Found) -> Iterator[Absent]:
    """Variables of a complete body that printed nothing."""
    template = found.template
    for stretch in found.stretches if found.is_complete else ():
        if stretch.kind is not StretchKind.VALUES or stretch.start < stretch.end:
            continue
        for path in template.paths[stretch.first : stretch.last]:
            yield Absent(
                f"variable:{path}",
                Kind.BODY,
                say("Value of {variable}", variable=path),
                AbsenceReason.EMPTY,
                say("the body asks for {variable}, which had no value here", variable="{{ " + path + " }}"),
                origin=Origin(plugin=template.plugin, runtime=template.runtime, file=template.file, variable=path),
                after="body",
            )


def _origin(template: Template, line: int, variable: str = "") -> Origin:
    return Origin(plugin=template.plugin, runtime=template.runtime, file=template.file, line=line, variable=variable)


def _line(template: Template, stretch: Stretch) -> int:
    """The line of the file in which a stretch begins."""
    return template.lines[stretch.first] + template.literals[stretch.first].count("\n", 0, stretch.at)


def _literal(template: Template, stretch: Stretch) -> Label:
    reason = say("equal to a literal part of {file}", file=template.file)
    origin = _origin(template, _line(template, stretch))
    key = f"literal:{stretch.first}"
    return Label(key, Kind.BODY, _LITERAL_TITLE, Grade.TEMPLATE, reason, origin, Volatility.STABLE)


def _changed(template: Template, stretch: Stretch) -> Label:
    """A stretch that the file does not have; what it has instead is told in a note."""
    reason = say("stands between parts of {file}; the file reads otherwise here", file=template.file)
    filed = stretch.filed
    notes = [say("The file has here: {text}", text=_shortened(filed)) if filed else say("The file has nothing here.")]
    if stretch.first < stretch.last:
        variables = _quoted_paths(template, stretch)
        notes.append(say("The values of these variables cannot be told here: {variables}", variables=variables))
    origin = _origin(template, _line(template, stretch))
    key = f"changed:{stretch.first}"
    return Label(key, Kind.BODY, _CHANGED_TITLE, Grade.STRUCTURAL, reason, origin, notes=tuple(notes))


def _shortened(text: str) -> str:
    """One line of a text, with its end left out when it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"


def _path(template: Template, stretch: Stretch) -> str:
    return "+".join(template.paths[stretch.first : stretch.last])


def _quoted(template: Template, stretch: Stretch) -> str:
    return "{{ " + _path(template, stretch) + " }}"


def _quoted_paths(template: Template, stretch: Stretch) -> str:
    return ", ".join("{{ " + path + " }}" for path in template.paths[stretch.first : stretch.last])


def _variable(template: Template, stretch: Stretch) -> Label:
    """The value of a variable, or of several whose borders cannot be told."""
    path = _path(template, stretch)
    reason = say("stands where the body has {variable}", variable=_quoted(template, stretch))
    notes = (
        (say("Where one value ends and the next begins cannot be told here."),)
        if stretch.last - stretch.first > 1
        else ()
    )
    title = say("Value of {variable}", variable=path)
    origin = _origin(template, template.lines[stretch.last], path)
    return Label(f"variable:{path}", Kind.BODY, title, Grade.TEMPLATE, reason, origin, notes=notes)


def _label(key: str, grade: Grade, reason: Sentence, origin: Origin) -> Label:
    return Label(key, Kind.BODY, TITLES[Kind.BODY], grade, reason, origin, Volatility.STABLE)
