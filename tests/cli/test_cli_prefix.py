"""``prefix`` and ``cache`` on the command line."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.cli.program import run

DATA = Path(__file__).parents[1] / "data"
EMBERWATCH, TIDEWATER, OLD = (str(DATA / f"{name}.db") for name in ("emberwatch", "tidewater", "driftwood-old-schema"))
ROOT = str(DATA / "sample-root")

Command = Callable[..., str]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """Runs a command line that has to succeed and gives what it printed."""

    def call(*arguments: str) -> str:
        assert run(arguments) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return str(out)

    return call


def loaded(text: str) -> Any:
    return json.loads(text)


def test_the_json_has_the_fields_of_the_engines_report(command: Command) -> None:
    entries = loaded(command("prefix", TIDEWATER, "--json"))
    assert [entry["runtimeId"] for entry in entries] == [
        "tide-narrator", "harbor-clerk/ledger", "omens/quiet", "storm-watch/alarm",
        "tide-narrator", "harbor-clerk/ledger", "omens/quiet",
    ]  # fmt: skip
    fields = ["sessionId", "runtimeId", "turns", "calls", "totalChars", "firstRequestChars", "pairs"]
    assert all(list(entry) == fields for entry in entries)
    ledger = entries[1]
    assert (ledger["turns"], ledger["calls"], ledger["totalChars"]) == (7, 13, 48944)
    assert ledger["firstRequestChars"][:4] == [2948, 3280, 3458, 3542]
    assert ledger["pairs"][0] == {
        "size": 3280,
        "tokens": 820,
        "shared": 2126,
        "sharedTokens": 532,
        "firstDifference": "message 3 (user)",
        "offset": 0,
        "was": '<ledger-lines>(nothing yet)</ledger-lines>\n<runtime-inputs>\n{"narrative":{"cardi',
        "now": "I climb the harbor stair and knock on the chalk office door.",
    }
    concealed = entries[2]["pairs"][0]
    assert concealed["firstDifference"] == "(identical)"
    assert "was" not in concealed
    assert "now" not in concealed


def test_the_json_is_indented_by_two_blanks(command: Command) -> None:
    assert command("prefix", TIDEWATER, "--json").startswith('[\n  {\n    "sessionId":')


def test_a_session_can_be_chosen_by_the_beginning_of_its_id(command: Command) -> None:
    entries = loaded(command("prefix", TIDEWATER, "--session", "af776", "--json"))
    assert {entry["sessionId"][:5] for entry in entries} == {"af776"}
    assert len(entries) == 3


def test_marks_can_be_left_out(command: Command) -> None:
    with_marks, without = (
        loaded(command("prefix", EMBERWATCH, "--json", *more))[0] for more in ([], ["--ignore-marks"])
    )
    assert with_marks["pairs"][1]["firstDifference"] == "message 2 (assistant)"
    assert without["pairs"][1]["firstDifference"] == "message 3 (user)"
    assert without["totalChars"] < with_marks["totalChars"]


def test_pairs_inside_turns_are_an_addition(command: Command) -> None:
    plain, more = (loaded(command("prefix", TIDEWATER, "--json", *more)) for more in ([], ["--inside-turns"]))
    functions = more.pop()
    inner = [entry.pop("insideTurns") for entry in more]
    assert more == plain
    assert [pair["kind"] for pair in inner[1]] == ["step", "step", "step", "step", "rerun", "rerun"]
    assert [pair["kind"] for pair in inner[0]] == ["step", "retry", "step"]
    assert functions == {
        "sessionId": plain[0]["sessionId"],
        "runtimeId": "gossip/weaver",
        "functionCalls": 1,
        "inputTokens": 412,
        "outputTokens": 66,
    }
    assert "gossip/weaver: calls of a function 1, input tokens reported 412" in command(
        "prefix", TIDEWATER, "--inside-turns"
    )


def test_the_table(command: Command) -> None:
    lines = command("prefix", TIDEWATER).splitlines()
    assert lines[0].startswith("Marrow Landing · fdec65fe")
    (ledger,) = [line for line in lines if line.startswith("harbor-clerk/ledger ") and " 13 " in line]
    assert ledger.split()[:6] == ["harbor-clerk/ledger", "7", "13", "886", "505", "57"]
    assert ledger.endswith("message 1 (system) +872")
    assert any("storm-watch/alarm" in line and "only one turn" in line for line in lines)
    assert any("11 161 tokens, 5 554 of them shared (50 %)" in line for line in lines)


def test_the_pairs_of_a_runtime_can_be_shown(command: Command) -> None:
    text = command("prefix", TIDEWATER, "--show", "tide-narrator", "--inside-turns")
    assert "turn 1 → 2: message 1 (system) +1857" in text
    assert '- "stands on the ninth.\\n\\n<tide-level>step 29</tide-level>"' in text
    assert '+ "stands on the ninth.\\n\\n<tide-level>step 27</tide-level>"' in text
    assert "retry 4 → 4" in text


def test_concealed_requests_have_no_figures(command: Command) -> None:
    lines = command("prefix", TIDEWATER, "--show", "omens/quiet").splitlines()
    (first, _) = [line for line in lines if line.startswith("omens/quiet ")]
    assert first.split()[1:6] == ["4", "4", "–", "–", "–"]
    assert "  turn 1 → 2: concealed, or not readable: nothing to compare" in lines
    assert not any("(identical)" in line for line in lines)
    (entry, _) = [one for one in loaded(command("prefix", TIDEWATER, "--json")) if one["runtimeId"] == "omens/quiet"]
    assert entry["pairs"][0]["firstDifference"] == "(identical)", "the engine's own report counts them as it does"
    rows = command("cache", TIDEWATER, "--covel-root", ROOT, "--runtime", "omens/quiet").splitlines()
    told = [line.split()[:4] for line in rows if "nothing can be compared" in line]
    assert told[0] == ["4", "turn", "–", "–"]


def test_older_files_are_measured_too(command: Command) -> None:
    assert "tide-narrator" in command("prefix", OLD)


def test_both_commands_speak_chinese(command: Command) -> None:
    assert "运行体" in command("prefix", EMBERWATCH, "--language", "zh-CN")
    text = command("cache", EMBERWATCH, "--covel-root", ROOT, "--runtime", "narrator", "--language", "zh-CN")
    assert "世界书条目“世界书 · 海铃”加入。" in text
    assert "缓存已过期：过去了 12 分钟，而前缀只留存 5 分钟。" in text


def test_a_session_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("prefix", "cache"):
        assert run((name, EMBERWATCH, "--session", "nobody")) == 2
        assert "no session 'nobody'" in capsys.readouterr().err


def test_a_runtime_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(("cache", EMBERWATCH, "--runtime", "nobody")) == 2
    error = capsys.readouterr().err
    assert "no runtime 'nobody'" in error
    assert "narrator" in error


def test_cache_names_causes_and_what_helps(command: Command) -> None:
    lines = command("cache", TIDEWATER, "--covel-root", ROOT, "--runtime", "tide-narrator").splitlines()
    (third,) = [line for line in lines if line.split()[:3] == ["3", "turn", "947"]]
    assert third.endswith("The value of the variable player.character in the runtime body changed.")
    assert any(
        line.strip().startswith("3 × variable in the runtime body:") and "turn context" in line for line in lines
    )
    assert any("not a bill" in line for line in lines)
    assert not any(" step " in line for line in lines), "pairs inside turns only when asked for"


def test_cache_as_json(command: Command) -> None:
    (session,) = loaded(command("cache", EMBERWATCH, "--covel-root", ROOT, "--runtime", "narrator", "--json"))
    (runtime,) = session["runtimes"]
    assert [row["kind"] for row in runtime["rows"]] == ["turn"] * 24
    second = runtime["rows"][1]
    assert second["against"].endswith(":1:narrator:0")
    assert second["measured"] == {"tokens": 1538, "shared": 1063}
    assert second["reported"] == {"input": 1513, "cached": 1091, "cacheWrite": 422}
    assert second["predicted"]["boundariesApart"] == 0
    assert second["cause"]["kind"] == "held"
    assert second["cause"]["isBreak"] is False
    broken = runtime["rows"][6]["cause"]
    assert (broken["kind"], broken["segment"], broken["providerReason"]) == ("lore", "lore:sea-bell", "system_changed")
    assert broken["remedy"]
    assert second["cost"]["currency"] == "$"
    assert {boundary["setter"] for boundary in second["boundaries"]} == {"engine", "provider"}


def test_cache_inside_turns(command: Command) -> None:
    text = command("cache", TIDEWATER, "--covel-root", ROOT, "--inside-turns")
    assert " retry " in text
    assert " another run " in text
    assert "≠" in text, "a prediction that is apart from the report is marked"


def test_a_users_prices_count(command: Command, own_settings: Path) -> None:
    (own_settings / "prices.toml").write_text(
        '[[price]]\nmodels = ["claude*"]\ncurrency = "€"\ninput = 1\nread = 1\nwrite = 1\n'
        'source = "me"\ndate = "today"\n',
        encoding="utf-8",
    )
    text = command("cache", EMBERWATCH, "--runtime", "narrator")
    assert "€0.00151" in text
    assert "Prices: me (today)" in text


def test_a_wrong_table_is_one_line(own_settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (own_settings / "prices.toml").write_text("[[price", encoding="utf-8")
    assert run(("cache", EMBERWATCH)) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "prices.toml" in error


def test_files_with_odd_calls(tmp_path: Path, command: Command) -> None:
    """Broken payloads are skipped, a call without a runtime has a row of its own, dangerous text is made visible."""
    import sqlite3

    path = tmp_path / "odd.db"
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE trace_events (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, trace_id TEXT, turn_id TEXT, "
        "payload TEXT, created_at TEXT, seq INTEGER)"
    )
    connection.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, created_at TEXT)")
    payloads = [
        '{"messages":[{"role":"user","content":"one"}]}',
        "{broken",
        None,
        '{"messages":[{"role":"user","content":"one"},{"role":"user","content":"\\u001b[31m\\ud83d"}]}',
    ]
    connection.executemany(
        "INSERT INTO trace_events VALUES (?, 's', 'llm.calling', 't', ?, ?, ?, 0)",
        [(f"row-{n}", f"turn-{n}", text, f"2026-01-01T00:00:0{n}Z") for n, text in enumerate(payloads)],
    )
    connection.commit()
    connection.close()
    (entry,) = loaded(command("prefix", str(path), "--json"))
    assert "runtimeId" not in entry
    assert (entry["turns"], entry["calls"], entry["totalChars"]) == (2, 2, 3 + 3 + 6)
    assert entry["pairs"][0]["now"] == "\x1b[31m\ud83d"
    table = command("prefix", str(path))
    assert "\x1b" not in table
    assert table.splitlines()[2].startswith("—")
