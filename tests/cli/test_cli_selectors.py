"""Selectors that fit nothing, options that contradict each other, and the exit statuses the README promises."""

import json
import re
from pathlib import Path

import click
import pytest
from edited_stories import EditedStory
from fake_source import ENGLISH

from covel_inspector.cli import program
from covel_inspector.cli.program import run

README = Path(__file__).parents[2] / "README.md"
SELECTORS = ("--session", "--turn", "--runtime", "--show", "--plugin", "--address")
ADDRESSES = ("address", "a", "b")
GOOD = f"{ENGLISH}:1:narrator:0"


def _commands() -> list[tuple[str, click.Command]]:
    return [(name, one) for name, one in program.program.commands.items() if not isinstance(one, click.Group)]


def _with_every_selector() -> list[tuple[str, ...]]:
    """Every command with each of its selectors set to something that is not there."""
    made: list[tuple[str, ...]] = []
    for name, command in _commands():
        given = [one.name for one in command.params if isinstance(one, click.Argument)]
        base = [name, *("story.db" for argument in given if argument == "file")]
        for place, argument in enumerate(one for one in given if one in ADDRESSES):
            made.extend((*base, *[GOOD] * place, wrong) for wrong in (":99:nix:0", "nix", f"{ENGLISH}:1:nix:0"))
            if argument == "address":
                base.append(GOOD)
        addresses = [GOOD] if "a" in given else []
        for option in (one for one in command.params if isinstance(one, click.Option)):
            if option.opts[0] in SELECTORS and name != "sample":
                made.extend((*base, *addresses, option.opts[0], wrong) for wrong in ("nix", "99", ""))
    return made


CASES = _with_every_selector()
WITH_JSON = [(words[0], "--json", *words[1:]) for words in CASES if words[0] != "open"]


def test_all_selectors_are_tried() -> None:
    tried = {(words[0], words[-2]) for words in CASES if words[-2].startswith("--")}
    assert {("calls", "--turn"), ("prefix", "--show"), ("cache", "--runtime"), ("open", "--address")} <= tried
    with_session = {name for name, option in tried if option == "--session"}
    assert {"calls", "prefix", "cache", "compaction", "report", "check"} <= with_session


@pytest.mark.parametrize("words", CASES + WITH_JSON, ids=" ".join)
def test_a_selector_that_fits_nothing_is_one_line_and_status_2(desk, words: tuple[str, ...]) -> None:
    outcome = desk(*words)
    assert (outcome.status, outcome.out) == (2, "")
    lines = [line for line in outcome.err.splitlines() if not line.startswith("No window can be shown")]
    assert len(lines) == 1
    assert lines[0].startswith("covel-inspector: ")


def test_what_is_there_instead_is_told(desk) -> None:
    assert "There is no turn '99'. Turns: 1 to 3." in desk("calls", "story.db", "--session", "tide", "--turn", "99").err
    near = desk("calls", "story.db", "--turn", "2+7").err
    assert "There is no turn '2+7'. Of this number there are: 2, 2+1." in near
    shown = desk("prefix", "story.db", "--session", "watch", "--show", "painter").err
    assert "There is no runtime 'painter' with recorded calls. Runtimes: codex, narrator." in shown


def test_a_turn_without_calls_is_there(desk) -> None:
    outcome = desk("calls", "story.db", "--session", "tide", "--turn", "3", "--json")
    assert (outcome.status, json.loads(outcome.out), outcome.err) == (0, [], "")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show", "story.db", GOOD, "--json", "--as", "text"), "Name one form: --json or --as text."),
        (("show", "story.db", GOOD, "--as", "text", "--protocol", "openai-chat-v1"), "--protocol is for a body"),
        (("report", "story.db", "--json", "--as", "markdown"), "Name one form: --json or --as markdown."),
        (("check", "story.db", "--json", "--format", "junit"), "Name one form: --json or --format junit."),
        (("open", "--address", GOOD), "--address needs a FILE to open."),
        (("open", "--covel-root", "."), "--covel-root needs a FILE to open."),
    ],
)
def test_options_that_contradict_each_other_are_named(desk, words: tuple[str, ...], says: str) -> None:
    outcome = desk(*words)
    assert (outcome.status, outcome.out) == (2, "")
    assert says in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_a_draft_changes_no_recorded_request(desk, tmp_path: Path) -> None:
    draft = tmp_path / "a.json"
    draft.write_text('{"format": "covel-inspector-draft/1", "changes": {"window": 4000}}', encoding="utf-8")
    outcome = desk("show", "story.db", GOOD, "--draft", str(draft), "--source", "recorded")
    assert outcome.status == 2
    assert "leave out --draft or --source recorded" in outcome.err
    assert desk("show", "story.db", GOOD, "--draft", str(draft), "--source", "rebuilt").status == 0


