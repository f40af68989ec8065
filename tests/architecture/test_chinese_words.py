"""The Chinese texts read as one hand had written them: one word for one thing, Chinese punctuation, Chinese quotes."""

import json
import re
from pathlib import Path

import pytest

CHINESE = Path(__file__).parents[2] / "resources" / "translations" / "zh-CN"

_CJK = "[\u3400-\u9fff“”‘’「」（）。，：；？！…]"
_IDEOGRAPH = "[\u3400-\u9fff]"
ASCII_PUNCTUATION = re.compile(
    rf"{_CJK}[,;:?!]|{_CJK} [,;:?!](?=\s|$)|[,;:?!][\u3400-\u9fff“‘「（]"
    rf"|{_IDEOGRAPH}\(|\({_IDEOGRAPH}|{_IDEOGRAPH}\)"
)
ACCESS_KEY = re.compile(r"\(&[A-Z]\)$")
ASCII_QUOTES = re.compile(rf"{_CJK}'|'{_CJK}|'\{{\w+\}}'|{_CJK}\"|\"{_CJK}")
DOUBLED = re.compile(r"[，。：；？！]{2}|[，。：；？！] *[,.:;?!]|的的|了了")

ONE_WORD = {
    "token": r"词元|Token|TOKEN|令牌",
    "服务商": r"提供商|提供方|供应商",
    "记录": r"录制|录下|所录|录到",
    "上限": r"限额",
    "组装器": r"装配器",
    "追踪记录": r"跟踪|轨迹",
    "事件目录": r"事件清单",
    "请求体": r"传输体",
    "源码目录": r"检出目录",
    "主目录": r"主文件夹|家目录",
    "推测": r"猜测|猜想",
    "顺序": r"次序",
    "回合": r"轮次|轮数",
    "世界书": r"知识书|设定书|词条",
    "你": r"您",
}
"""The word that is used, and others for the same thing that are not."""


def texts() -> list[tuple[str, str, str]]:
    found = []
    for path in sorted(CHINESE.glob("*.json")):
        entries: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        found += [(path.name, template, text) for template, text in entries.items()]
    return found


def test_there_is_something_to_read() -> None:
    assert len(texts()) > 1000


def test_no_ascii_punctuation_stands_beside_chinese() -> None:
    wrong = [
        f"{name}: {template} → {text}"
        for name, template, text in texts()
        if ASCII_PUNCTUATION.search(ACCESS_KEY.sub("", text))
    ]
    assert not wrong, "\n".join(wrong)


def test_quotation_marks_are_chinese() -> None:
    wrong = [f"{name}: {template} → {text}" for name, template, text in texts() if ASCII_QUOTES.search(text)]
    assert not wrong, "\n".join(wrong)


def test_no_mark_is_doubled() -> None:
    wrong = [f"{name}: {template} → {text}" for name, template, text in texts() if DOUBLED.search(text)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("word", ONE_WORD)
def test_one_thing_has_one_word(word: str) -> None:
    others = re.compile(ONE_WORD[word])
    wrong = [f"{name}: {template} → {text}" for name, template, text in texts() if others.search(text)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "text", ["没有, 因为", "回合: 3", "“{text}”: 没有", "它(或许)在", "请求?", "行 ; 列", "好！", "“{a}”,{b}"]
)
def test_the_patterns_find_what_they_should(text: str) -> None:
    assert bool(ASCII_PUNCTUATION.search(text)) is (text != "好！")


@pytest.mark.parametrize("text", ["地址形如 :12:narrator:0", "上限 = 窗口 − 预留", "对比(&C)", "position: system"])
def test_the_patterns_leave_codes_alone(text: str) -> None:
    assert not ASCII_PUNCTUATION.search(ACCESS_KEY.sub("", text))
