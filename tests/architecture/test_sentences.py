"""Every sentence for people is a literal template, and has a Chinese text with the same placeholders."""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "covel_inspector"
TRANSLATIONS = sorted((ROOT / "resources" / "translations").glob("*/"))

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


def placeholders(template: str) -> set[str]:
    return set(_PLACEHOLDER.findall(template))


@cache
def nodes() -> tuple[tuple[str, ast.AST], ...]:
    """Every node of the package's source, with its place; the module that defines sentences is left out."""
    return tuple(
        (f"{path.relative_to(ROOT).as_posix()}:{getattr(node, 'lineno', 0)}", node)
        for path in sorted(PACKAGE.rglob("*.py"))
        if path != PACKAGE / "domain" / "sentence.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path)))
    )


def calls(function: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call of a function by its bare name (widgets may have a method that is called the same)."""
    for place, node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
            yield place, node


def _template(call: ast.Call) -> str | None:
    first = call.args[0] if len(call.args) == 1 else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def literal_calls() -> Iterator[tuple[str, str, ast.Call]]:
    for place, call in calls("say"):
        template = _template(call)
        if template is not None:
            yield place, template, call


@cache
def templates() -> dict[str, str]:
    """Template to the place where it is said first."""
    found: dict[str, str] = {}
    for place, template, _ in literal_calls():
        found.setdefault(template, place)
    return found


@cache
def catalogue_files(language: Path) -> dict[str, dict[str, str]]:
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(language.glob("*.json"))}


def merged(language: Path) -> dict[str, str]:
    return {template: text for entries in catalogue_files(language).values() for template, text in entries.items()}


def test_the_package_says_something() -> None:
    assert len(templates()) > 50
    assert TRANSLATIONS


def test_every_template_is_a_literal() -> None:
    assert [place for place, call in calls("say") if _template(call) is None] == []


def test_sentences_are_made_by_say_alone() -> None:
    """Another name, or the class itself with a text, would hide a template from these tests."""
    renamed = [
        place
        for place, node in nodes()
        if isinstance(node, ast.ImportFrom)
        and any(alias.name == "say" and alias.asname not in (None, "say") for alias in node.names)
    ]
    built = [place for place, call in calls("Sentence") if call.keywords or _template(call) != ""]
    assert renamed + built == []


def test_placeholders_and_values_agree() -> None:
    wrong = []
    for place, template, call in literal_calls():
        names = {keyword.arg for keyword in call.keywords}
        if None not in names and names != placeholders(template):
            wrong.append(f"{place}: '{template}' is given {sorted(map(str, names))}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", TRANSLATIONS, ids=lambda path: path.name)
def test_every_template_is_translated(language: Path) -> None:
    known = merged(language)
    missing = [f"{place}: {template}" for template, place in sorted(templates().items()) if template not in known]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("language", TRANSLATIONS, ids=lambda path: path.name)
def test_no_translation_is_stale(language: Path) -> None:
    stale = [
        f"{name}: {template}"
        for name, entries in catalogue_files(language).items()
        for template in entries
        if template not in templates()
    ]
    assert not stale, "\n".join(stale)


@pytest.mark.parametrize("language", TRANSLATIONS, ids=lambda path: path.name)
def test_translations_keep_the_placeholders(language: Path) -> None:
    wrong = [
        f"{name}: {template} → {text}"
        for name, entries in catalogue_files(language).items()
        for template, text in entries.items()
        if placeholders(template) != placeholders(text) or not text.strip()
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", TRANSLATIONS, ids=lambda path: path.name)
def test_a_template_has_one_translation(language: Path) -> None:
    texts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, entries in catalogue_files(language).items():
        for template, text in entries.items():
            texts[template][text].append(name)
    assert {template: dict(found) for template, found in texts.items() if len(found) > 1} == {}


@pytest.mark.parametrize("language", TRANSLATIONS, ids=lambda path: path.name)
def test_translation_files_are_sorted(language: Path) -> None:
    unsorted = [
        path.name
        for path in sorted(language.glob("*.json"))
        if (text := path.read_text(encoding="utf-8"))
        != json.dumps(json.loads(text), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    ]
    assert not unsorted, "\n".join(unsorted)