def test_limits_for_runtimes_that_are_not_there_are_noted(desk, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("[tokens.runtimes]\nnarator = 9000\nnarrator = 9000\n", encoding="utf-8")
    outcome = desk("check", "story.db", "--session", "watch", "--rules", str(rules), "--json")
    json.loads(outcome.out)
    assert outcome.err == (
        "note: The rules have limits for runtimes that made no call here: narator. Runtimes: codex, narrator.\n"
    )


# Calls whose rows cannot be read


@pytest.fixture
def torn(tmp_path: Path) -> str:
    """A story of which one call's payload is cut off, and one names no runtime."""
    story = EditedStory(tmp_path)
    first, second = (f"SELECT id FROM trace_events WHERE type = 'llm.calling' ORDER BY created_at LIMIT 1 OFFSET {n}"
                     for n in (0, 1))  # fmt: skip
    story.execute(f"UPDATE trace_events SET payload = substr(payload, 1, 300) WHERE id = ({first})")
    story.execute(f"UPDATE trace_events SET payload = '{{}}' WHERE id = ({second})")
    return str(story.database)


def _listed(story: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    assert run(["calls", story, "--json"]) == 0
    return [one for one in json.loads(capsys.readouterr().out) if not one["runtime"]]


def test_what_calls_lists_show_can_name(torn: str, capsys: pytest.CaptureFixture[str]) -> None:
    unreadable = _listed(torn, capsys)
    assert len(unreadable) == 2
    whys = []
    for call in unreadable:
        for source in ("recorded", "rebuilt"):
            assert run(["show", torn, call["address"], "--source", source, "--language", "en"]) == 1
            captured = capsys.readouterr()
            assert captured.out == ""
            assert call["address"] in captured.err
            whys.append(captured.err.partition(f"{call['address']}")[2])
    assert sum("its row cannot be read: column payload holds no readable JSON" in why for why in whys) == 2
    assert sum("its row names no runtime" in why for why in whys) == 2


def test_a_call_that_may_be_unreadable_is_not_said_to_be_missing(torn: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = _listed(torn, capsys)[0]
    session, turn = first["session"], first["turn"]
    assert run(["show", torn, f"{session}:{turn}:nix:0", "--language", "en"]) == 2
    error = capsys.readouterr().err
    assert "no readable call of runtime 'nix' is in this turn" in error
    assert f":{turn}::0" in error
    assert "Runtimes: ." not in error
    assert "Runtimes: ," not in error


def test_no_step_is_claimed_for_a_call_of_unknown_runtime(torn: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calls", torn, "--language", "en"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if re.search(r":\d+::\d", line)]
    assert len(lines) == 2
    assert not any("step" in line for line in lines)
    assert any("its row names no runtime" in line for line in lines)


# Exit statuses


def test_the_readme_lists_the_exit_statuses() -> None:
    table = README.read_text(encoding="utf-8").partition("| exit status | means |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| (\d+) \| (.+) \|$", table, re.MULTILINE))
    known = (program.OK, program.BROKEN, program.UNREADABLE, program.FAULT, program.INTERRUPTED, program.CLOSED)
    assert [int(number) for number in rows] == sorted(known)
    saying = {name for name, command in _commands() if "Exit status 1" in (command.help or "") or "status is 1" in
              (command.help or "") or "1: they differ" in (command.help or "")}  # fmt: skip
    assert saying == {"show", "compare", "budget", "check"}
    assert all(f"`{name}`" in rows["1"] for name in saying)


def test_status_1_is_what_the_readme_says(desk, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("[tokens]\nmost = 1\n", encoding="utf-8")
    assert desk("show", "story.db", f"{ENGLISH}:2+1:painter:0").status == 1
    assert desk("budget", "story.db", f"{ENGLISH}:2:harbor-clerk/ledger:0").status == 1
    assert desk("compare", "story.db", GOOD, f"{ENGLISH}:2:narrator:0").status == 1
    assert desk("compare", "story.db", GOOD, GOOD).status == 0
    assert desk("check", "story.db", "--rules", str(rules)).status == 1


# Help in the language that stands behind it


@pytest.mark.parametrize("name", [name for name, _ in _commands()] + ["eval assembler", ""])
def test_help_speaks_the_language_wherever_it_is_named(desk, name: str) -> None:
    words = name.split()
    behind = desk(*words, "--help", "--language", "zh-CN").out
    assert behind == desk(*words, "--language", "zh-CN", "--help").out
    assert behind == desk(*words, "--help", "--language=zh-CN").out
    assert behind == desk("--language", "zh-CN", *words, "--help").out
    assert re.search("[\u4e00-\u9fff]", behind)
    assert not re.search("[\u4e00-\u9fff]", desk(*words, "--help", "--language", "en").out)


def test_errors_speak_the_language_wherever_it_is_named(desk) -> None:
    assert "参见" in desk("sessions", "story.db", "--nix", "--language", "zh-CN").err
    assert "See 'covel" in desk("sessions", "story.db", "--nix", "--", "--language", "zh-CN").err
