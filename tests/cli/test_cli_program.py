"""The command line as a whole: errors in one line, exit statuses, help, README."""

import re
from pathlib import Path

import click
import pytest

from covel_inspector.analysis.lint.registry import all_rules
from covel_inspector.cli.program import program
from covel_inspector.engines.opening import open_source

ROOT = Path(__file__).parents[2]


def _commands(group: click.Group, before: str = "") -> list[tuple[str, click.Command]]:
    found = []
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            found.extend(_commands(command, f"{before}{name} "))
        else:
            found.append((before + name, command))
    return found


COMMANDS = _commands(program)


@pytest.mark.parametrize(
    "arguments",
    [
        ("sessions",),
        ("sesions",),
        ("sessions", "story.db", "--nix"),
        ("show", "story.db", "a:1:b:0", "--as", "xml"),
        ("sessions", "nowhere.db"),
        ("sessions", "story.db", "--covel-root", "/there/is/no/such/folder"),
        ("eval",),
        ("eval", "nix"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_status_2(desk, arguments: tuple[str, ...]) -> None:
    outcome = desk(*arguments)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert outcome.err.startswith("covel-inspector: ")


def test_a_mistyped_command_is_guessed(desk) -> None:
    assert "Did you mean “sessions”?" in desk("sesions").err


def test_a_fault_of_the_program_is_one_line_and_status_3(desk) -> None:
    desk.fault = RuntimeError("oh\nno")
    outcome = desk("sessions", "story.db")
    assert outcome.status == 3
    assert outcome.err.startswith("covel-inspector: A mistake of the program itself (RuntimeError: oh ⏎ no).")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [("--debug", "sessions", "story.db"), ("sessions", "story.db", "--debug")])
def test_debug_shows_the_traceback(desk, arguments: tuple[str, ...]) -> None:
    desk.fault = RuntimeError("oh no")
    assert "Traceback" in desk(*arguments).err


def test_an_error_of_the_system_names_the_file(desk) -> None:
    desk.fault = PermissionError(13, "Permission denied", "story.db")
    outcome = desk("sessions", "story.db")
    assert (outcome.status, outcome.err) == (2, "covel-inspector: story.db: Permission denied.\n")


def test_an_error_cannot_steer_the_terminal(desk) -> None:
    assert "\x1b" not in desk("show", "story.db", "\x1b[2J:1:x:0").err


def test_an_interrupt_has_its_usual_status(desk) -> None:
    desk.fault = KeyboardInterrupt()  # type: ignore[assignment]  # No Exception, which is the point.
    assert desk("sessions", "story.db").status == 130


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_every_command_has_help_in_both_languages(desk, name: str, command: click.Command) -> None:
    english = desk("--language", "en", *name.split(), "--help")
    chinese = desk("--language", "zh-CN", *name.split(), "--help")
    assert (english.status, chinese.status) == (0, 0)
    assert re.search("[\u4e00-\u9fff]", chinese.out)
    texts = [command.help or "", *(one.help or "" for one in command.params if isinstance(one, click.Option))]
    untranslated = [line for text in texts for line in text.splitlines() if line and line in chinese.out]
    assert untranslated == []
    assert not re.search("Usage|Options|Commands|exit", chinese.out)


def test_the_list_of_commands_is_translated(desk) -> None:
    listed = desk("--language", "zh-CN", "--help").out
    assert re.search("sessions +[\u4e00-\u9fff]", listed)
    assert not re.search("Usage|Options|Commands|exit", listed)


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_readme_lists_every_command_with_its_options(name: str, command: click.Command) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{name}[ `].*$", readme, re.MULTILINE)
    assert row, f"README.md has no row for '{name}'"
    common = {"--covel-root", "--language", "--debug", "--json", "--width"}
    for option in (one for one in command.params if isinstance(one, click.Option)):
        assert common & set(option.opts) or any(name in row.group() for name in option.opts), option.opts


def test_readme_lists_every_rule_of_lint() -> None:
    source = open_source(str(ROOT / "tests" / "data" / "emberwatch.db"))
    rules = {rule.id for rule in all_rules(source)}
    source.close()
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("| rule | looks for |")[2].partition("\n\n")[0]
    named = re.findall(r"`([a-z-]+)`", table)
    assert sorted(named) == sorted(rules)


def test_readme_lists_no_command_that_does_not_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Command line")[2].partition("An **address**")[0]
    listed = [re.split(r"[ `\[]", row, maxsplit=1)[0] for row in re.findall(r"^\| `(.+?)`", table, re.MULTILINE)]
    assert set(listed) - {"covel-inspector"} == set(program.commands)
