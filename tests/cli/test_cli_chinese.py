"""What the command line prints in Chinese: no English sentence and no ASCII punctuation in it.

However a line is put together. The story is an English one, so that whatever is Chinese comes from the program.
"""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from covel_inspector.cli.program import run

ROOT = Path(__file__).parents[2]
STORY = str(ROOT / "tests" / "data" / "tidewater.db")
FOLDER = str(ROOT / "tests" / "data" / "sample-root")
RULES = str(ROOT / "resources" / "sample" / "check-rules.toml")
NARRATOR = "fdec:5:tide-narrator:0"
UNSENT = "fdec:7:tide-narrator:0"

_CJK = "[\u3400-\u9fff“”]"
_PUNCTUATION = re.compile(
    rf"{_CJK} ?[,;:?!](?=[ \n]|{_CJK})|[,;:?!] ?{_CJK}|{_CJK}\(|\({_CJK}|{_CJK}\)|'{_CJK}|{_CJK}'"
)

COMMANDS = [
    ("sessions", STORY),
    ("calls", STORY),
    ("show", STORY, NARRATOR),
    ("show", STORY, UNSENT, "--source", "rebuilt"),
    ("show", STORY, "fdec:4:harbor-clerk/ledger:1"),
    ("compare", STORY, "fdec:4:tide-narrator:0", NARRATOR),
    ("compare", STORY, NARRATOR),
    ("prefix", STORY, "--show", "tide-narrator", "--inside-turns"),
    ("cache", STORY, "--inside-turns"),
    ("budget", STORY, UNSENT),
    ("compaction", STORY),
    ("segments", STORY),
    ("report", STORY),
    ("check", STORY, "--rules", RULES),
]


@cache
def english() -> tuple[str, ...]:
    """Templates that are long enough to be no name, in which nothing is filled in, and that Chinese says otherwise."""
    found: dict[str, str] = {}
    for path in (ROOT / "resources" / "translations" / "zh-CN").glob("*.json"):
        found.update(json.loads(path.read_text(encoding="utf-8")))
    return tuple(key for key, text in found.items() if key.count(" ") > 1 and "{" not in key and key != text)


@pytest.fixture(params=COMMANDS, ids=lambda words: " ".join(Path(word).name for word in words))
def printed(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> str:
    run([*request.param, "--covel-root", FOLDER, "--language", "zh-CN"])
    out, err = capsys.readouterr()
    assert re.search(_CJK, out)
    return str(out + err)


def test_chinese_has_chinese_punctuation_and_no_english_sentence(printed: str) -> None:
    wrong = [line for line in printed.splitlines() if _PUNCTUATION.search(line)]
    assert not wrong, "\n".join(wrong)
    left = [sentence for sentence in english() if sentence in printed]
    assert not left, "\n".join(left)
