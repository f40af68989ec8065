"""Runtime bodies: the literal parts of a template found in the text that was sent. Reference on attribution, 4."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from covel_inspector.domain import AbsenceReason, Absent, Grade, Kind, Origin, Sentence, Volatility, say
from covel_inspector.engines.covel.attribution.claims import Claim, Label
from covel_inspector.engines.covel.records.manifests import Checkout, FilePlace, RuntimeManifest
from covel_inspector.engines.covel.records.naming import TITLES

_VARIABLE = re.compile(r"\{\{\s*([^}]+?)\s*\}\}")
_ENOUGH = 0.6
_LITERAL_TITLE = say("Text of the body")

Expect = Callable[[str], str | None]
"""The value that rows suggest for a variable's path; None when they do not tell."""


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
    values: tuple[tuple[int, int], ...] = ()
    """Offsets of each variable's value, when the literals were found completely."""


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
    best: Found | None = None
    for template in templates:
        found = _complete(template, text, start, end, bounded, expect)
        if found is not None:
            return found
        if bounded:
            score = _share(template, text, start, end)
            if score >= _ENOUGH and (best is None or score > best.score):
                best = Found(template, score, start, end)
    return best


def _complete(template: Template, text: str, start: int, end: int, bounded: bool, expect: Expect) -> Found | None:
    """All literals in order, values between them. Leftmost finding is enough: the values may be anything."""
    literals, values = template.literals, []
    if not text.startswith(literals[0], start, end):
        return None
    position = start + len(literals[0])
    limit = end
    if bounded and len(literals) > 1:
        limit = end - len(literals[-1])
        if limit < position or not text.startswith(literals[-1], limit, end):
            return None
    for number, literal in enumerate(literals[1:], 1):
        last = number == len(literals) - 1
        at = _value_end(text, position, limit, end, literal, template.paths[number - 1], last and bounded, expect)
        if at < 0:
            return None
        values.append((position, at))
        position = at + len(literal)
    if bounded and position != end:
        return None
    if not bounded and position != end and not text.startswith("\n\n", position, end):
        return None
    return Found(template, 1.0, start, position, tuple(values))


def _value_end(
    text: str, position: int, limit: int, end: int, literal: str, path: str, closes: bool, expect: Expect
) -> int:
    """Where the value that begins at ``position`` ends: where ``literal`` follows it; -1 when it does not."""
    if closes:
        return limit
    expected = expect(path)
    if expected is not None and text.startswith(expected, position, limit):
        at = position + len(expected)
        if text.startswith(literal, at, end):
            return at
    return text.find(literal, position, limit)


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
    if found.score < 1.0:
        label = _label("body", Grade.TEMPLATE, say("most lines of {file} stand here", file=template.file), origin)
        share = round(found.score * 100)
        note = say("The file differs from what was sent: {share} % of its text was found.", share=share)
        return Claim(found.start, found.end, replace(label, notes=(note,)))
    if not template.paths:
        reason = say("equal to the body in {file}", file=template.file)
        return Claim(found.start, found.end, _label("body", Grade.EXACT, reason, origin))
    reason = say("the literal parts of {file} stand here in order", file=template.file)
    return Claim(found.start, found.end, _label("body", Grade.TEMPLATE, reason, origin), tuple(_pieces(found)))


def _pieces(found: Found) -> Iterator[Claim]:
    """Literals and values in turn. Values without a literal between them cannot be told apart: one joint span."""
    template = found.template
    literals = template.literals
    position = found.start + len(literals[0])
    if literals[0]:
        yield Claim(found.start, position, _literal(template, 0))
    joint: list[str] = []
    for number, (first, last) in enumerate(found.values, 1):
        joint.append(template.paths[number - 1])
        literal = literals[number]
        if not literal and first == last and number < len(literals) - 1:
            continue
        if last > first or len(joint) > 1:
            yield Claim(position, last, _variable(template, joint, number))
        joint = []
        position = last + len(literal)
        if literal:
            yield Claim(last, position, _literal(template, number))


def empty_variables(found: Found) -> Iterator[Absent]:
    """Variables of a complete body that printed nothing."""
    for path, (first, last) in zip(found.template.paths, found.values, strict=False):
        if first == last:
            template = found.template
            yield Absent(
                f"variable:{path}",
                Kind.BODY,
                say("Value of {variable}", variable=path),
                AbsenceReason.EMPTY,
                say("the body asks for {variable}, which had no value here", variable="{{ " + path + " }}"),
                origin=Origin(plugin=template.plugin, runtime=template.runtime, file=template.file, variable=path),
                after="body",
            )


def _literal(template: Template, number: int) -> Label:
    origin = Origin(plugin=template.plugin, runtime=template.runtime, file=template.file, line=template.lines[number])
    reason = say("equal to a literal part of {file}", file=template.file)
    return Label(f"literal:{number}", Kind.BODY, _LITERAL_TITLE, Grade.TEMPLATE, reason, origin, Volatility.STABLE)


def _variable(template: Template, paths: list[str], number: int) -> Label:
    path = "+".join(paths)
    origin = Origin(
        plugin=template.plugin,
        runtime=template.runtime,
        file=template.file,
        line=template.lines[number],
        variable=path,
    )
    reason = say("stands where the body has {variable}", variable="{{ " + path + " }}")
    return Label(
        f"variable:{path}", Kind.BODY, say("Value of {variable}", variable=path), Grade.TEMPLATE, reason, origin
    )


def _label(key: str, grade: Grade, reason: Sentence, origin: Origin) -> Label:
    return Label(key, Kind.BODY, TITLES[Kind.BODY], grade, reason, origin, Volatility.STABLE)
