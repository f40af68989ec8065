"""``eval``: one line of JSON for each case."""

import json
from pathlib import Path
from typing import Any

import pytest

from covel_inspector.cli.evaluation import run_cases


def _echo(case: dict[str, Any], pack: object) -> Any:
    if case.get("fails"):
        raise KeyError("params")
    return case.get("value")


@pytest.fixture
def write(tmp_path: Path):
    def write_case(name: str, content: object) -> str:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    return write_case


def test_lines_come_in_input_order(write, capsys: pytest.CaptureFixture[str]) -> None:
    one = write("one.json", {"name": "first", "value": [1, "守", "\ud83d"]})
    more = write("more.json", [{"name": "second", "value": None}, {"value": 3}, 17])
    assert run_cases((more, one), None, _echo) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert out.splitlines() == [
        '{"name":"second","result":null}',
        '{"name":"more.json#1","result":3}',
        '{"name":"more.json#2","error":"a case is an object"}',
        '{"name":"first","result":[1,"\\u5b88","\\ud83d"]}',
    ]


def test_a_case_that_fails_is_a_line_and_the_others_go_on(write, capsys: pytest.CaptureFixture[str]) -> None:
    cases = write("cases.json", [{"name": "bad", "fails": True}, {"name": "good", "value": 1}])
    assert run_cases((cases,), None, _echo) == 0
    assert capsys.readouterr().out.splitlines() == [
        """{"name":"bad","error":"misses 'params'"}""",
        '{"name":"good","result":1}',
    ]


def test_a_value_that_json_does_not_know_is_the_cases_fault(write, capsys: pytest.CaptureFixture[str]) -> None:
    cases = write("cases.json", {"name": "odd"})
    assert run_cases((cases,), None, lambda case, pack: float("inf")) == 0
    assert "error" in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("content", ["", "{", "[1,", "[" * 100_000, '"\x00'])
def test_files_that_hold_no_json(write, capsys: pytest.CaptureFixture[str], content: str) -> None:
    bad, good = write("bad.json", content), write("good.json", {"name": "good", "value": 1})
    assert run_cases((bad, good), None, _echo) == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["name"] == bad
    assert first["error"]
    assert second == {"name": "good", "result": 1}


def test_files_that_are_not_there_or_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tmp_path / "odd.json"
    odd.write_bytes(b"\xff\xfe{}")
    assert run_cases((str(tmp_path / "nix.json"), str(tmp_path), str(odd)), None, _echo) == 2
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert [list(json.loads(line)) for line in lines] == [["name", "error"]] * 3
    assert f"{tmp_path / 'nix.json'} cannot be read: No such file or directory" in err.splitlines()
    assert "No such file" in lines[0]


def test_a_byte_order_mark_is_no_harm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b'\xef\xbb\xbf{"name":"bom","value":1}')
    assert run_cases((str(path),), None, _echo) == 0
    assert capsys.readouterr().out == '{"name":"bom","result":1}\n'


def test_the_assembler_counts_tokens(desk, write) -> None:
    cases = write("tokens.json", {"name": "tokens", "op": "tokens", "params": {"texts": ["守夜", "abcd", ""]}})
    outcome = desk("eval", "assembler", cases)
    assert (outcome.status, outcome.out, outcome.err) == (0, '{"name":"tokens","result":[2,1,0]}\n', "")


def test_a_pack_need_not_hold_every_text(write) -> None:
    seen: list[str] = []

    def look(case: dict[str, Any], pack: Any) -> None:
        seen.extend([pack.text("pruned.marker", "en"), pack.text("ledger.omitted", "en")])

    texts = {"format": "covel-inspector-texts/1", "texts": {"pruned.marker": {"en": "GONE"}}}
    assert run_cases((write("one.json", {}),), Path(write("pack.json", texts)), look) == 0
    assert seen[0] == "GONE"
    assert seen[1]


def test_a_pack_that_is_none_is_an_error_in_one_line(desk, write) -> None:
    pack, cases = write("pack.json", {"texts": 1}), write("cases.json", [])
    outcome = desk("eval", "assembler", cases, "--pack", pack)
    assert (outcome.status, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "pack.json" in outcome.err


def test_texts_that_the_engine_does_not_use_are_named(desk, write) -> None:
    texts = {"format": "covel-inspector-texts/1", "texts": {"pruned.markr": {"en": "x"}, "pruned.marker": {"en": "y"}}}
    pack, cases = write("pack.json", texts), write("cases.json", [])
    outcome = desk("eval", "assembler", cases, "--pack", pack)
    assert (outcome.status, outcome.out) == (0, "")
    assert outcome.err == "note: The text pack has texts that the engine does not use: pruned.markr.\n"
